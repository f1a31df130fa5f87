import { itemAt } from '#shared/conversation/vector.ts';
import type { SharedState } from '#shared/store/rootReducer.ts';
import { timeOfDayAt } from '#shared/store/timesOfDay.ts';

/** Returns the time at which the message at an index arrived, in milliseconds since 1970 (UTC); `undefined` when that is not known. */
export type TimeAt = (index: number) => number | undefined;

/** Returns the times at which the messages of a conversation arrived. */
export const arrivalTimes =
  ({ arrivals, timesOfDay }: Pick<SharedState, 'arrivals' | 'timesOfDay'>): TimeAt =>
  (index) => {
    const arrival = itemAt(arrivals, index) ?? null;
    return arrival === null ? undefined : timeOfDayAt(timesOfDay, arrival);
  };
