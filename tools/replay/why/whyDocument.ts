import type { z } from 'zod';
import type { StepLines } from '#shared/ipc/sourceLines.ts';
import { field, jsonDocument, optional, sessionFields } from '../base/jsonDocument.ts';
import { LongList } from '../inspector/model/trace/stateTree.ts';
import { STEP_KINDS } from '../inspector/model/trace/stepKinds.ts';
import type { HistoryEntry } from './valueHistory.ts';
import { type Candidate, REASON_NAMES } from './whyNot.ts';

const FRAME = {
  record: field.number('the number of the record in the capture, from 1'),
  line: optional.number('the line of the capture that contains it, from 1; absent for a HAR'),
  offset: optional.number('the offset of that line in the uncompressed capture, bytes; absent for a HAR'),
  bytes: optional.number('the size of the frame on the wire; absent when the record is not a frame'),
};

const STEP = {
  step: field.number('the number of the step in the inspector'),
  kind: field.choice(STEP_KINDS, 'what happened at the step'),
  t: field.number('when, in milliseconds since the start of the recording; of an update, its tick'),
  receivedAt: optional.number('when the frame of an update was received, in the same time'),
  type: field.text('the kind of the update, the type of the action, or the type of the record'),
  summary: field.text('the text by which the inspector describes the step'),
  frame: field.object('the record from which the step came; of an update, that of its frame', FRAME),
};

const LINES_OF =
  '`difference`: those that did not run in the step `unlike`; `all`: every one, because there is no such step, or it ran them too';

const LINES = {
  lines: optional.list('the lines of the app’s source that ran in the step; only of the newest', {
    file: field.text('the path of the source file'),
    line: field.number('the line in it, from 1'),
    function: field.text('the function around it; of one without a name, the declaration'),
    text: field.text('the text of the line'),
  }),
  linesOf: optional.choice(['difference', 'all'], LINES_OF),
};

const ENTRY = {
  ...STEP,
  field: optional.text('the path of its field in the frame’s JSON or record; empty for the whole frame'),
  before: optional.any('the value before the step; absent when there was none, or more than 100 items'),
  after: optional.any('the value after the step; absent when there is none, or more than 100 items'),
  changes: optional.list('of a value with parts, the first 50 parts that changed', {
    path: field.text('the path of the part of the value that changed'),
    before: optional.any('the part before the step; absent when there was none'),
    after: optional.any('the part after the step; absent when there is none'),
  }),
  changeCount: optional.number('of a value with parts, the number of parts that changed'),
  unlike: optional.number('the nearest earlier step of the same kind that left the value alone, if any'),
  ...LINES,
};

const CANDIDATE = {
  ...STEP,
  ...LINES,
  reason: field.choice(REASON_NAMES, 'why the step did not change the value; `changed`: it did'),
  because: field.text('the reason in words'),
  paths: optional.texts('the first 50 paths that the step changed instead'),
  field: optional.text('the path of the field within the frame that has the value already'),
};

export const whySchema = jsonDocument('why', 'the history of a value', {
  ...sessionFields,
  path: field.text('the path of the value'),
  step: field.number('the last step that counts: that of `--at`, by default the end of the session'),
  t: field.number('the time of that step, in milliseconds since the start of the recording'),
  value: optional.any('the value after that step; absent when there is none, or more than 100 items'),
  entries: optional.list('without `--not`: the steps that changed the value, the newest first', ENTRY),
  candidates: optional.list(
    'with `--not`: the steps that could have changed it, the newest first',
    CANDIDATE,
  ),
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
  const parts = changes
    .slice(0, MOST_CHANGES)
    .map((part) => ({ path: part.path, before: shownValue(part.before), after: shownValue(part.after) }));
  return {
    ...entry,
    before: shownValue(before),
    after: shownValue(after),
    ...(!isWhole && { changes: parts, changeCount: changes.length }),
    ...(source && { lines: source.lines, linesOf: source.of }),
  };
}

/** Returns a candidate as the document contains it. */
export const candidateOf = ({ paths, ...candidate }: Candidate, source?: StepLines) => ({
  ...candidate,
  paths: paths?.slice(0, MOST_CHANGES),
  ...(source && { lines: source.lines, linesOf: source.of }),
});
