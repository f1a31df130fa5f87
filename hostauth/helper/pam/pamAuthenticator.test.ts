import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { hostauthProgram } from '#tests/builders/hostauthProgram.ts';
import { WRAPPED_PASSWORD, withPamWrapper } from '#tests/builders/withPamWrapper.ts';
import { POLLING } from '#tests/builders/polling.ts';
import {
  type Authenticator,
  type PamAuthenticatorOptions,
  createPamAuthenticator,
} from './pamAuthenticator.ts';

const { service, environment, helper, stalled } = withPamWrapper();
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
    helper,
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
async function pamProcesses(): Promise<number[]> {
  const children = await Promise.all(
    (await readdir(`/proc/${process.pid}/task`)).map((thread) =>
      readFile(`/proc/${process.pid}/task/${thread}/children`, 'utf8').catch(() => ''),
    ),
  );
  const pids = children
    .flatMap((line) => line.split(' '))
    .filter(Boolean)
    .map(Number);
  // A process may end between the two.
  const commands = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return pids.filter((_, i) => commands[i]?.includes(PROGRAM));
}

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
  test('accepts a right password', async () => {
    expect(await authenticator().authenticate(ada)).toEqual(accepted);
  });

  test('refuses a wrong password with the message of PAM', async () => {
    expect(await authenticator().authenticate(wrong)).toMatchObject({
      kind: 'refused',
      reason: 'credentials',
      detail: expect.any(String),
    });
  });

  test('refuses a right password that must be changed first', async () => {
    const outcome = await authenticator().authenticate({ ...ada, username: 'mustchange' });
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'must-change' });
  });

  test('refuses an account that cannot be looked up', async () => {
    const outcome = await authenticator({ helper: '/nowhere' }).authenticate(ada);
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'account' });
  });

  test('refuses input that PAM must not see without a PAM process', async () => {
    const pam = authenticator();
    expect(await pam.authenticate({ ...ada, password: 'p'.repeat(127) })).toEqual({
      kind: 'refused',
      reason: 'input',
    });
    expect(await pamProcesses()).toEqual([]);
  });

  test('uses the same process for sign-ins one after the other', async () => {
    const pam = authenticator();
    await pam.authenticate(ada);
    const [first] = await pamProcesses();
    await pam.authenticate(wrong);
    await pam.authenticate(ada);
    expect(await pamProcesses()).toEqual([first]);
  });

  test('loses only the sign-in in a killed process; the next one gets a new process', async () => {
    const pam = authenticator({ concurrency: 1 });
    const lost = pam.authenticate(stall);
    await stalled();
    const waiting = pam.authenticate(ada);
    const [pid = Number.NaN] = await pamProcesses();
    process.kill(pid, 'SIGKILL');
    expect(await lost).toEqual({ kind: 'unavailable', reason: 'died', detail: 'SIGKILL' });
    expect(await waiting).toEqual(accepted);
    expect(await pamProcesses()).not.toContain(pid);
  });

  test('loses no sign-in when an idle process is killed', async () => {
    const pam = authenticator();
    await pam.authenticate(ada);
    const [pid = Number.NaN] = await pamProcesses();
    process.kill(pid, 'SIGKILL');
    // Its exit event follows when it was reaped.
    await vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false), POLLING);
    expect(await pam.authenticate(ada)).toEqual(accepted);
  });

  test('loses no sign-in when a process was killed whose exit is not known yet', async () => {
    const pam = authenticator();
    await pam.authenticate(ada);
    for (const pid of await pamProcesses()) process.kill(pid, 'SIGKILL');
    expect(await pam.authenticate(ada)).toEqual(accepted);
  });

  test('credentials that crash PAM reach one process only', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hostauth-pam-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const childPath = join(folder, 'crashes.js');
    const starts = join(folder, 'starts');
    await writeFile(
      childPath,
      `require('node:fs').appendFileSync(${JSON.stringify(starts)}, 'x');
      const socket = new (require('node:net').Socket)({ fd: 3 });
      socket.on('data', () => socket.write('{"kind":"started"}\\n', () => process.kill(process.pid, 'SIGSEGV')));`,
    );
    const outcome = await authenticator({ childPath }).authenticate(ada);
    expect(outcome).toMatchObject({ kind: 'unavailable', reason: 'died' });
    expect(await readFile(starts, 'utf8')).toBe('x');
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
    await vi.waitFor(async () => expect(await pamProcesses()).toHaveLength(1), POLLING);
    expect(await Promise.all([pam.authenticate(ada), pam.authenticate(ada)])).toEqual([accepted, accepted]);
  });

  test('lets 64 sign-ins wait behind one that hangs, answers busy to the next, and completes those that wait', async () => {
    const pam = authenticator({ concurrency: 1 });
    const first = pam.authenticate(stall);
    const release = await stalled();
    const waiting = Array.from({ length: 64 }, () => pam.authenticate(ada));
    expect(await pam.authenticate(ada)).toEqual({ kind: 'unavailable', reason: 'busy' });
    await release();
    expect(await first).toEqual(accepted);
    expect(await Promise.all(waiting)).toEqual(Array.from({ length: 64 }, () => accepted));
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
    expect(await pamProcesses()).toEqual([]);
  });

  test('PAM processes complete their sign-in after SIGINT and SIGTERM', async () => {
    const pam = authenticator();
    const begun = pam.authenticate(stall);
    const release = await stalled();
    const [pid = Number.NaN] = await pamProcesses();
    process.kill(pid, 'SIGINT');
    process.kill(pid, 'SIGTERM');
    await release();
    expect(await begun).toEqual(accepted);
  });

  test('passes credentials neither in the arguments nor in the environment of a PAM process', async () => {
    const secret = { username: 'stall', password: 'a secret of no one' };
    const pam = authenticator();
    const begun = pam.authenticate(secret);
    const release = await stalled();
    const [pid = Number.NaN] = await pamProcesses();
    const seen = await Promise.all(
      ['cmdline', 'environ'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')),
    );
    expect(seen.join('')).toContain('UV_THREADPOOL_SIZE=1');
    expect(seen.join('')).not.toContain(secret.password);
    expect(seen.join('')).not.toContain(secret.username);
    await release();
    expect(await begun).toMatchObject({ kind: 'refused' });
  });

  test('keeps the slot of a refusal until the next step after the slowest recent sign-in, also without PAM', async () => {
    let now = 0;
    const waits: number[] = [];
    const pam = authenticator({
      concurrency: 1,
      refusalStepMs: 100,
      clock: {
        monotonic: () => now,
        after(ms, call) {
          // Longer ones are the limits of a sign-in.
          if (ms <= 1000) waits.push(ms);
          if (ms <= 1000) setImmediate(call);
          return () => undefined;
        },
      },
    });
    const tooLong = { ...ada, password: 'p'.repeat(127) };
    expect(await pam.authenticate(tooLong)).toMatchObject({ reason: 'input' });
    expect(await pam.authenticate(wrong)).toMatchObject({ reason: 'credentials' });
    expect(waits).toEqual([100, 100]);
    // The input is refused only when the slot is free.
    const slow = pam.authenticate(stall);
    const release = await stalled();
    const refused = pam.authenticate(tooLong);
    now = 250;
    expect(waits).toHaveLength(2);
    await release();
    expect(await slow).toEqual(accepted);
    expect(await refused).toMatchObject({ reason: 'input' });
    expect(waits).toEqual([100, 100, 350]);
  });

  test('reports a PAM process that cannot start as died', async () => {
    const pam = authenticator({ childPath: '/nowhere.js' });
    expect(await pam.authenticate(ada)).toMatchObject({ kind: 'unavailable', reason: 'died' });
  });
});
