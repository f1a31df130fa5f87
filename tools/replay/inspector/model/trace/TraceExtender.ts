import { type CaptureRecord, isKnown } from '#shared/capture/captureFormat.ts';
import { isSameJson } from '../../../diff/valueDiff.ts';
import type { Step as Release } from '../../../engine/createEngine.ts';
import type { SessionState } from '../../../engine/sessionAdapter.ts';
import type { InspectedApp } from './app.ts';
import { StepWalker, type WalkedStep } from './stepWalker.ts';
import type { StepKind } from './stepKinds.ts';
import { CHECKPOINT_STEPS } from './stepTable.ts';
import { type Trace, lastStep, stepOf } from './trace.ts';

/** Replays records and appends their steps to a trace. */
export class TraceExtender {
  readonly #trace: Trace;
  readonly #walker: StepWalker;

  /** @param start the state after the last step of the trace; omitted for an empty trace. */
  constructor(trace: Trace, start?: SessionState) {
    this.#trace = trace;
    const isOver = trace.endedAt !== undefined;
    this.#walker = new StepWalker(trace.app, (step) => this.#addStep(step), { start, isOver });
  }

  /** Takes the next record. @param line its line; by default its JSON. */
  take(record: CaptureRecord, line = JSON.stringify(record)): void {
    const { lines } = this.#trace;
    lines.push(line);
    this.#walker.take(record);
    if (this.#walker.isOver) this.#trace.endedAt ??= lines.length - 1;
  }

  /** Releases waiting updates, at most `most`; returns whether more of them wait. */
  settle(most: number): boolean {
    return this.#walker.pass(undefined, most);
  }

  /** Adds a step. A frame from the platform changes only the queue and the counts. */
  #addStep({ kind, t, before, after, record, release, updateKind }: WalkedStep): void {
    const { steps, app, lines, updateRecords } = this.#trace;
    const last = lines.length - 1;
    if (kind === 'received') updateRecords.push(last);
    const changes = release === undefined ? kind !== 'received' && kind !== 'rejected' : isApplied(release);
    const isChanged = changes && before !== after && app.isChanged(before, after, release?.update);
    const field = kind === 'action' ? fieldOf(app, record) : undefined;
    const failure = app.takeFailure?.();
    steps.push({
      kind,
      t,
      record: release === undefined ? last : (release.record ?? updateRecords[release.number - 1] ?? 0),
      taken: stepOf(this.#trace, steps.length - 1).taken + Number(release === undefined),
      updates: after.counts.applied + after.counts.ignored,
      waiting: after.queue.length,
      updateKind,
      isChanged,
      isError: failure !== undefined || isErrorOf(app, kind, record),
      isConnected: after.connection.status === 'connected',
      field,
      failure,
      state: steps.length % CHECKPOINT_STEPS === 0 ? after : undefined,
    });
    if (before !== after) steps.touch(touchedNames(app, before, after));
    if (release === undefined && isChanged) this.#mark(t, after);
    if (kind === 'action' && record.type === 'launch') this.#trace.launchStep ??= lastStep(this.#trace);
  }

  /** Keeps the windows and the recording of a state, when they are others than before. */
  #mark(t: number, state: SessionState): void {
    const { app, marks } = this.#trace;
    const mark = app.mark?.(state);
    const { windows, isRecording } = marks.at(-1) ?? {};
    if (mark !== undefined && !isSameJson(mark, { windows, isRecording }))
      marks.push({ step: lastStep(this.#trace), t, ...mark });
  }
}

const isApplied = ({ effect }: Release<SessionState>): boolean => effect === 'applied';

/** Returns whether a step is an error, also without an exception. */
const isErrorOf = (app: InspectedApp, kind: StepKind, record: CaptureRecord): boolean =>
  kind === 'rejected' ||
  (kind === 'close' && isKnown(record) && record.type === 'close' && !app.isExpectedClose(record));

/** Returns a bit for each name whose value may differ between two states. */
function touchedNames(app: InspectedApp, before: SessionState, after: SessionState): number {
  let bits = 0;
  for (let index = 0; index < app.names.length; index++) {
    const name = app.names[index] ?? '';
    if (app.part(name, before) !== app.part(name, after)) bits |= 1 << index;
  }
  return bits;
}

/** Returns the field that a record edits, with its window; `undefined` for other records. */
function fieldOf(app: InspectedApp, record: CaptureRecord): string | undefined {
  if (!isKnown(record) || record.type !== 'action') return undefined;
  const field = app.describeAction?.(record.action).field;
  return field === undefined ? undefined : `${record.window} ${field}`;
}
