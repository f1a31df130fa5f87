import { z } from 'zod';

/** What `index --json` prints. */
export const indexDocument = z.object({
  version: z.literal(1).describe('The version of this shape.'),
  interrupted: z
    .boolean()
    .describe('Whether a signal ended the command: the index then contains what was found so far.'),
  folder: z
    .string()
    .describe('The folder of the captures, as it was given. The index is in `.parley-index` in it.'),
  captures: z.int().describe('The number of captures in the folder, or in the given shard of it.'),
  replayed: z
    .int()
    .describe(
      'The number of captures that were replayed, because they or the code that they reach are new or changed.',
    ),
  indexed: z
    .int()
    .describe('The number of captures in the index. One that follows another capture is not in it.'),
  problems: z
    .array(z.string())
    .describe('One line for each capture that cannot be used or whose replay was stopped.'),
});
