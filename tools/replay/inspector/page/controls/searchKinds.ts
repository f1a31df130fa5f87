import type { Search } from '../session/state.ts';

/** The kinds of search, each with a label and an example. */
export const SEARCH_KINDS: Readonly<Record<Search['kind'], readonly [label: string, example: string]>> = {
  expression: ['State is', 'connection == "connected"'],
  frame: ['Frame has', '"category":"image"'],
  change: ['Field changes', 'messages.length'],
  update: ['Update', '12'],
  time: ['Time', '2:03.400'],
  message: ['Message', 'its id'],
};
