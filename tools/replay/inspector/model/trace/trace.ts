import type { CaptureHeader, CaptureRecord } from '#shared/capture/captureFormat.ts';
import type { JsonObject } from '#shared/json.ts';
import { upgradeFrom } from '#shared/capture/parseCapture.ts';
import { type InspectedApp, type Mark, SessionError } from './app.ts';
import type { StepKind } from './stepKinds.ts';
import { type Step, Steps } from './stepTable.ts';

/** The trace of a capture, with what is needed to compute the state after any step. Step 0 is the initial state. */
export interface Trace {
  readonly name: string;
  readonly header: CaptureHeader;
  readonly headerLine: string;
  readonly app: InspectedApp;
  /** The unchanged line of each record. It is parsed each time it is read, because a million parsed records would need another half a gigabyte. */
  readonly lines: string[];
  readonly steps: Steps;
  /** The record of each update. */
  readonly updateRecords: number[];
  readonly marks: Mark[];
  readonly warnings: readonly string[];
  /** The step of the `launch` record; without one, the capture starts at the launch. */
  launchStep: number | undefined;
  /** The record that ended the session. */
  endedAt: number | undefined;
}

/** Creates a trace before its first record. */
export function emptyTrace(given: Pick<Trace, 'name' | 'header' | 'headerLine' | 'app' | 'warnings'>): Trace {
  const { initialState, mark } = given.app;
  const steps = new Steps();
  steps.push({ kind: 'other', t: 0, record: 0, state: initialState });
  return {
    ...given,
    lines: [],
    steps,
    updateRecords: [],
    marks: mark === undefined ? [] : [{ step: 0, t: 0, ...mark(initialState) }],
    launchStep: undefined,
    endedAt: undefined,
  };
}

/** Copies the first `records` records, with their steps, into an independent trace. */
export function copyTrace(trace: Trace, records: number): Trace {
  const { lines, steps, updateRecords, marks, launchStep = Infinity, endedAt = Infinity } = trace;
  const last = stepAfter(trace, records);
  return {
    ...trace,
    lines: lines.slice(0, records),
    steps: steps.copy(last + 1),
    updateRecords: updateRecords.filter((record) => record < records),
    marks: marks.filter(({ step }) => step <= last),
    launchStep: launchStep <= last ? launchStep : undefined,
    endedAt: endedAt < records ? endedAt : undefined,
  };
}

/** Returns the number of the last step. */
export const lastStep = ({ steps }: Trace): number => steps.length - 1;

/** Returns a step. @throws {SessionError} when it does not exist. */
export function stepOf({ steps }: Trace, step: number): Step {
  const found = steps.at(step);
  if (found === undefined) throw new SessionError(`There is no step ${step}.`);
  return found;
}

/** Returns the last step of the first `records` records. */
export const stepAfter = ({ steps }: Trace, records: number): number =>
  countWhile(steps, ({ taken }) => taken < records);

/** Returns the last step at or before a time, in milliseconds since the start of the recording. */
export const stepAtTime = ({ steps }: Trace, time: number): number =>
  Math.max(0, countWhile(steps, ({ t }) => t <= time) - 1);

/** Returns the first step at or after a time. Step 0 is the initial state, not an event. */
export const firstStepAt = ({ steps }: Trace, time: number): number =>
  Math.max(
    1,
    countWhile(steps, ({ t }) => t < time),
  );

/** Returns the step at which an update was released; the last step plus 1 when it never was. */
export const stepOfUpdate = ({ steps }: Trace, number: number): number =>
  countWhile(steps, ({ updates }) => updates < number);

/** Counts the items at the start of a list that match; no item after these matches. */
export function countWhile<T>(
  items: { readonly length: number; at(index: number): T | undefined },
  matches: (item: T) => boolean,
): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items.at(middle);
    if (item !== undefined && matches(item)) low = middle + 1;
    else high = middle;
  }
  return low;
}

const RELEASES: ReadonlySet<StepKind> = new Set<StepKind>(['applied', 'ignored', 'notification']);

/** Returns whether a step is an update at its tick. */
export const isRelease = ({ kind }: Pick<Step, 'kind'>): boolean => RELEASES.has(kind);

/** Returns a function that parses the record at an index. The loader has validated it. */
export function recordReader({ header, lines }: Trace): (index: number) => CaptureRecord {
  const upgrade = upgradeFrom(header.version);
  let last: { readonly index: number; readonly record: CaptureRecord } | undefined;
  return (index) => {
    if (last?.index === index) return last.record;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const record = upgrade(JSON.parse(lines[index] ?? '')) as JsonObject & CaptureRecord;
    last = { index, record };
    return record;
  };
}

/** Writes a capture as a file: the header, then the unchanged lines. */
export const saveLines = ({ headerLine, lines }: Trace): Blob =>
  new Blob([headerLine.trimEnd(), '\n', ...lines.map((line) => `${line}\n`)], {
    type: 'application/x-ndjson',
  });
