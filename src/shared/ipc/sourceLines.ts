import * as z from 'zod/mini';

/** A line of an app's source that ran. */
const lineSchema = z.object({
  /** Relative to the root of the sources. */
  file: z.string(),
  /** From 1. */
  line: z.number(),
  /** The function around it; of one without a name, the declaration around it. */
  function: z.string(),
  /** The line without its indentation. */
  text: z.string(),
});

/** The lines of source that ran in a step: those that did not run in another step; all when there is no other one, or when it ran them too. */
const stepLinesSchema = z.object({ of: z.enum(['difference', 'all']), lines: z.array(lineSchema) });

/** What the thread that finds the lines sends: those of each pair of steps, or why they cannot be found, in one line. */
export const sourceLinesSchema = z.union([
  z.object({ steps: z.readonly(z.array(stepLinesSchema)) }),
  z.object({ problem: z.string() }),
]);

export type SourceLine = Readonly<z.infer<typeof lineSchema>>;
export type StepLines = Readonly<z.infer<typeof stepLinesSchema>>;
export type SourceLinesResult = Readonly<z.infer<typeof sourceLinesSchema>>;

/** A step, and the nearest earlier step of the same kind that left the value alone. */
export interface StepPair {
  readonly step: number;
  readonly unlike?: number | undefined;
}

/** Checks a pair of steps that a page sends. */
export const stepPairSchema = z.strictObject({
  step: z.int().check(z.minimum(1)),
  unlike: z.optional(z.int().check(z.minimum(1))),
});

/** What the thread needs. */
export interface SourceLinesData {
  /** The file of a bundle that exports an adapter, with its source map inside. */
  readonly bundle: string;
  /** The folder to which the files of the sources are relative. */
  readonly root: string;
  /** A file, or the text of a capture. */
  readonly capture: { readonly path: string } | { readonly name: string; readonly text: string };
  readonly pairs: readonly StepPair[];
}
