import { z } from 'zod';
import type { StepLines } from '#shared/ipc/sourceLines.ts';
import { shapeVersion } from '../base/jsonDocument.ts';
import type { Change } from '../diff/valueDiff.ts';
import { LongList } from '../inspector/model/trace/stateTree.ts';
import { STEP_KINDS } from '../inspector/model/trace/stepKinds.ts';
import type { HistoryEntry } from './valueHistory.ts';
import { type Candidate, REASON_NAMES } from './whyNot.ts';

const count = z.int().min(0);
const anyValue = z.unknown().optional();

const changeSchema = z.object({
  path: z.string().describe('the path of the part of the value that changed'),
  before: anyValue.describe('the part before the step; absent when there was none'),
  after: anyValue.describe('the part after the step; absent when there is none'),
});

const frameSchema = z.object({
  record: z.int().min(1).describe('the number of the record in the capture, from 1'),
  line: z
    .int()
    .min(2)
    .optional()
    .describe('the line of the capture that contains it, from 1; absent for a HAR'),
  offset: count
    .optional()
    .describe('the offset of the first byte of that line in the uncompressed capture; absent for a HAR'),
  bytes: count
    .optional()
    .describe('the size of the frame on the wire; absent when the record is not a frame'),
});

const stepFields = {
  step: z.int().min(1).describe('the number of the step in the inspector'),
  kind: z.enum(STEP_KINDS).describe('what happened at the step'),
  t: z.number().describe('when, in milliseconds since the start of the recording; of an update, its tick'),
  receivedAt: z.number().optional().describe('when the frame of an update was received, in the same time'),
  type: z.string().describe('the kind of the update, the type of the action, or the type of the record'),
  summary: z.string().describe('the text by which the inspector describes the step'),
  frame: frameSchema.describe('the record from which the step came; of an update, that of its frame'),
};

const lineSchema = z.object({
  file: z.string().describe('the path of the source file'),
  line: z.int().min(1).describe('the line in it, from 1'),
  function: z.string().describe('the function around it; of one without a name, the declaration'),
  text: z.string().describe('the text of the line'),
});

const linesFields = {
  lines: z
    .array(lineSchema)
    .optional()
    .describe('the lines of the app’s source that ran in the step; only of the newest'),
  linesOf: z
    .enum(['difference', 'all'])
    .optional()
    .describe(
      '`difference`: the lines that did not run in the step `unlike`; `all`: every line, because there is no such step, or it ran them too',
    ),
};

const entrySchema = z.object({
  ...stepFields,
  field: z
    .string()
    .optional()
    .describe(
      'the path of the field from which the value came, within the JSON of the frame or within the record; empty for the whole frame',
    ),
  before: anyValue.describe(
    `the value before the step; absent when there was none, and for a list of more than 100 items`,
  ),
  after: anyValue.describe(
    'the value after the step; absent when there is none, and for a list of more than 100 items',
  ),
  changes: z
    .array(changeSchema)
    .optional()
    .describe('of a value with parts, the first 50 parts that changed'),
  changeCount: count.optional().describe('of a value with parts, the number of parts that changed'),
  unlike: count
    .optional()
    .describe(
      'the nearest earlier step of the same kind that left the value alone; absent when there is none',
    ),
  ...linesFields,
});

const candidateSchema = z.object({
  ...stepFields,
  ...linesFields,
  reason: z.enum(REASON_NAMES).describe('why the step did not change the value; `changed`: it did'),
  because: z.string().describe('the reason in words'),
  paths: z.array(z.string()).optional().describe('the first 50 paths that the step changed instead'),
  field: z.string().optional().describe('the path of the field within the frame that has the value already'),
});

/** The document that `why --json` prints. */
export const whySchema = z.object({
  capture: z.string().describe('the path of the capture, or `stdin`'),
  app: z.string().optional().describe('the name of the app of `--app`'),
  path: z.string().describe('the path of the value'),
  step: count.describe('the last step that counts: that of `--at`, by default the end of the session'),
  t: z.number().describe('the time of that step, in milliseconds since the start of the recording'),
  value: anyValue.describe(
    'the value after that step; absent when there is none, and for a list of more than 100 items',
  ),
  entries: z
    .array(entrySchema)
    .optional()
    .describe('without `--not`: the steps that changed the value, the newest first'),
  candidates: z
    .array(candidateSchema)
    .optional()
    .describe(
      'with `--not`: the steps that could have changed the value and why they did not, the newest first',
    ),
  version: shapeVersion(1),
});

export type WhyDocument = z.input<typeof whySchema>;

/** A longer list is not printed: its changes are. */
const MOST_ITEMS = 100;
const MOST_CHANGES = 50;

/** Returns a value as the document contains it. */
export const shownValue = (value: unknown): unknown =>
  value instanceof LongList && value.length > MOST_ITEMS ? undefined : value;

/** Returns an entry as the document contains it. @param lines the lines of source that ran in the step. */
export function entryOf({ changes, before, after, ...entry }: HistoryEntry, source?: StepLines) {
  const isWhole = changes.length === 1 && changes[0]?.before === before && changes[0]?.after === after;
  return {
    ...entry,
    before: shownValue(before),
    after: shownValue(after),
    ...(!isWhole && {
      changes: changes.slice(0, MOST_CHANGES).map(shownChange),
      changeCount: changes.length,
    }),
    ...(source && { lines: source.lines, linesOf: source.of }),
  };
}

const shownChange = ({ path, before, after }: Change) => ({
  path,
  before: shownValue(before),
  after: shownValue(after),
});

/** Returns a candidate as the document contains it. */
export const candidateOf = ({ paths, ...candidate }: Candidate, source?: StepLines) => ({
  ...candidate,
  ...(paths && { paths: paths.slice(0, MOST_CHANGES) }),
  ...(source && { lines: source.lines, linesOf: source.of }),
});
