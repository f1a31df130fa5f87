import { findNonJson } from '../../diff/findNonJson.ts';
import { type Change, valueDiff } from '../../diff/valueDiff.ts';
import type { AppAdapter } from '../../engine/appAdapter.ts';
import type { AppView, StateTarget } from '../protocol/protocol.ts';
import { appExpression, appFieldChange } from './search/appPredicates.ts';
import type { StepPredicate } from './search/recordPredicates.ts';
import { appOf, appStates, appValues, displayOf, valueNames } from './trace/appState.ts';
import type { Session, Sides } from './trace/session.ts';
import { SessionError } from './trace/sessionError.ts';
import { appRejection } from './trace/summarizeStep.ts';
import type { Trace } from './trace/trace.ts';

/** Creates the session of a trace of another app. The state has the parts of its goldens: `state`, `display`, `connection`, `counts` and `queue`. */
export function appSession(trace: Trace): Session {
  const { adapter } = appOf(trace);
  const { name, tick } = adapter;
  const names = valueNames(appOf(trace));
  const stateAt = appStates(trace);
  return {
    trace,
    describe: () => ({ app: { name, hasQueue: tick !== undefined }, windows: [] }),
    placeAt: (step) => ({ shape: 'json', value: appValues(trace, names, { step, state: stateAt(step) }) }),
    changes: (sides) => changesOf(trace, stateAt, sides),
    changesOfSteps() {
      const states = appStates(trace);
      return (step) => changesOf(trace, states, { step, base: step - 1 });
    },
    picture: ({ step }) => ({ app: appView(adapter, stateAt(step)) }),
    messages: () => ({ messages: [], arrivals: [] }),
    rejection: (record) => appRejection(adapter, record),
    predicate: (target) => predicateFor(trace, target),
  };
}

/** Returns the changes of the values, without the queue and the clock, which have panes of their own. */
function changesOf(trace: Trace, stateAt: (step: number) => unknown, { step, base }: Sides): Change[] {
  const names = valueNames(appOf(trace)).filter((name) => name !== 'queue' && name !== 'clock');
  const valuesAt = (at: number) => appValues(trace, names, { step: at, state: stateAt(at) });
  return valueDiff(valuesAt(base), valuesAt(step));
}

/** Returns what the pane of the app shows of a state; only plain data can be sent to the page. */
function appView(adapter: AppAdapter, state: unknown): AppView {
  const { display, failure } = displayOf(adapter, state);
  const values = { state, ...(display !== undefined && { display }) };
  const found = findNonJson(values);
  if (found !== undefined)
    return { state: null, failure: `${found.path} is ${found.what}; a state is plain data (JSON)` };
  return { ...values, ...(failure !== undefined && { failure }) };
}

function predicateFor(trace: Trace, target: StateTarget): StepPredicate {
  switch (target.kind) {
    case 'expression':
      return appExpression(trace, target.expression);
    case 'change':
      return appFieldChange(trace, target.path);
    case 'message':
      throw new SessionError('Only sessions of Parley have messages.');
    default:
      return target satisfies never;
  }
}
