import { useCallback } from 'react';
import { useSelector } from 'react-redux';
import { itemAt } from '#shared/conversation/vector.ts';
import type { SharedState } from '#shared/store/rootReducer.ts';
import { timeOfDayAt } from '#shared/store/timesOfDay.ts';

const selectArrivals = (state: SharedState) => state.arrivals;
const selectTimesOfDay = (state: SharedState) => state.timesOfDay;

/**
 * Returns a function from the index of a message to the time at which it arrived, in milliseconds since 1970 (UTC); `undefined` when that is not
 * known.
 */
export function useArrivalTimes(): (index: number) => number | undefined {
  const arrivals = useSelector(selectArrivals);
  const times = useSelector(selectTimesOfDay);
  return useCallback(
    (index) => {
      const arrival = itemAt(arrivals, index) ?? null;
      return arrival === null ? undefined : timeOfDayAt(times, arrival);
    },
    [arrivals, times],
  );
}
