import type { Search } from '../session/state.ts';

/** The kinds of search, each with a label and an example. */
export const SEARCH_KINDS: Readonly<
  Record<Search['kind'], readonly [label: string, example: string, exampleOfApp?: string]>
> = {
  expression: ['State is', 'connection == "connected"', 'updates == 12'],
  frame: ['Frame has', '"category":"image"', '"type":'],
  change: ['Field changes', 'messages.length', 'state'],
  update: ['Update', '12', '12'],
  time: ['Time', '2:03.400', '2:03.400'],
  // Other apps have no messages.
  message: ['Message', 'its id'],
};
