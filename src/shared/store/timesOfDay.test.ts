import { expect, test } from 'vitest';
import { sessionEnded, sessionLaunched, timeOfDayRead } from '../actions/sessionActions.ts';
import { timeOfDayAt, timesOfDayReducer } from './timesOfDay.ts';

const LAUNCH = Date.UTC(2026, 10, 22, 15, 0);
const HOUR = 3_600_000;
const launched = timesOfDayReducer(undefined, sessionLaunched({ launchedAt: 7, timeOfDay: LAUNCH }));

test('a moment has the time of the launch and the time since then', () => {
  expect(timeOfDayAt(launched, 90_000)).toBe(LAUNCH + 90_000);
});

test('a moment after the machine slept has the time that was read then, and an earlier one keeps its own', () => {
  const slept = timesOfDayReducer(
    launched,
    timeOfDayRead({ sinceLaunch: 1000, timeOfDay: LAUNCH + 8 * HOUR }),
  );
  expect(timeOfDayAt(slept, 999)).toBe(LAUNCH + 999);
  expect(timeOfDayAt(slept, 1500)).toBe(LAUNCH + 8 * HOUR + 500);
});

test('the time is not known without a launch, in a launch without a time, after the session, and when no date has it', () => {
  expect(timeOfDayAt([], 0)).toBeUndefined();
  expect(timesOfDayReducer(undefined, sessionLaunched({ launchedAt: 7 }))).toEqual([]);
  expect(timeOfDayAt(launched, 1e16)).toBeUndefined();
  expect(timesOfDayReducer(launched, sessionEnded())).toEqual([]);
});
