import { keysOf, valueDiff } from '../../../diff/valueDiff.ts';
import { type AppStep, appOf, appStates, appValue, valueNames } from '../trace/appState.ts';
import type { RecordReader } from '../trace/lineTable.ts';
import { SessionError } from '../trace/sessionError.ts';
import { type Place, placeAt } from '../trace/stateTree.ts';
import type { Trace } from '../trace/trace.ts';
import { connectionAt, traceReader } from '../trace/traceState.ts';
import { CONVERSATION, type ExpressionState, type Names, REST } from './compiledExpression.ts';
import { parseExpression } from './expression.ts';
import { type StepPredicate, stepAct } from './recordPredicates.ts';

/** The names of an expression about a session of another app. */
const APP_NAMES: Names = {
  state: { get: ({ state }) => state, uses: CONVERSATION },
  display: { get: ({ display }) => display, uses: CONVERSATION },
  connection: { get: ({ connection }) => connection.status, uses: REST, shape: 'connection' },
  counts: { get: ({ counts }) => counts, uses: REST },
  queue: { get: ({ queue }) => queue, uses: REST },
  updates: { get: ({ updates }) => updates, uses: REST },
  time: { get: ({ time }) => time, uses: REST },
  act: { get: ({ act }) => act, uses: { ...REST, act: true } },
};

/**
 * Returns a predicate of the steps of another app at which an expression becomes true; one that names the step's action, of all steps at which
 * it is true.
 * @throws {SessionError} when the expression is not valid.
 */
export function appExpression(trace: Trace, text: string): StepPredicate {
  const { usesAct, evaluate } = parseExpression(text, APP_NAMES);
  const stateAt = appStates(trace);
  const read = traceReader(trace);
  const isTrueAt = (step: number) => evaluate(valuesOf(trace, { step, state: stateAt(step) }, read));
  if (usesAct) return isTrueAt;
  let known: { readonly step: number; readonly isTrue: boolean } | undefined;
  return (step) => {
    const before = known?.step === step - 1 ? known.isTrue : isTrueAt(step - 1);
    known = { step, isTrue: isTrueAt(step) };
    return known.isTrue && !before;
  };
}

/** Returns the values of an expression, each computed when the expression reads it. */
const valuesOf = (trace: Trace, at: AppStep, read: RecordReader): ExpressionState => ({
  connection: connectionAt(trace, at.step).state,
  state: at.state,
  get display() {
    return appValue(trace, 'display', at);
  },
  get counts() {
    return appValue(trace, 'counts', at);
  },
  get queue() {
    return appValue(trace, 'queue', at);
  },
  updates: trace.steps.updates.at(at.step),
  time: Math.round(trace.steps.times.at(at.step)) / 1000,
  get act() {
    return stepAct(trace, at.step, read);
  },
});

/**
 * Returns a predicate of the steps of another app at which the value at a path changes.
 * @throws {SessionError} when the path does not start with a field of the state.
 */
export function appFieldChange(trace: Trace, path: string): StepPredicate {
  const [first] = keysOf(path);
  const names = valueNames(appOf(trace));
  const name = names.find((one) => one === first);
  if (name === undefined) {
    throw new SessionError(`“${path}” is not a path of the state; a path begins with ${names.join(', ')}.`);
  }
  const stateAt = appStates(trace);
  const valueAt = (step: number) => {
    const value = appValue(trace, name, { step, state: stateAt(step) });
    return valueIn({ shape: 'json', value: { [name]: value } }, path);
  };
  return (step) => valueDiff(valueAt(step - 1), valueAt(step)).length > 0;
}

const LENGTH = /\.length$/;

/** Returns the value at a path; the length of a list counts as a field. */
function valueIn(root: Place, path: string): unknown {
  const found = placeAt(root, path);
  if (found !== undefined || !LENGTH.test(path)) return found?.value;
  const list = placeAt(root, path.replace(LENGTH, ''))?.value;
  return Array.isArray(list) ? list.length : undefined;
}
