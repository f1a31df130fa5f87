import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { hostauthProgram } from '#tests/builders/hostauthProgram.ts';
import { WRAPPED_PASSWORD, withPamWrapper } from '#tests/builders/withPamWrapper.ts';
import {
  type Authenticator,
  type PamAuthenticatorOptions,
  createPamAuthenticator,
} from './pamAuthenticator.ts';
import { PamProcess } from './pamProcess.ts';
import { childrenOf, commandOf, hasEnded } from '../../testing/processState.ts';

const { service, environment, stalled } = withPamWrapper();
const ada = { username: 'ada', password: WRAPPED_PASSWORD };
const stall = { username: 'stall', password: WRAPPED_PASSWORD };
const wrong = { username: 'ada', password: 'wrong' };
const accepted = { kind: 'accepted' };

const PROGRAM = hostauthProgram('pamChild');

const open: Authenticator[] = [];
function authenticator(options: Partial<PamAuthenticatorOptions> = {}): Authenticator {
  const made = createPamAuthenticator({
    service,
    environment,
    childPath: PROGRAM,
    timeoutMs: 60_000,
    refusalStepMs: 1,
    ...options,
  });
  open.push(made);
  return made;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

/** Lists the pids of this process's PAM processes. */
const pamProcesses = () =>
  // A process may end in between.
  childrenOf(process.pid).filter((pid) => !hasEnded(pid) && commandOf(pid).includes(PROGRAM));

/** A clock whose long timers the test ends; the delays of refusals end at once. */
function handClock() {
  const calls = new Set<() => void>();
  return {
    calls,
    monotonic: () => 0,
    after(ms: number, call: () => void) {
      if (ms < 1000) {
        setImmediate(call);
        return () => undefined;
      }
      calls.add(call);
      return () => void calls.delete(call);
    },
  };
}

describe('the authenticator with libpam-wrapper', { timeout: 60_000 }, () => {
  test('accepts a right password and refuses others, in the same process one after the other; input that PAM must not see needs none', async () => {
    const pam = authenticator();
    const tooLong = { ...ada, password: 'p'.repeat(512) };
    expect(await pam.authenticate(tooLong)).toEqual({ kind: 'refused', reason: 'input' });
    expect(pamProcesses()).toEqual([]);
    expect(await pam.authenticate(ada)).toEqual(accepted);
    const [first] = pamProcesses();
    const credentials = { kind: 'refused', reason: 'credentials', detail: expect.any(String) };
    expect(await pam.authenticate(wrong)).toMatchObject(credentials);
    const mustChange = { ...ada, username: 'mustchange' };
    expect(await pam.authenticate(mustChange)).toMatchObject({ kind: 'refused', reason: 'must-change' });
    expect(pamProcesses()).toEqual([first]);
  });

  test('loses only the sign-in in a killed process; the next one gets a new process, also when the exit of the killed one is not known yet', async () => {
    const pam = authenticator({ concurrency: 1 });
    const lost = pam.authenticate(stall);
    await stalled();
    const waiting = pam.authenticate(ada);
    const [pid = Number.NaN] = pamProcesses();
    process.kill(pid, 'SIGKILL');
    expect(await lost).toEqual({ kind: 'unavailable', reason: 'died', detail: 'SIGKILL' });
    expect(await waiting).toEqual(accepted);
    expect(pamProcesses()).not.toContain(pid);
    for (const idle of pamProcesses()) process.kill(idle, 'SIGKILL');
    expect(await pam.authenticate(ada)).toEqual(accepted);
  });

  test('loses only the sign-in that hangs, and kills its process', async () => {
    const clock = handClock();
    const pam = authenticator({ concurrency: 2, clock });
    const hung = pam.authenticate(stall);
    await stalled();
    expect(await pam.authenticate(ada)).toEqual(accepted);
    expect(await pam.authenticate(wrong)).toMatchObject({ kind: 'refused' });
    expect(clock.calls.size).toBe(1);
    clock.calls.forEach((timeIsUp) => timeIsUp());
    expect(await hung).toEqual({ kind: 'unavailable', reason: 'timeout' });
    expect(await Promise.all([pam.authenticate(ada), pam.authenticate(ada)])).toEqual([accepted, accepted]);
  });

  test('completes the sign-ins that run and wait after close(), and answers busy to later ones', async () => {
    const pam = authenticator({ concurrency: 1 });
    const before = [pam.authenticate(stall), pam.authenticate(ada)];
    const release = await stalled();
    const closed = pam.close();
    expect(await pam.authenticate(ada)).toEqual({ kind: 'unavailable', reason: 'busy' });
    await release();
    await closed;
    expect(await Promise.all(before)).toEqual([accepted, accepted]);
    expect(pamProcesses()).toEqual([]);
  });

  test('PAM processes complete their sign-in after SIGINT and SIGTERM, and have the credentials neither in their arguments nor in their environment', async () => {
    const pam = authenticator();
    const begun = pam.authenticate(stall);
    const release = await stalled();
    const [pid = Number.NaN] = pamProcesses();
    const seen = await Promise.all(
      ['cmdline', 'environ'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')),
    );
    expect(seen.join('')).toContain('UV_THREADPOOL_SIZE=1');
    for (const secret of [stall.username, stall.password]) expect(seen.join('')).not.toContain(secret);
    process.kill(pid, 'SIGINT');
    process.kill(pid, 'SIGTERM');
    await release();
    expect(await begun).toEqual(accepted);
  });
});

test('throws when the process cannot be started, and its `error` event ends nothing', async () => {
  const { execPath } = process;
  onTestFinished(() => void (process.execPath = execPath));
  process.execPath = '/missing/node';
  const clock = { after: () => () => undefined };
  const start = () => new PamProcess({ path: '', args: [], environment: {}, timeoutMs: 1, clock });
  expect(start).toThrow('could not be started');
  await new Promise((resolve) => setImmediate(resolve));
});
