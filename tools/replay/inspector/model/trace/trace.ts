import type { CaptureHeader } from '#shared/capture/captureFormat.ts';
import type { SessionState } from '../../../engine/sessionAdapter.ts';
import { STEP_KINDS, type StepKind } from '../../protocol/protocol.ts';
import type { InspectedApp, Mark } from './app.ts';
import { Column, copyColumns, countBelow, countUpTo } from './columns.ts';
import type { LineTable } from './lineTable.ts';

/** The number of steps between two stored states. Each costs memory for its changes; a jump replays half as many. */
export const CHECKPOINT_STEPS = 256;

/** The steps, one column for each field; row 0 is the initial state. Records count from 0. */
interface StepTable {
  /** The number of its {@link StepKind}, with {@link CHANGED}, {@link FAILED}, {@link CONNECTED} and {@link SAME_FIELD}. */
  readonly kinds: Column;
  /** The number of its kind of update in {@link Trace.kinds}, from 1; 0 when it has none. */
  readonly updateKinds: Column;
  readonly times: Column;
  readonly records: Column;
  /** The number of released updates. */
  readonly updates: Column;
  /** The number of waiting updates. */
  readonly queue: Column;
}

/** The trace of a capture, with what is needed to compute the state after any step. */
export interface Trace extends LineTable {
  readonly name: string;
  readonly header: CaptureHeader;
  readonly app: InspectedApp;
  readonly steps: StepTable;
  /** The last step of each record, and the record of each update. */
  readonly places: Readonly<Record<'recordSteps' | 'updateRecords', Column>>;
  /** The kinds of updates. */
  readonly kinds: string[];
  /** The state after every {@link CHECKPOINT_STEPS} steps. */
  readonly checkpoints: SessionState[];
  readonly marks: Mark[];
  /** The stacks of exceptions of the app's code, by step. */
  readonly failures: Map<number, string>;
  readonly warnings: string[];
  /** The step of the `launch` record; without one, the capture starts at the launch. */
  launchStep: number | undefined;
  /** The record that ended the session. */
  endedAt: number | undefined;
}

const integers = () => new Column(Uint32Array);

/** Creates a trace before its first step. */
export function emptyTrace(given: Pick<Trace, 'name' | 'header' | 'headerLine' | 'app' | 'warnings'>): Trace {
  const { app } = given;
  const steps = {
    kinds: new Column(Uint8Array),
    updateKinds: integers(),
    times: new Column(Float64Array),
    records: integers(),
    updates: integers(),
    queue: integers(),
  };
  for (const column of Object.values(steps)) column.push(column === steps.kinds ? STEP_NUMBER.other : 0);
  const mark = app.mark?.(app.initialState);
  return {
    ...given,
    chunks: [],
    lines: { chunk: integers(), start: integers(), length: integers() },
    steps,
    places: { recordSteps: integers(), updateRecords: integers() },
    kinds: [...app.kinds],
    checkpoints: [],
    marks: mark === undefined ? [] : [{ step: 0, t: 0, ...mark }],
    failures: new Map(),
    launchStep: undefined,
    endedAt: undefined,
  };
}

/** Copies the first `records` records into an independent trace, which shares the bytes of the lines. */
export function copyTrace(trace: Trace, records: number): Trace {
  const copy: Trace = {
    ...trace,
    chunks: [...trace.chunks],
    lines: copyColumns(trace.lines),
    steps: copyColumns(trace.steps),
    places: copyColumns(trace.places),
    kinds: [...trace.kinds],
    checkpoints: [...trace.checkpoints],
    marks: [...trace.marks],
    failures: new Map(trace.failures),
    warnings: [...trace.warnings],
  };
  truncateTrace(copy, records);
  return copy;
}

/** Removes all records after the first `records`, and their steps. */
export function truncateTrace(trace: Trace, records: number): void {
  const { steps, places, lines, checkpoints, marks, failures } = trace;
  const step = stepAfter(trace, records);
  for (const column of Object.values(steps)) column.truncate(step + 1);
  for (const column of [...Object.values(lines), places.recordSteps]) column.truncate(records);
  places.updateRecords.truncate(countBelow(places.updateRecords, records));
  checkpoints.length = Math.min(checkpoints.length, Math.floor(step / CHECKPOINT_STEPS));
  while ((marks.at(-1)?.step ?? 0) > step) marks.pop();
  for (const failed of failures.keys()) if (failed > step) failures.delete(failed);
  if ((trace.launchStep ?? 0) > step) trace.launchStep = undefined;
  if (trace.endedAt !== undefined && trace.endedAt >= records) trace.endedAt = undefined;
}

/** Returns the number of the last step. */
export const lastStep = ({ steps }: Trace): number => steps.kinds.length - 1;

/** Returns the last step of the first `records` records. */
export const stepAfter = ({ places }: Trace, records: number): number =>
  records === 0 ? 0 : places.recordSteps.at(records - 1);

/** Returns the last step at or before a time, in milliseconds since the start of the recording. */
export const stepAtTime = ({ steps }: Trace, t: number): number => Math.max(0, countUpTo(steps.times, t) - 1);

/** The bit of a step that changed what a person sees. */
export const CHANGED = 0x80;
/** The bit of an error: a rejected frame, an unexpected close, or an exception of the app's code. */
export const FAILED = 0x40;
/** The bit of a step after which the app was connected. */
export const CONNECTED = 0x20;
/** The bit of a step that edits the same field as the step before it. */
export const SAME_FIELD = 0x10;
/** The bits of the kind. */
export const KIND = 0x0f;

/** The number of each step kind in its column. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const STEP_NUMBER = Object.fromEntries(STEP_KINDS.map((name, i) => [name, i])) as Record<
  StepKind,
  number
>;

/** Returns the kind of a step. */
export const stepKindAt = ({ steps }: Trace, step: number): StepKind =>
  STEP_KINDS[steps.kinds.at(step) & KIND] ?? 'other';

/** Returns the kind of the update of a step; `undefined` when it has none. */
export const updateKindAt = ({ steps, kinds }: Trace, step: number): string | undefined =>
  kinds[steps.updateKinds.at(step) - 1];

/** Returns whether a step changed what a person sees. */
export const isChangedAt = ({ steps }: Trace, step: number): boolean =>
  (steps.kinds.at(step) & CHANGED) !== 0;

/** Returns whether a step is an update at its tick. */
export const isRelease = ({ steps }: Trace, step: number): boolean =>
  step > 0 && steps.updates.at(step) > steps.updates.at(step - 1);

/** Returns the step at which an update was released; the last step plus 1 when it never was. */
export const stepOfUpdate = ({ steps }: Trace, number: number): number => countBelow(steps.updates, number);
