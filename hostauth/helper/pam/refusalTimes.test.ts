import { expect, test } from 'vitest';
import { seededRandom } from '#sim/world/seededRandom.ts';
import { fakeClock } from '../../testing/fakeHelper.ts';
import { type SlotProcess, createRefusalDelay, createSlotAuthenticator } from './pamAuthenticator.ts';

const SIGN_INS = 40;
/** How long PAM takes to refuse a sign-in, by its username. In milliseconds. */
const TIMES: Readonly<Record<string, number>> = { unknown: 3, known: 42, slow: 130 };

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A process that refuses each sign-in after the time of its username. */
const startProcess = (clock: ReturnType<typeof fakeClock>): SlotProcess => ({
  hasEnded: false,
  ask: ({ username }) =>
    new Promise((resolve) => {
      const refuse = () => resolve({ kind: 'refused', reason: 'credentials' });
      clock.after(TIMES[username] ?? Number.NaN, refuse);
    }),
  end: () => Promise.resolve(),
});

/** Returns when each of many sign-ins at once is refused, in milliseconds. */
async function timesOf(usernames: readonly string[]): Promise<readonly number[]> {
  const clock = fakeClock();
  const pam = createSlotAuthenticator({
    concurrency: 2,
    waiting: SIGN_INS,
    timeoutMs: 60_000,
    start: () => startProcess(clock),
    delay: createRefusalDelay({ clock }),
    clock,
  });
  const refusals: Promise<number>[] = [];
  const add = (username: string) =>
    refusals.push(pam.authenticate({ username, password: 'p' }).then(() => clock.monotonic()));
  const advance = async (ms: number) => {
    for (let i = 0; i < ms; i++) {
      clock.advance(1);
      await settled();
    }
  };
  // The slowest one comes first. The two slots become free at different times.
  add('slow');
  await advance(1000);
  add('slow');
  await advance(100);
  add('slow');
  for (const username of usernames) add(username);
  await advance(SIGN_INS * 200);
  return Promise.all(refusals);
}

const many = (usernameOf: () => string) => Array.from({ length: SIGN_INS }, usernameOf);

test('refuses many sign-ins at once at the same times, however long PAM takes for each', async () => {
  const random = seededRandom(1);
  const times = await timesOf(many(() => 'unknown'));
  expect(new Set(times).size).toBeGreaterThan(SIGN_INS / 2);
  const mixed = () => ['unknown', 'known', 'slow', ''][Math.floor(random() * 4)] ?? '';
  for (const usernameOf of [() => 'known', () => 'slow', () => '', mixed, mixed, mixed]) {
    expect(await timesOf(many(usernameOf))).toEqual(times);
  }
});
