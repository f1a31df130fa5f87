import { plainAdapter } from '../../../adapter/checkAdapter.ts';
import { findNonJson } from '../../../engine/plainData.ts';
import { stackOf } from '../../../adapter/stackOf.ts';
import { escapeControls } from '../../../base/visibleText.ts';
import { valueDiff } from '../../../diff/valueDiff.ts';
import type { AppAdapter } from '../../../engine/appAdapter.ts';
import { type AppSession, sessionOf } from '../../../engine/appSession.ts';
import { type AppView, type InspectedApp, SessionError } from '../trace/app.ts';

/** The codes of a close that is not an error: normal, the page was left, and no code (RFC 6455 §7.4.1). */
const NORMAL: ReadonlySet<number> = new Set([1000, 1001, 1005]);

type SessionAction = Parameters<ReturnType<typeof sessionOf>['reduce']>[1];

/** Returns the app of an adapter, as the inspector shows it: its state and what the adapter's `display` returns. */
export function adapterApp(given: AppAdapter): InspectedApp<AppSession, unknown, SessionAction> {
  let thrown: string | undefined;
  const adapter = plainAdapter(given);
  const { name, tick, display } = adapter;
  const names = ['state', ...(display === undefined ? [] : ['display']), 'connection', 'counts'];
  const value = (wanted: string, { state, connection, counts }: AppSession): unknown =>
    wanted === 'display' ? displayOf(adapter, state).display : { state, connection, counts }[wanted];
  const values = (session: AppSession) =>
    Object.fromEntries(names.map((wanted) => [wanted, value(wanted, session)]));
  return {
    ...sessionOf(guarded(adapter, (stack) => (thrown = stack))),
    names,
    value,
    changes: (before, after) => valueDiff(values(before), values(after)),
    contentChanges: ({ state: before }, { state: after }) => valueDiff({ state: before }, { state: after }),
    // Values are compared, because a reducer can replace all references; parts with the same reference cost nothing.
    isChanged: (before, after) =>
      valueDiff(before.connection, after.connection).length > 0 ||
      valueDiff(before.state, after.state).length > 0,
    describe: () => ({ app: { name, hasQueue: tick !== undefined } }),
    picture: ({ after: { state } }) => ({ app: appView(adapter, state) }),
    describeFrame: ({ data }, length) => escapeControls(data.slice(0, 4 * length)),
    isExpectedClose: ({ code }) => NORMAL.has(code),
    takeFailure() {
      const stack = thrown;
      thrown = undefined;
      return stack;
    },
  };
}

/** The kind of an update when the adapter's `kind` throws. */
const NO_KIND = 'unknown';

/**
 * Wraps an adapter so that its exceptions are results: a frame whose decoding throws is rejected, and a reducer that throws leaves the state
 * unchanged. `onThrown` receives each stack. When `tick` throws, the replay cannot continue.
 */
function guarded(adapter: AppAdapter, onThrown: (stack: string) => void): AppAdapter {
  const safe =
    <Args extends unknown[], Result>(
      run: (...args: Args) => Result,
      onError: (stack: string, ...args: Args) => Result,
    ) =>
    (...args: Args): Result => {
      try {
        return run.apply(adapter, args);
      } catch (error) {
        const stack = stackOf(error);
        onThrown(stack);
        return onError(stack, ...args);
      }
    };
  const { decode, kind, reduce, tick, reduceAction, describeAction } = adapter;
  return {
    ...adapter,
    decode: safe(decode, (stack) => ({ rejected: `decode threw ${firstLine(stack)}` })),
    kind: safe(kind, () => NO_KIND),
    reduce: safe(reduce, (_, state) => state),
    ...(reduceAction && { reduceAction: safe(reduceAction, (_, state) => state) }),
    ...(describeAction && { describeAction: safe(describeAction, () => ({ text: '' })) }),
    ...(tick && {
      tick: safe(tick, (stack) => {
        throw new SessionError(`The adapter's tick threw ${stack}`);
      }),
    }),
  };
}

const firstLine = (text: string): string => text.split('\n', 1).join('');

interface Displayed {
  readonly display?: unknown;
  readonly failure?: string;
}

/** Returns what people see of a state, or the stack of the exception of the adapter's `display`. */
function displayOf({ display }: AppAdapter, state: unknown): Displayed {
  if (display === undefined) return {};
  try {
    return { display: display(state) };
  } catch (error) {
    return { failure: stackOf(error) };
  }
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
