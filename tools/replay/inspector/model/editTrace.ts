import type { CaptureRecord } from '#shared/capture/format.ts';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { stateDiff } from '../../diff/stateDiff.ts';
import type { Edit, EditedInfo } from '../protocol/protocol.ts';
import { type Trace, lastStep } from './trace/trace.ts';
import { conversationAfter, traceReader } from './trace/traceState.ts';
import { extendTrace } from './trace/extendTrace.ts';
import { findFirstDivergence } from './findFirstDivergence.ts';
import { type LineTable, addLine, linePlace } from './trace/lineTable.ts';
import { branchTrace } from './trace/rewindTrace.ts';
import { SessionError } from './trace/sessionError.ts';
import { isFrameRecord } from './trace/stepRow.ts';
import type { Task } from './trace/task.ts';

const MAX_CHANGES = 500;
/** The number of records between two pauses. */
const PIECE = 500;

/** The result of the edits. */
type Edited = Omit<EditedInfo, 'info'> & { readonly trace: Trace };

/**
 * Computes the trace of a capture with edits; the steps before the first edit are reused. When a record is edited twice, the
 * later edit applies.
 * @throws {SessionError} when a record does not exist or is not a frame.
 */
export function* editTrace(recorded: Trace, edits: readonly Edit[]): Task<Edited> {
  const count = recorded.recordSteps.length;
  for (const { record, kind } of edits) {
    const least = kind === 'insert' ? 0 : 1;
    if (!Number.isInteger(record) || record < least || record > count) {
      throw new SessionError(`There is no record ${record}; the capture has ${count}.`);
    }
  }
  const kept = Math.min(count, ...edits.map(({ kind, record }) => (kind === 'insert' ? record : record - 1)));
  const { trace, start } = branchTrace(recorded, kept);
  const extender = extendTrace(trace, start);
  const read = traceReader(recorded);
  const plan = planOf(edits);
  let previous = kept === 0 ? undefined : read(kept - 1);
  for (let index = kept - 1; index < count; index++) {
    if (index >= kept) {
      const record = read(index);
      keep({ trace, extender, plan, index, record, recorded });
      previous = record;
    }
    for (const data of plan.inserted.get(index + 1) ?? []) {
      const record: CaptureRecord = { t: previous?.t ?? 0, type: 'recv', data };
      addRecord(trace.lines, record);
      extender.take(record);
    }
    if (index % PIECE === 0) yield;
  }
  while (extender.settle(PIECE)) yield;
  return {
    trace,
    firstDivergence: yield* findFirstDivergence({ recorded, edited: trace, kept }),
    diff: stateDiff(endOf(recorded), endOf(trace), MAX_CHANGES).slice(0, MAX_CHANGES),
  };
}

const endOf = (trace: Trace): Conversation =>
  conversationAfter(trace, trace.steps.updates.at(lastStep(trace)));

/** Collects the edits by record; records count from 1. */
interface Plan {
  readonly changed: ReadonlyMap<number, Exclude<Edit, { kind: 'insert' }>>;
  readonly inserted: ReadonlyMap<number, readonly string[]>;
}

function planOf(edits: readonly Edit[]): Plan {
  const changed = new Map<number, Exclude<Edit, { kind: 'insert' }>>();
  const inserted = new Map<number, string[]>();
  for (const edit of edits) {
    if (edit.kind !== 'insert') changed.set(edit.record, edit);
    else inserted.set(edit.record, [...(inserted.get(edit.record) ?? []), edit.data]);
  }
  return { changed, inserted };
}

interface Kept {
  readonly trace: Trace;
  readonly recorded: Trace;
  readonly extender: ReturnType<typeof extendTrace>;
  readonly plan: Plan;
  readonly index: number;
  readonly record: CaptureRecord;
}

function keep({ trace, recorded, extender, plan, index, record }: Kept): void {
  const edit = plan.changed.get(index + 1);
  if (edit?.kind === 'skip') return;
  if (edit === undefined) {
    addLine(trace.lines, linePlace(recorded.lines, index));
    extender.take(record);
    return;
  }
  if (!isFrameRecord(record))
    throw new SessionError(`Record ${index + 1} is not a frame; it cannot be edited.`);
  const replaced = { ...record, data: edit.data };
  addRecord(trace.lines, replaced);
  extender.take(replaced);
}

/** Adds a line for a record that the capture does not contain. */
function addRecord(lines: LineTable, record: CaptureRecord): void {
  const bytes = new TextEncoder().encode(JSON.stringify(record));
  addLine(lines, { chunk: lines.chunks.length, start: 0, length: bytes.length });
  lines.chunks.push(bytes);
}
