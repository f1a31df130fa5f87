import { expect, onTestFinished, test } from 'vitest';
import { hostauthProgram } from '#tests/builders/hostauthProgram.ts';
import { WRAPPED_PASSWORD, withPamWrapper } from '#tests/builders/withPamWrapper.ts';
import { PamProcess } from './pamProcess.ts';

const { service, environment, helper, stalled } = withPamWrapper();
const ada = { username: 'ada', password: WRAPPED_PASSWORD };
const stall = { username: 'stall', password: WRAPPED_PASSWORD };
const accepted = { kind: 'accepted' };
const unread = { kind: 'unread' };

/** A process with a sign-in that hangs in PAM, and the calls that end the time limits. */
async function scene(first = stall) {
  const timers = new Set<() => void>();
  const pam = new PamProcess({
    path: hostauthProgram('pamChild'),
    args: [service, helper],
    environment: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', UV_THREADPOOL_SIZE: '1', ...environment },
    timeoutMs: 10_000,
    clock: {
      after(_, call) {
        timers.add(call);
        return () => void timers.delete(call);
      },
    },
  });
  onTestFinished(() => pam.end());
  const asked = pam.ask(first);
  const release = await stalled();
  return { pam, asked, release, timers };
}

test('a PAM process begins the next sign-in after one that was accepted', async () => {
  const { pam, asked, release, timers } = await scene();
  const next = pam.askNext(ada);
  expect([pam.canAskNext, timers.size]).toEqual([false, 1]);
  await release();
  expect([await asked, await next]).toEqual([accepted, accepted]);
  expect(timers.size).toBe(0);
});

test('a PAM process discards the next sign-in after one that was refused', async () => {
  const { pam, asked, release } = await scene({ ...stall, password: 'wrong' });
  // If it began, it would hang, and the one asked last with it.
  const next = pam.askNext(stall);
  await release();
  expect(await asked).toMatchObject({ kind: 'refused' });
  expect(await next).toEqual(unread);
  expect(await pam.ask(ada)).toEqual(accepted);
});

test('a PAM process returns a withdrawn sign-in while PAM hangs', async () => {
  const { pam, asked, release } = await scene();
  const next = pam.askNext(ada);
  pam.withdrawNext();
  expect(await next).toEqual(unread);
  const another = pam.askNext(ada);
  await release();
  expect([await asked, await another]).toEqual([accepted, accepted]);
});

test(
  'the next sign-in is unread when the one in progress hangs until its limit',
  { timeout: 60_000 },
  async () => {
    const { pam, asked, timers } = await scene();
    const next = pam.askNext(ada);
    for (const timeIsUp of timers) timeIsUp();
    expect([await asked, await next]).toEqual([{ kind: 'unavailable', reason: 'timeout' }, unread]);
    expect(pam.hasEnded).toBe(true);
  },
);

test('throws when the process cannot be started, and its `error` event ends nothing', async () => {
  const { execPath } = process;
  onTestFinished(() => void (process.execPath = execPath));
  process.execPath = '/missing/node';
  const clock = { after: () => () => undefined };
  const start = () => new PamProcess({ path: '', args: [], environment: {}, timeoutMs: 1, clock });
  expect(start).toThrow('could not be started');
  await new Promise((resolve) => setImmediate(resolve));
});
