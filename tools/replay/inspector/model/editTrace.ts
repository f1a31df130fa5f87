import * as z from 'zod/mini';
import { type ActionRecord, type CaptureRecord, isKnown } from '#shared/capture/captureFormat.ts';
import { tryParseJson } from '#shared/json.ts';
import { type InspectedApp, SessionError } from './trace/app.ts';
import { TraceExtender } from './trace/TraceExtender.ts';
import { stateAtEnd, stateReader } from './trace/stateReader.ts';
import { isFrameRecord } from './trace/steps.ts';
import type { Step } from './trace/stepTable.ts';
import type { Task } from './trace/task.ts';
import {
  type Trace,
  copyTrace,
  isRelease,
  recordReader,
  stepAfter,
  stepAtTime,
  stepOf,
} from './trace/trace.ts';

const MAX_CHANGES = 500;
/** The number of records, or of compared moments, between two pauses. */
const PIECE = 500;

/**
 * An edit of the session. Each applies on top of the former ones. `record` is the number of a record in the recorded capture, from 1; or
 * minus the id of the edit that inserted a record. `data` is the text of a frame; of an action, JSON with its type, its payload and its window.
 * `insert` adds a received frame, or an action, directly after the record, at its time; 0: before all records.
 */
export type Edit = { readonly record: number } & (
  | { readonly kind: 'skip' }
  | { readonly kind: 'replace'; readonly data: string }
  | { readonly kind: 'close'; readonly code: number; readonly reason: string }
  | { readonly kind: 'insert'; readonly data: string; readonly id: number; readonly isAction?: boolean }
);

/**
 * Computes the trace of a capture with edits; the steps before the first edit are reused. When a record is edited twice, the
 * later edit applies.
 * @throws {SessionError} when a record does not exist or cannot be edited, or an action is not valid.
 */
export function* editTrace(recorded: Trace, edits: readonly Edit[]) {
  const { editProblem } = recorded.app;
  if (editProblem !== undefined) throw new SessionError(editProblem);
  const kept = keptRecords(edits, recorded.lines.length);
  const trace = copyTrace(recorded, kept);
  const extender = new TraceExtender(trace, stateAtEnd(trace));
  const origins: number[] = [];
  for (const { origin, record, line } of editedRecords(recorded, edits, kept)) {
    extender.take(record, line);
    if (origins.push(origin) % PIECE === 0) yield;
  }
  while (extender.settle(PIECE)) yield;
  return {
    trace,
    /** Returns the `record` that an edit of a record of the edited trace has; records count from 1. */
    editable: (record: number) => (record <= kept ? record : (origins[record - kept - 1] ?? 0)),
    /** The first step of the edited trace after which the conversation differs. */
    firstDivergence: yield* findDivergence(recorded, trace, kept),
    /** The first differences between the final conversations. */
    diff: trace.app
      .contentChanges(stateAtEnd(recorded), stateAtEnd(trace), MAX_CHANGES)
      .slice(0, MAX_CHANGES),
  };
}

/** Returns the number of records at the start that no edit changes. */
function keptRecords(edits: readonly Edit[], count: number): number {
  const inserted = new Set<number>();
  let kept = count;
  for (const edit of edits) {
    const { record, kind } = edit;
    const least = kind === 'insert' ? 0 : 1;
    const exists =
      record < 0 ? inserted.has(-record) : Number.isInteger(record) && record >= least && record <= count;
    if (!exists) throw new SessionError(`There is no record ${record}; the capture has ${count}.`);
    // An inserted frame comes after the record of its insertion.
    if (record >= 0) kept = Math.min(kept, kind === 'insert' ? record : record - 1);
    if (kind === 'insert') inserted.add(edit.id);
  }
  return kept;
}

interface EditedRecord {
  /** The `record` of an edit of it. */
  readonly origin: number;
  readonly record: CaptureRecord;
  /** Its line, if it is unchanged. */
  readonly line?: string | undefined;
}

