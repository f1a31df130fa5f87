import { keysOf } from '../../../diff/statePath.ts';
import { valueDiff } from '../../../diff/valueDiff.ts';
import { type AppValues, appStates, appValues } from '../trace/appState.ts';
import { SessionError } from '../trace/sessionError.ts';
import { type Place, placeAt } from '../trace/stateTree.ts';
import type { Trace } from '../trace/trace.ts';
import { connectionAt, traceReader } from '../trace/traceState.ts';
import { CONVERSATION, type Names, REST } from './compiledExpression.ts';
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
  const valuesAt = appValuesOf(trace);
  const read = traceReader(trace);
  const isTrueAt = (step: number) =>
    evaluate({
      ...valuesAt(step),
      connection: connectionAt(trace, step).state,
      updates: trace.steps.updates.at(step),
      time: Math.round(trace.steps.times.at(step)) / 1000,
      act: stepAct(trace, step, read),
    });
  return usesAct ? isTrueAt : (step) => isTrueAt(step) && !isTrueAt(step - 1);
}

/**
 * Returns a predicate of the steps of another app at which the value at a path changes.
 * @throws {SessionError} when the path does not start with a field of the state.
 */
export function appFieldChange(trace: Trace, path: string): StepPredicate {
  const valuesAt = appValuesOf(trace);
  const [name = ''] = keysOf(path);
  const names = Object.keys(valuesAt(0));
  if (!names.includes(name)) {
    throw new SessionError(`“${path}” is not a path of the state; a path begins with ${names.join(', ')}.`);
  }
  const valueAt = (step: number) => valueIn({ shape: 'json', value: valuesAt(step) }, path);
  return (step) => valueDiff(valueAt(step - 1), valueAt(step)).length > 0;
}

/** Returns a function that computes the values after a step; those of the last two calls are kept. */
function appValuesOf(trace: Trace): (step: number) => AppValues {
  const stateAt = appStates(trace);
  let known: { readonly step: number; readonly values: AppValues }[] = [];
  return (step) => {
    const found = known.find((one) => one.step === step);
    if (found !== undefined) return found.values;
    const values = appValues(trace, step, stateAt(step));
    known = [{ step, values }, ...known].slice(0, 2);
    return values;
  };
}

const LENGTH = /\.length$/;

/** Returns the value at a path; the length of a list counts as a field. */
function valueIn(root: Place, path: string): unknown {
  const found = placeAt(root, path);
  if (found !== undefined || !LENGTH.test(path)) return found?.value;
  const list = placeAt(root, path.replace(LENGTH, ''))?.value;
  return Array.isArray(list) ? list.length : undefined;
}
