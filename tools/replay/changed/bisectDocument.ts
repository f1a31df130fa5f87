import { z } from 'zod';

/** What `bisect --json` prints. */
export const bisectDocument = z.object({
  version: z.literal(1).describe('The version of this shape.'),
  capture: z.string().describe('The path of the capture.'),
  good: z.string().describe('The revision whose result is expected, as it was given.'),
  bad: z.string().describe('The revision with another result, as it was given.'),
  candidates: z
    .array(z.string())
    .describe(
      'The first commit with another result: short hash, date, author and subject. Several, the oldest first, when those before the last one were skipped.',
    ),
  update: z
    .int()
    .optional()
    .describe('The number of the first update that differs; missing when only the end differs.'),
  paths: z.array(z.string()).describe('The paths that differ first.'),
  functions: z
    .array(
      z.object({
        file: z.string().describe('The source, relative to the repository.'),
        line: z.int().describe('The line, from 1; of a removed function, in the revision before.'),
        name: z
          .string()
          .describe('The path of names of the function or branch in its file; `top level` for the rest.'),
        change: z.enum(['changed', 'added', 'removed']).describe('What happened to its code.'),
      }),
    )
    .describe('What differs in the code that the capture reaches.'),
  skipped: z
    .array(
      z.object({ commit: z.string().describe('The hash.'), reason: z.string().describe('In one line.') }),
    )
    .describe('Revisions that could not be replayed.'),
  tested: z.int().describe('The number of revisions that were tried.'),
});
