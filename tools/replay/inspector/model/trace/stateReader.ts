import { END, type StateEngine, createEngine } from '../../../engine/createEngine.ts';
import type { SessionState } from '../../../engine/sessionAdapter.ts';
import { formatTime } from '../../time/formatTime.ts';
import { countUpTo } from './columns.ts';
import { lineCount, recordReader } from './lineTable.ts';
import { CHECKPOINT_STEPS, type Trace, isRelease, lastStep, stepOfUpdate } from './trace.ts';

/** Returns the state after a step; fastest for the steps of the last calls and for those that follow. */
export type StateReader = (step: number) => SessionState;

/** The number of states that are kept. */
const REMEMBERED = 4;

/** A replay that has come to a step. */
interface Walk {
  readonly engine: StateEngine<SessionState>;
  step: number;
  /** The next record. */
  record: number;
}

/** Creates a reader of the states of a trace: it replays the steps since the last stored state, or since the last call. */
export function stateReader(trace: Trace): StateReader {
  const read = recordReader(trace);
  let walk: Walk | undefined;
  let known: readonly { readonly step: number; readonly state: SessionState }[] = [];

  const advance = ({ engine, record }: Walk, step: number): Walk => {
    if (isRelease(trace, step)) {
      engine.pass(record < lineCount(trace) ? read(record) : END, 1);
      return { engine, step, record };
    }
    if (record <= (trace.endedAt ?? Infinity)) engine.take(read(record));
    return { engine, step, record: record + 1 };
  };

  return (step) => {
    const found = known.find((one) => one.step === step);
    if (found !== undefined) return found.state;
    const checkpoint = Math.floor(step / CHECKPOINT_STEPS);
    if (walk === undefined || walk.step > step || walk.step < checkpoint * CHECKPOINT_STEPS)
      walk = walkFrom(trace, checkpoint);
    while (walk.step < step) walk = advance(walk, walk.step + 1);
    const state = walk.engine.state();
    known = [{ step, state }, ...known].slice(0, REMEMBERED);
    return state;
  };
}

/** Starts at the beginning of the session (0), or at a stored state. */
function walkFrom(trace: Trace, checkpoint: number): Walk {
  const start = trace.checkpoints[checkpoint - 1];
  const step = checkpoint * CHECKPOINT_STEPS;
  const record = countUpTo(trace.places.recordSteps, step);
  return { engine: createEngine(trace.app, { start }), step, record };
}

/** Returns the state after the last step. */
export const stateAtEnd = (trace: Trace): SessionState => stateReader(trace)(lastStep(trace));

/** A step and the state after it. */
export interface StateAfter {
  readonly step: number;
  readonly state: SessionState;
}

/** Returns the names of the values of a state, in order: those of the app, the queue and the clock. */
export const valueNames = ({ app }: Trace): readonly string[] => [...app.names, 'queue', 'clock'];

/** Returns a value after a step, as the tree of the state shows it. */
export function valueAfter(trace: Trace, name: string, { step, state }: StateAfter): unknown {
  if (name === 'queue') return { length: state.queue.length, bytes: state.queue.bytes };
  if (name !== 'clock') return trace.app.value(name, state);
  const { times, updates } = trace.steps;
  const tick = times.at(stepOfUpdate(trace, updates.at(step)));
  return { time: formatTime(times.at(step)), tick: formatTime(tick) };
}

/** Returns all values after a step, by name. */
export const valuesAfter = (trace: Trace, after: StateAfter): object =>
  Object.fromEntries(valueNames(trace).map((name) => [name, valueAfter(trace, name, after)]));
