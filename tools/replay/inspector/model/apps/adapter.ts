import type { CloseRecord, FrameRecord } from '#shared/capture/captureFormat.ts';
import { plainAdapter } from '../../../adapter/checkAdapter.ts';
import { findNonJson } from '../../../engine/plainData.ts';
import { stackOf } from '../../../adapter/stackOf.ts';
import { escapeControls } from '../../../base/visibleText.ts';
import { valueDiff } from '../../../diff/valueDiff.ts';
import type { AppAction, AppAdapter } from '../../../engine/appAdapter.ts';
import { type AppSession, sessionOf } from '../../../engine/appSession.ts';
import type { PreparedCapture } from '../../../engine/sessionAdapter.ts';
import { simulateStore } from '../../../store/simulateStore.ts';
import type { StoreAdapter } from '../../../store/storeAdapter.ts';
import { type StoreChange, type StoreSession, afterStep, storeSession } from '../../../store/storeSession.ts';
import { type AppView, type InspectedApp, type Moment, SessionError } from '../trace/app.ts';
import { decodeThrew, guardOf } from './guardOf.ts';

/** The codes of a close that is not an error: normal, the page was left, and no code (RFC 6455 §7.4.1). */
const NORMAL: ReadonlySet<number> = new Set([1000, 1001, 1005]);

type SessionAction = Parameters<ReturnType<typeof sessionOf>['reduce']>[1];

/** Returns the app of an adapter, as the inspector shows it: its state and what the adapter's `display` returns. */
export function adapterApp(given: AppAdapter): InspectedApp<AppSession, unknown, SessionAction> {
  const adapter = plainAdapter(given);
  const { guard, takeFailure } = guardOf(adapter);
  return {
    ...sessionOf(guarded(adapter, guard)),
    ...shownParts(adapter, adapter.tick !== undefined),
    takeFailure,
  };
}

/** Returns a function that creates the app of a store, which runs once for the capture that the inspector shows. */
export const storeApp =
  (adapter: StoreAdapter) =>
  async (
    capture: Pick<PreparedCapture, 'header' | 'records'>,
  ): Promise<InspectedApp<StoreSession, AppAction, StoreChange>> => {
    const log = await simulateStore(adapter, capture).catch((error: unknown) => {
      throw new SessionError(`The adapter threw ${stackOf(error)}`, { cause: error });
    });
    const session = storeSession(adapter, log);
    const { guard, takeFailure } = guardOf(session);
    return {
      ...session,
      ...shownParts(adapter, false),
      reduce: guard(session.reduce, (_, [before]) => {
        const step = log.steps[before.done];
        return step === undefined ? before : afterStep(before, step);
      }),
      describeRelease(number) {
        const { action } = log.steps[number - 1] ?? {};
        return action === undefined ? '' : described(adapter, action);
      },
      warnings: log.warnings,
      editProblem:
        'The store of this app runs once, when the capture is loaded: its session cannot be edited.',
      takeFailure,
    };
  };

/** Describes an action as the adapter does, or by its payload. */
function described(adapter: StoreAdapter, action: AppAction): string {
  const { type, payload } = action;
  try {
    return adapter.describe?.(action) ?? JSON.stringify(payload) ?? type;
  } catch {
    // The adapter threw, or the payload is no JSON.
    return type;
  }
}

/** The parts of a session that are shown. */
type Shown = Pick<StoreSession, 'state' | 'connection' | 'counts'>;

/** Returns what the inspector shows of each app of an adapter. */
function shownParts(adapter: ShownAdapter, hasQueue: boolean) {
  const { name, display } = adapter;
  const names = ['state', ...(display === undefined ? [] : ['display']), 'connection', 'counts'];
  const value = (wanted: string, { state, connection, counts }: Shown): unknown =>
    wanted === 'display' ? displayOf(adapter, state).display : { state, connection, counts }[wanted];
  const values = (session: Shown) =>
    Object.fromEntries(names.map((wanted) => [wanted, value(wanted, session)]));
  return {
    names,
    value,
    part: (wanted: string, session: Shown): unknown =>
      wanted === 'connection' || wanted === 'counts' ? session[wanted] : session.state,
    changes: (before: Shown, after: Shown) => valueDiff(values(before), values(after)),
    contentChanges: ({ state: before }: Shown, { state: after }: Shown) =>
      valueDiff({ state: before }, { state: after }),
    // Values are compared, because a reducer can replace all references; parts with the same reference cost nothing.
    isChanged: (before: Shown, after: Shown) =>
      valueDiff(before.connection, after.connection).length > 0 ||
      valueDiff(before.state, after.state).length > 0,
    describe: () => ({ app: { name, hasQueue } }),
    picture: ({ after: { state } }: Moment<Shown>) => ({ app: appView(adapter, state) }),
    describeFrame: ({ data }: FrameRecord, length: number) => escapeControls(data.slice(0, 4 * length)),
    isExpectedClose: ({ code }: CloseRecord) => NORMAL.has(code),
  };
}

type ShownAdapter = Pick<AppAdapter, 'name' | 'display'>;

/** The kind of an update when the adapter's `kind` throws. */
const NO_KIND = 'unknown';

/**
 * Wraps an adapter so that its exceptions are results: a frame whose decoding throws is rejected, and a reducer that throws leaves the state
 * unchanged. When `tick` throws, the replay cannot continue.
 */
function guarded(adapter: AppAdapter, guard: ReturnType<typeof guardOf>['guard']): AppAdapter {
  const { decode, kind, reduce, tick, reduceAction, describeAction } = adapter;
  return {
    ...adapter,
    decode: guard(decode, (stack) => ({ rejected: decodeThrew(stack) })),
    kind: guard(kind, () => NO_KIND),
    reduce: guard(reduce, (_, [state]) => state),
    ...(reduceAction && { reduceAction: guard(reduceAction, (_, [state]) => state) }),
    ...(describeAction && { describeAction: guard(describeAction, () => ({ text: '' })) }),
    ...(tick && {
      tick: guard(tick, (stack) => {
        throw new SessionError(`The adapter's tick threw ${stack}`);
      }),
    }),
  };
}

/** Returns what people see of a state, or the stack of the exception of the adapter's `display`. */
function displayOf({ display }: ShownAdapter, state: unknown): Pick<AppView, 'display' | 'failure'> {
  if (display === undefined) return {};
  try {
    return { display: display(state) };
  } catch (error) {
    return { failure: stackOf(error) };
  }
}

/** Returns what the pane of the app shows of a state; only plain data can be sent to the page. */
function appView(adapter: ShownAdapter, state: unknown): AppView {
  const { display, failure } = displayOf(adapter, state);
  const values = { state, ...(display !== undefined && { display }) };
  const found = findNonJson(values);
  if (found !== undefined)
    return { state: null, failure: `${found.path} is ${found.what}; a state is plain data (JSON)` };
  return { ...values, ...(failure !== undefined && { failure }) };
}
