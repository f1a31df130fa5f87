import { END, type Engine, createEngine } from '../../../engine/createEngine.ts';
import type { SessionState } from '../../../engine/sessionAdapter.ts';
import { namedValue, pathNames } from './valuePath.ts';
import { formatTime } from '../../time/formatTime.ts';
import { CHECKPOINT_STEPS } from './stepTable.ts';
import { type Trace, isRelease, lastStep, recordReader, stepOf, stepOfUpdate } from './trace.ts';

/** Returns the state after a step; fastest for the steps of the last calls and for those that follow. */
export type StateReader = (step: number) => SessionState;

/** The number of states that are kept. */
const REMEMBERED = 4;

/** Creates a reader of the states of a trace: it replays the steps since the last stored state, or since the last call. */
export function stateReader(trace: Trace): StateReader {
  const read = recordReader(trace);
  let walk: { readonly engine: Engine<SessionState>; step: number } | undefined;
  let known: readonly { readonly step: number; readonly state: SessionState }[] = [];

  const advance = (engine: Engine<SessionState>, step: number) => {
    const next = stepOf(trace, step - 1).taken;
    if (isRelease(stepOf(trace, step))) engine.pass(next < trace.lines.length ? read(next) : END, 1);
    else if (next <= (trace.endedAt ?? Infinity)) engine.take(read(next));
  };

  return (step) => {
    const found = known.find((one) => one.step === step);
    if (found !== undefined) return found.state;
    const checkpoint = step - (step % CHECKPOINT_STEPS);
    if (walk === undefined || walk.step > step || walk.step < checkpoint)
      walk = {
        engine: createEngine(trace.app, { start: stepOf(trace, checkpoint).state }),
        step: checkpoint,
      };
    while (walk.step < step) advance(walk.engine, ++walk.step);
    const state = walk.engine.state();
    known = [{ step, state }, ...known].slice(0, REMEMBERED);
    return state;
  };
}

/** Returns the state after the last step. */
export const stateAtEnd = (trace: Trace): SessionState => stateReader(trace)(lastStep(trace));

/** A step and the state after it. */
export type StateAfter = Readonly<{ step: number; state: SessionState }>;

/** Returns the names of the values of a state, in order: those of the app, the queue and the clock. */
export const valueNames = ({ app }: Trace): readonly string[] => [...pathNames(app), 'clock'];

/** Returns a value after a step, as the tree of the state shows it. */
export function valueAfter(trace: Trace, name: string, { step, state }: StateAfter): unknown {
  if (name !== 'clock') return namedValue(trace.app, name, state);
  const { t, updates } = stepOf(trace, step);
  return { time: formatTime(t), tick: formatTime(stepOf(trace, stepOfUpdate(trace, updates)).t) };
}

/** Returns all values after a step, by name. */
export const valuesAfter = (trace: Trace, after: StateAfter): object =>
  Object.fromEntries(valueNames(trace).map((name) => [name, valueAfter(trace, name, after)]));
