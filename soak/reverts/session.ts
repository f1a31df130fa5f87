import type { Revert } from './revert.ts';

/** The queue, the connection and the data folder. */
export const sessionReverts: readonly Revert[] = [
  {
    name: 'a released update leaves memory at once',
    scenario: 'flaps',
    edits: [{ file: 'src/shared/store/fifo.ts', now: 'items[head++] = undefined;', without: 'head++;' }],
  },
];
