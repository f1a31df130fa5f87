import { type CaptureRecord, isKnown } from '#shared/capture/captureFormat.ts';
import { isSameJson } from '../../../diff/valueDiff.ts';
import type { Step as Release } from '../../../engine/createEngine.ts';
import type { SessionState } from '../../../engine/sessionAdapter.ts';
import type { InspectedApp } from './app.ts';
import { StepWalker, type WalkedStep } from './stepWalker.ts';
import { CHECKPOINT_STEPS, type Step } from './stepTable.ts';
import { type Trace, isRelease, lastStep, stepOf } from './trace.ts';

type Added = Pick<Step, 'kind' | 't' | 'record'> &
  Partial<Pick<Step, 'isChanged' | 'isError' | 'updateKind' | 'field'>>;

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

  #addStep(step: WalkedStep): void {
    const { before, after, release } = step;
    if (release === undefined) this.#addRecord(step);
    else this.#addRelease(step, release);
    if (before !== after) this.#trace.steps.touch(touchedNames(this.#trace.app, before, after));
  }

  /** Adds a step. Each field is named: a rest property would double the time of a long load. */
  #add({ kind, t, record, isChanged = false, isError = false, updateKind, field }: Added): void {
    const { steps, app } = this.#trace;
    const { state } = this.#walker;
    const failure = app.takeFailure?.();
    steps.push({
      kind,
      t,
      record,
      taken: stepOf(this.#trace, steps.length - 1).taken + Number(!isRelease({ kind })),
      updates: state.counts.applied + state.counts.ignored,
      waiting: state.queue.length,
      updateKind,
      isChanged,
      isError: isError || failure !== undefined,
      isConnected: state.connection.status === 'connected',
      field,
      failure,
      state: steps.length % CHECKPOINT_STEPS === 0 ? state : undefined,
    });
  }

  /** Adds the step of an update at its tick. */
  #addRelease(
    { kind, t, before, after, updateKind }: WalkedStep,
    { number, record, update, effect }: Release<SessionState>,
  ): void {
    const { app, updateRecords } = this.#trace;
    this.#add({
      kind,
      t,
      record: record ?? updateRecords[number - 1] ?? 0,
      isChanged: effect === 'applied' && app.isChanged(before, after, update),
      updateKind,
    });
  }

  /** Adds the step of a record. A frame from the platform changes only the queue and the counts. */
  #addRecord({ kind, t, before, after, updateKind, record }: WalkedStep): void {
    const { app, marks, updateRecords, lines, endedAt } = this.#trace;
    const place = { t, record: lines.length - 1 };
    if (endedAt !== undefined) this.#add({ kind, ...place });
    else if (kind === 'rejected') this.#add({ kind, ...place, isError: true });
    else if (kind === 'received') {
      updateRecords.push(place.record);
      this.#add({ kind, ...place, updateKind });
    } else {
      const isChanged = before !== after && app.isChanged(before, after);
      const isError = isKnown(record) && record.type === 'close' && !app.isExpectedClose(record);
      this.#add({ kind, ...place, isChanged, isError, field: fieldOf(app, record) });
      const step = lastStep(this.#trace);
      if (record.type === 'launch') this.#trace.launchStep ??= step;
      const mark = isChanged ? app.mark?.(after) : undefined;
      const { windows, isRecording } = marks.at(-1) ?? {};
      if (mark !== undefined && !isSameJson(mark, { windows, isRecording })) marks.push({ step, t, ...mark });
    }
  }
}

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
