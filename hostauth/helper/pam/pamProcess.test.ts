import { expect, onTestFinished, test } from 'vitest';
import { hostauthProgram } from '#tests/builders/hostauthProgram.ts';
import { WRAPPED_PASSWORD, withPamWrapper } from '#tests/builders/withPamWrapper.ts';
import { PamProcess } from './pamProcess.ts';

const { service, environment, helper, stalled } = withPamWrapper();
const stall = { username: 'stall', password: WRAPPED_PASSWORD };

/** A process with a sign-in that hangs in PAM, and the calls that end the time limits. */
async function scene() {
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
  const asked = pam.ask(stall);
  await stalled();
  return { pam, asked, timers };
}

test('kills a process whose sign-in hangs until its limit', { timeout: 60_000 }, async () => {
  const { pam, asked, timers } = await scene();
  for (const timeIsUp of timers) timeIsUp();
  expect(await asked).toEqual({ kind: 'unavailable', reason: 'timeout' });
  expect(pam.hasEnded).toBe(true);
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
