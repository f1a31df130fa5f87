import type { Revert } from './revert.ts';

/** The queue, the connection and errors of the main process. */
export const sessionReverts: readonly Revert[] = [
  {
    name: 'a released update leaves memory at once',
    scenario: 'flaps',
    edits: [{ file: 'src/shared/store/fifo.ts', now: 'items[head++] = undefined;', without: 'head++;' }],
  },
  {
    name: 'the limit of the queue counts memory, not wire bytes',
    scenario: 'flood',
    edits: [
      {
        file: 'src/main/session/estimateMemory.ts',
        now: 'let total = UPDATE_BYTES + (frame.length === characters ? characters : 2 * characters);',
        without: 'let total = frame.length; if (total > 0) return total;',
      },
    ],
  },
  {
    name: 'errors that nothing catches are logged, and the program continues',
    scenario: 'errors',
    edits: [
      {
        file: 'src/main/main.ts',
        now: 'setUpLastResort({ source: process, log,',
        without: 'void setUpLastResort; void ({ source: process, log,',
      },
    ],
  },
];