/** Returns the records after the first `kept`, with the edits. */
function* editedRecords(recorded: Trace, edits: readonly Edit[], kept: number): Generator<EditedRecord> {
  const { app, lines } = recorded;
  const read = recordReader(recorded);
  const changes = new Map(edits.flatMap((edit) => (edit.kind === 'insert' ? [] : [[edit.record, edit]])));
  // The newest is directly after its record.
  const insertions = edits.filter((edit) => edit.kind === 'insert').toReversed();

  /** Returns a record, unless it is skipped, and those that are inserted after it. */
  function* edited(origin: number, record: CaptureRecord, line?: string): Generator<EditedRecord> {
    const edit = changes.get(origin);
    if (edit === undefined) yield { origin, record, line };
    else if (edit.kind !== 'skip') yield { origin, record: changedRecord(app, record, edit) };
    yield* insertedAfter(origin, record.t);
  }
  function* insertedAfter(origin: number, t: number): Generator<EditedRecord> {
    for (const { data, id, isAction = false } of insertions.filter(({ record }) => record === origin)) {
      const action = isAction && { t, type: 'action', ...parseAction(app, data) };
      yield* edited(-id, action || { t, type: 'recv', data });
    }
  }

  yield* insertedAfter(kept, kept === 0 ? 0 : read(kept - 1).t);
  for (let index = kept; index < lines.length; index++) yield* edited(index + 1, read(index), lines[index]);
}

function changedRecord(
  app: InspectedApp,
  record: CaptureRecord,
  edit: Extract<Edit, { kind: 'replace' | 'close' }>,
): CaptureRecord {
  if (edit.kind === 'replace' && isFrameRecord(record)) return { ...record, data: edit.data };
  if (edit.kind === 'replace' && isKnown(record) && record.type === 'action') {
    const { window: _window, ...rest } = record;
    return { ...rest, ...parseAction(app, edit.data) };
  }
  if (edit.kind === 'close' && isKnown(record) && record.type === 'close')
    return { ...record, code: edit.code, reason: edit.reason };
  throw new SessionError(`Record ${edit.record} cannot be edited in this way.`);
}

const actionSchema = z.strictObject({
  type: z.string(),
  payload: z.optional(z.unknown()),
  window: z.optional(z.int().check(z.positive())),
});

/** Parses the text of an action. @throws {SessionError} when it is not one, or the app could not have recorded it. */
function parseAction(app: InspectedApp, text: string): Pick<ActionRecord, 'action' | 'window'> {
  const value = tryParseJson(text);
  if (value === undefined) throw new SessionError('This is not JSON.');
  const parsed = actionSchema.safeParse(value);
  if (!parsed.success)
    throw new SessionError(
      'An action is an object with a type, and may have a payload and the number of a window.',
    );
  const { type, payload, window } = parsed.data;
  const action = { type, ...(payload !== undefined && { payload }) };
  const error = app.actionError?.(action);
  if (error !== undefined) throw new SessionError(error);
  return { action, ...(window !== undefined && { window }) };
}

/**
 * Finds the first step of an edited trace after which the content differs from the recorded one at that time: the update that causes the
 * difference or, when an update is missing, the current step at that time. The same lines at the same time change equal contents equally, so
 * contents are compared only where the steps differ.
 * @param kept the number of records at the start that are the same in both traces.
 */
function* findDivergence(recorded: Trace, edited: Trace, kept: number): Task<number | undefined> {
  const [recordedAt, editedAt] = [stateReader(recorded), stateReader(edited)];
  let [a, b] = [stepAfter(recorded, kept), stepAfter(edited, kept)];
  for (let moment = 1; ; moment++) {
    if (moment % PIECE === 0) yield;
    const t = Math.min(timeAfter(recorded, a), timeAfter(edited, b));
    if (t === Infinity) return undefined;
    const [lastA, lastB] = [stepAtTime(recorded, t), stepAtTime(edited, t)];
    let isSame = lastA - a === lastB - b;
    for (let i = 1; isSame && b + i <= lastB; i++)
      isSame = lineOf(edited, stepOf(edited, b + i)) === lineOf(recorded, stepOf(recorded, a + i));
    if (!isSame && edited.app.contentChanges(recordedAt(lastA), editedAt(lastB), 1).length > 0) {
      for (let step = lastB; step > b; step--) if (isRelease(stepOf(edited, step))) return step;
      return lastB;
    }
    [a, b] = [lastA, lastB];
  }
}

/** Returns the time of the step after this one; `Infinity` when there is none. */
const timeAfter = ({ steps }: Trace, step: number): number => steps.at(step + 1)?.t ?? Infinity;

/** Returns the kind of a step with its line. */
const lineOf = ({ lines }: Trace, { kind, record }: Step): string => `${kind} ${lines[record]}`;
