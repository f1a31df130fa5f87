import { isFrame } from '../../../engine/frames.ts';
import type { AppAdapter } from '../../../engine/appAdapter.ts';
import { appActionOf, decodeAppFrame } from '../../../engine/appSession.ts';
import { type AppTrace, CHECKPOINT_STEPS } from './appTrace.ts';
import { formatTime } from '../../time/formatTime.ts';
import { stackOf } from '../../../adapter/stackOf.ts';
import { guardAdapter } from './guardAdapter.ts';
import type { RecordReader } from './lineTable.ts';
import { type Trace, stepKindAt } from './trace.ts';
import { connectionAt, countsAt, queueAt, stepOfUpdate, traceReader } from './traceState.ts';

/** The values of a session of another app, in the order in which the state shows them. */
const NAMES = ['state', 'display', 'connection', 'counts', 'queue', 'clock'] as const;
/** The name of a value. */
export type ValueName = (typeof NAMES)[number];

/** A step and the app's state after it. */
export interface AppStep {
  readonly step: number;
  readonly state: unknown;
}

/** Returns the app's part of a trace. @throws {Error} when the trace is one of Parley. */
export function appOf({ app }: Trace): AppTrace {
  if (app === undefined) throw new Error('The trace has no adapter.');
  return app;
}

/** The number of states that are kept. */
const REMEMBERED = 4;

interface KnownState {
  readonly step: number;
  readonly state: unknown;
}

/** Returns a function that computes the app's state after a step; fastest near the steps of its last calls. */
export function appStates(trace: Trace): (step: number) => unknown {
  const { adapter, checkpoints } = appOf(trace);
  const replay = { trace, adapter: guardAdapter(adapter), read: traceReader(trace) };
  let known: KnownState[] = [];
  return (step) => {
    const checkpoint = Math.floor(step / CHECKPOINT_STEPS);
    let from: KnownState =
      checkpoint === 0
        ? { step: 0, state: adapter.initialState }
        : { step: checkpoint * CHECKPOINT_STEPS, state: checkpoints[checkpoint - 1] };
    for (const one of known) if (one.step > from.step && one.step <= step) from = one;
    let { state } = from;
    for (let at = from.step + 1; at <= step; at++) state = stateAfter(replay, state, at);
    known = [{ step, state }, ...known.filter((one) => one.step !== step)].slice(0, REMEMBERED);
    return state;
  };
}

interface Replaying {
  readonly trace: Trace;
  readonly adapter: AppAdapter;
  readonly read: RecordReader;
}

/** Returns the state after a step, from the state before it. */
function stateAfter({ trace, adapter, read }: Replaying, before: unknown, step: number): unknown {
  const { updates, records } = trace.steps;
  const number = updates.at(step);
  if (number > updates.at(step - 1)) {
    const record = read(trace.updateRecords.at(number - 1));
    const decoded = isFrame(record, 'recv') ? decodeAppFrame(adapter, record) : undefined;
    return decoded !== undefined && 'update' in decoded ? adapter.reduce(before, decoded.update) : before;
  }
  const kind = stepKindAt(trace, step);
  if (kind !== 'open' && kind !== 'close' && kind !== 'action') return before;
  const action = appActionOf(read(records.at(step)));
  return action === undefined || adapter.reduceAction === undefined
    ? before
    : adapter.reduceAction(before, action);
}

/** Returns what people see of a state, or the stack of the exception of the adapter's `display`. */
export function displayOf(
  { display }: AppAdapter,
  state: unknown,
): { readonly display?: unknown; readonly failure?: string } {
  if (display === undefined) return {};
  try {
    return { display: display(state) };
  } catch (error) {
    return { failure: stackOf(error) };
  }
}

/** Returns the names of the values of a session; an adapter may have no `display`. */
export const valueNames = ({ adapter }: AppTrace): readonly ValueName[] =>
  adapter.display === undefined ? NAMES.filter((name) => name !== 'display') : NAMES;

/** Returns a value after a step. */
export function appValue(trace: Trace, name: ValueName, { step, state }: AppStep): unknown {
  const { times, updates } = trace.steps;
  switch (name) {
    case 'state':
      return state;
    case 'display':
      return displayOf(appOf(trace).adapter, state).display;
    case 'connection':
      return connectionAt(trace, step).state;
    case 'counts': {
      const { dropped: _dropped, ...counts } = countsAt(trace, step);
      return counts;
    }
    case 'queue':
      return queueAt(trace, step);
    case 'clock': {
      const tick = times.at(stepOfUpdate(trace, updates.at(step)));
      return { time: formatTime(times.at(step)), tick: formatTime(tick) };
    }
    default:
      return name satisfies never;
  }
}

/** Returns several values after a step, by name. */
export const appValues = (trace: Trace, names: readonly ValueName[], at: AppStep): object =>
  Object.fromEntries(names.map((name) => [name, appValue(trace, name, at)]));
