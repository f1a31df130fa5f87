import type { Reducer } from '@reduxjs/toolkit';
import { type TimeOfDay, sessionLaunched, timeOfDayRead } from '../actions/sessionActions.ts';
import { isOfType } from '../isOfType.ts';
import { perSession } from './session.ts';

/** The known times of day, in order; the first is that of the launch. */
export type TimesOfDay = readonly TimeOfDay[];

const none: TimesOfDay = [];

/** Reduces the times of day. A replay does not run it: the header of a capture has the time of its start. */
export const timesOfDayReducer: Reducer<TimesOfDay> = perSession((times = none, action) => {
  if (isOfType(action, timeOfDayRead)) return [...times, action.payload];
  if (!isOfType(action, sessionLaunched)) return times;
  const { timeOfDay } = action.payload;
  return timeOfDay === undefined ? times : [{ sinceLaunch: 0, timeOfDay }];
});

/** The last time that `Date` can represent. */
const LAST_TIME = 8.64e15;

/**
 * Returns the time of day of a moment, in milliseconds since 1970 (UTC); `undefined` when none is known.
 * @param sinceLaunch milliseconds since the launch
 */
export function timeOfDayAt(times: TimesOfDay, sinceLaunch: number): number | undefined {
  const last = times.findLast((one) => one.sinceLaunch <= sinceLaunch);
  if (last === undefined) return undefined;
  const time = last.timeOfDay + sinceLaunch - last.sinceLaunch;
  return Math.abs(time) <= LAST_TIME ? time : undefined;
}
