import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { signedIn, signedOut } from '#shared/actions/mainActions.ts';
import { sessionEnded, sessionLaunched, updateReceived } from '#shared/actions/sessionActions.ts';
import { ARRIVALS_WRITE_MS, KEPT_ARRIVALS } from '#shared/limits.ts';
import { virtualClock } from '#shared/clock.ts';
import { timeOfDayAt } from '#shared/store/sharedSlices.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { mainStore } from '#tests/builders/mainStore.ts';
import { message, updateOf } from '#tests/builders/updateOf.ts';

/** A limit that a few messages reach. */
vi.mock('#shared/limits.ts', async (original) => ({ ...(await original<object>()), KEPT_ARRIVALS: 20 }));

const START = Date.UTC(2026, 10, 22, 15, 0);
const HOUR = 3_600_000;

async function startOn(dataDir: string, { at = START, platformName = 'the platform' } = {}) {
  const clock = virtualClock();
  const { store, listeners, kept } = await mainStore({ clock, platformName, keepsModules: true });
  const { keepArrivals } = await import('./keepArrivals.ts');
  keepArrivals({ store, listeners, dataDir, platform: platformName, clock, log: kept.log });
  let launchedAt = 0;
  const launch = (timeOfDay: number, id: string) => {
    store.dispatch(signedIn({ id, platform: platformName }));
    launchedAt = clock.now();
    store.dispatch(sessionLaunched({ launchedAt, timeOfDay }));
  };
  launch(at, 'ada');
  return {
    clock,
    store,
    launch,
    receive(frame: object) {
      store.dispatch(updateReceived({ update: updateOf(frame), at: clock.now() - launchedAt, bytes: 1 }));
      clock.advance(100);
    },
    end: () => void store.dispatch(sessionEnded()),
    /** Returns the times of the messages, in milliseconds after the first start. */
    times() {
      const { arrivals, timesOfDay } = store.getState();
      return Array.from({ length: arrivals.length }, (_, index) => {
        const arrival = itemAt(arrivals, index) ?? null;
        return arrival === null ? null : (timeOfDayAt(timesOfDay, arrival) ?? Number.NaN) - START;
      });
    },
  };
}

const snapshot = (...messages: readonly object[]) => ({ person: 'Ada', messages });
const fileIn = (folder: string) => join(folder, 'arrivals.json');
const contents = (folder: string): unknown => JSON.parse(readFileSync(fileIn(folder), 'utf8'));

test('contract §3 times: keeps the arrivals over two restarts by the ids of the messages, without text, and ignores those of another platform', async () => {
  const folder = mainFolder();
  const first = await startOn(folder);
  first.receive(message('a', { context: 'secret' }));
  first.receive(message('b'));
  first.end();
  const arrivals = Object.entries({ a: START + 100, b: START + 200 });
  expect(contents(folder)).toEqual({ platform: 'the platform', arrivals });
  expect(statSync(fileIn(folder)).mode & 0o777).toBe(0o600);
  const second = await startOn(folder, { at: START + HOUR });
  second.receive(snapshot(message('before'), message('a'), message('b')));
  expect(second.times()).toEqual([null, 100, 200]);
  second.receive(message('c'));
  second.end();
  const third = await startOn(folder, { at: START + 2 * HOUR });
  const all = snapshot(message('a'), message('b'), message('c'));
  third.receive(all);
  expect(third.times()).toEqual([100, 200, HOUR + 200]);
  third.end();
  const other = await startOn(folder, { platformName: 'another platform' });
  other.receive(all);
  expect(other.times()).toEqual([null, null, null]);
});

test('contract §3 times: writes no file for a platform that gives the times of its messages', async () => {
  const folder = mainFolder();
  const { receive, end } = await startOn(folder);
  receive({ ...message('a'), time: '2026-11-22T15:00:00.000Z' });
  end();
  expect(existsSync(fileIn(folder))).toBe(false);
});

test('deletes the file at the sign-out, writes nothing that waits after it, and has forgotten all at the next sign-in of the same start', async () => {
  const folder = mainFolder();
  const { receive, launch, clock, store, end, times } = await startOn(folder);
  receive(message('a'));
  clock.advance(ARRIVALS_WRITE_MS);
  receive(message('b'));
  store.dispatch(signedOut());
  end();
  clock.advance(2 * ARRIVALS_WRITE_MS);
  expect(existsSync(fileIn(folder))).toBe(false);
  launch(START + HOUR, 'grace');
  receive(snapshot(message('a')));
  expect(times()).toEqual([null]);
});

test('keeps the newest ones only', async () => {
  const folder = mainFolder();
  const { receive, clock, end } = await startOn(folder);
  const messages = Array.from({ length: KEPT_ARRIVALS + 1 }, (_, at) => ({ id: String(at), modifier: 'ai' }));
  receive(snapshot());
  receive(message('0'));
  receive(snapshot(message('0'), ...messages.slice(1)));
  clock.advance(ARRIVALS_WRITE_MS);
  end();
  expect(contents(folder)).toMatchObject({ arrivals: { length: KEPT_ARRIVALS, 0: ['1', START + 300] } });
});
