import { useMemo } from 'react';
import { useSelector } from 'react-redux';
import type { SharedState } from '#shared/store/rootReducer.ts';
import { type TimeAt, arrivalTimes } from '#ui/arrival/arrivalTimes.ts';

const selectArrivals = (state: SharedState) => state.arrivals;
const selectTimesOfDay = (state: SharedState) => state.timesOfDay;

/**
 * Returns a function from the index of a message to the time at which it arrived, in milliseconds since 1970 (UTC); `undefined` when that is not
 * known.
 */
export function useArrivalTimes(): TimeAt {
  const arrivals = useSelector(selectArrivals);
  const timesOfDay = useSelector(selectTimesOfDay);
  return useMemo(() => arrivalTimes({ arrivals, timesOfDay }), [arrivals, timesOfDay]);
}
