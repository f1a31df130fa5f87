import { z } from 'zod';
import { shapeVersion } from '../base/jsonDocument.ts';

/** What `index --json` prints. */
export const indexDocument = z.object({
  interrupted: z
    .boolean()
    .describe('whether a signal ended the command: the index then contains what was found so far'),
  folder: z
    .string()
    .describe('the folder of the captures, as it was given. The index is in `.parley-index` in it'),
  captures: z.int().describe('the number of captures in the folder, or in the given shard of it'),
  replayed: z
    .int()
    .describe(
      'the number of captures that were replayed, because they or the code that they reach are new or changed',
    ),
  indexed: z
    .int()
    .describe('the number of captures in the index. One that follows another capture is not in it'),
  problems: z
    .array(z.string())
    .describe('one line for each capture that cannot be used or whose replay was stopped'),
  version: shapeVersion(1),
});
