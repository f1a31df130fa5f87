import { styleText } from 'node:util';
import type { z } from 'zod';
import { pluralize } from '#shared/formatText.ts';
import type { StepLines } from '#shared/ipc/sourceLines.ts';
import { field, jsonDocument, optional, sessionFields } from '../base/jsonDocument.ts';
import type { Output } from '../base/output.ts';
import { escapeControls, formatValue } from '../base/visibleText.ts';
import { LongList } from '../inspector/model/trace/stateTree.ts';
import { STEP_KINDS } from '../inspector/model/trace/stepKinds.ts';
import { formatTime } from '../inspector/time/formatTime.ts';
import type { HistoryEntry } from './valueHistory.ts';

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

/** Why a step did not change a value. */
const REASONS = [
  'changed',
  'rejected',
  'threw',
  'otherPath',
  'sameValue',
  'ignored',
  'otherValues',
  'waiting',
  'dropped',
] as const;

const CANDIDATE = {
  ...STEP,
  ...LINES,
  reason: field.choice(REASONS, 'why the step did not change the value; `changed`: it did'),
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

type Entry = NonNullable<WhyDocument['entries']>[number];
/** A step that could have changed a value, and why it did not. */
export type Candidate = NonNullable<WhyDocument['candidates']>[number];

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

/** The number of changed parts that are printed. */
const MOST_PRINTED = 5;

/** Formats a document for people, in pieces: the moment, then a paragraph for each step. */
export function* whyText(document: WhyDocument, { isOutColored }: Output): Generator<string, void> {
  const bold = (text: string) => (isOutColored ? styleText('bold', text, { validateStream: false }) : text);
  const { path, capture, step, t, entries = [], candidates } = document;
  const until = `up to step ${step} (${formatTime(t)})`;
  yield `${bold(path)} in ${escapeControls(capture)}\n`;
  if (candidates !== undefined) {
    yield `${pluralize(candidates.length, 'step')} ${until} could have changed it. Its value is ${formatValue(document.value)}.\n`;
    for (const candidate of candidates)
      yield `\n${heading(candidate, bold)}    ${escapeControls(candidate.because)}\n${place(candidate)}`;
    return;
  }
  const value =
    entries.length === 0 ? ` Its value is ${formatValue(document.value)}, from the beginning.` : '';
  yield `${pluralize(entries.length, 'step')} ${until} changed it.${value}\n`;
  for (const entry of entries)
    yield `\n${heading(entry, bold)}${changeLines(entry)}${place(entry)}${sourceText(entry)}`;
}

const heading = ({ step, t, type, summary }: Entry | Candidate, bold: (text: string) => string): string =>
  `${bold(`step ${step}`)}  ${formatTime(t)}  ${bold(escapeControls(type))}  ${escapeControls(summary)}`.trimEnd() +
  '\n';

function changeLines({ before, after, changes, changeCount = 0 }: Entry): string {
  if (changes === undefined) return `    ${formatValue(before)} → ${formatValue(after)}\n`;
  const lines = changes
    .slice(0, MOST_PRINTED)
    .map((change) => `    ${change.path}: ${formatValue(change.before)} → ${formatValue(change.after)}\n`);
  const more = changeCount - lines.length;
  return `${lines.join('')}${more > 0 ? `    and ${more} more\n` : ''}`;
}

/** Formats where a step came from. */
function place({ frame, receivedAt, field: path }: Entry | Candidate): string {
  const { record, line, offset, bytes } = frame;
  const where = line === undefined ? `record ${record}` : `line ${line}, offset ${offset}`;
  const within = path === undefined ? '' : `, field ${path === '' ? '(the whole frame)' : path}`;
  const received = receivedAt === undefined ? '' : `, received at ${formatTime(receivedAt)}`;
  return `    ${where}${bytes === undefined ? '' : `, ${pluralize(bytes, 'byte')}`}${within}${received}\n`;
}

function sourceText({ lines = [], linesOf, unlike }: Entry): string {
  if (linesOf === undefined) return '';
  if (linesOf === 'all') return `    all that ran\n${placesByFile(lines).join('')}`;
  const rows = lines.map(
    ({ file, line, function: name, text }) => `      ${file}:${line}  ${name}  ${escapeControls(text)}\n`,
  );
  return `    lines that ran, and not at step ${unlike}\n${rows.join('')}`;
}

/** Formats many lines by file and function, with their numbers only. */
function placesByFile(lines: NonNullable<Entry['lines']>): string[] {
  const files = new Map<string, Map<string, number[]>>();
  for (const { file, line, function: name } of lines) {
    const functions = files.get(file) ?? new Map<string, number[]>();
    files.set(file, functions.set(name, [...(functions.get(name) ?? []), line]));
  }
  return [...files].map(([file, functions]) => {
    const named = [...functions].map(([name, numbers]) => `${name} ${numbers.join(' ')}`);
    return `      ${file}: ${named.join(', ')}\n`;
  });
}
