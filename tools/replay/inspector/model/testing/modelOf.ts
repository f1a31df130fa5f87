import { type CaptureRecord, headerLine } from '#shared/capture/captureFormat.ts';
import type { ReplayState } from '#shared/replay/adapter.ts';
import { parleyApp } from '../apps/parley.ts';
import { type InspectorModel, inspectorModel } from '../inspectorModel.ts';
import type { InspectedApp } from '../trace/app.ts';
import { stateReader } from '../trace/stateReader.ts';
import { runTask } from '../trace/task.ts';
import { type Trace, stepOf } from '../trace/trace.ts';
import { TraceLoader } from '../trace/TraceLoader.ts';

/** The header of the captures in tests. */
export const HEADER = headerLine({
  format: 'parley-capture',
  version: 1,
  startedAt: '2026-11-20T09:00:00.000Z',
  app: '0.1.0',
});

/** Returns a record of an action, by default in no window. */
export const acted = (t: number, action: { type: string; payload?: unknown }, window?: number) =>
  ({ t, type: 'action', action, ...(window !== undefined && { window }) }) as const;

/** Encodes records as the text of a capture. */
export const captureText = (records: readonly CaptureRecord[]): string =>
  HEADER + records.map((record) => `${JSON.stringify(record)}\n`).join('');

function load(captured: string | readonly CaptureRecord[], app: InspectedApp = parleyApp) {
  const loader = new TraceLoader('x', { app });
  const text = typeof captured === 'string' ? captured : captureText(captured);
  loader.take(new TextEncoder().encode(text));
  return { loader, trace: runTask(loader.settle()) };
}

/** Loads a trace of Parley from records. */
export const traceOf = (records: readonly CaptureRecord[]): Trace => load(records).trace;

/** Creates a model of a capture of an app, by default Parley. */
export function modelOf(...capture: Parameters<typeof load>): InspectorModel {
  const { loader, trace } = load(...capture);
  return inspectorModel(loader, trace);
}

/** Returns all steps of a trace. */
export const allSteps = (trace: Trace) =>
  Array.from({ length: trace.steps.length }, (_, step) => stepOf(trace, step));

/** Creates a reader of the states of a trace of Parley. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const parleyStates = (trace: Trace) => stateReader(trace) as (step: number) => ReplayState;
