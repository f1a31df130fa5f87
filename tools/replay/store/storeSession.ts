import { type CaptureRecord, isKnown, isOfOtherSocket } from '#shared/capture/captureFormat.ts';
import { BEGINNING, type SessionChange, connectionAfter, counted, displayOf } from '../engine/appSession.ts';
import type { AppAction } from '../engine/appAdapter.ts';
import { requirePlain } from '../engine/plainData.ts';
import type { PreparedCapture, Replayed, SessionAdapter, SessionState } from '../engine/sessionAdapter.ts';
import { type StoreLog, type StoreStep, simulateStore } from './simulateStore.ts';
import type { StoreAdapter } from './storeAdapter.ts';

/** The session of a store: how far the log of its steps has been replayed. */
export interface StoreSession extends SessionState {
  /** The state of the store. */
  readonly state: unknown;
  /** The number of records that have been taken, and of steps that have been released. */
  readonly taken: number;
  readonly done: number;
}

/** A change of the session. */
export type StoreChange = SessionChange<StoreSession>;

/** Returns the session of a store, from the log of its steps: each step is an update, which is released when it happened. */
export const storeSession = (
  adapter: StoreAdapter,
  { initialState, steps }: StoreLog,
): SessionAdapter<StoreSession, AppAction, StoreChange> => ({
  name: adapter.name,
  kind: ({ type }) => type,
  ...(adapter.describe && { describeUpdate: adapter.describe.bind(adapter) }),
  ...(adapter.describe && {
    describeAction: (action: AppAction) => ({ text: adapter.describe?.(action) ?? '' }),
  }),
  initialState: { ...BEGINNING, state: initialState, taken: 0, done: 0 },
  reduce: (session, { change }) => change(session),
  take: (record) => ({
    actions: [
      {
        ...(isKnown(record) && record.type === 'action' && { type: record.action.type }),
        change: (session) => taken(session, record),
      },
    ],
  }),
  next({ done, taken: before }) {
    const step = steps[done];
    if (step === undefined || step.after > before) return undefined;
    const { action: update, at, tick, bytes, record } = step;
    return { update, at, tick, bytes, record };
  },
  release: ({ done }) => [{ change: (session) => released(session, steps[done]) }],
  typeOf: ({ type }) => type,
  ownState: ({ state }) => state,
  ...(adapter.display && {
    display: displayOf((state) => {
      const display = adapter.display?.(state);
      requirePlain(display, 'display');
      return display;
    }),
  }),
  ...(adapter.redact && { redact: adapter.redact }),
});

function taken(before: StoreSession, record: CaptureRecord): StoreSession {
  const session = { ...before, taken: before.taken + 1 };
  if (!isKnown(record)) return session;
  if (record.type === 'recv') return counted(session, 'received');
  if (record.type === 'send') return counted(session, 'sent');
  const connection = isOfOtherSocket(record) ? undefined : connectionAfter(record);
  return connection === undefined ? session : { ...session, connection };
}

/** Applies a step. One that leaves the same reference counts as ignored. @throws the exception with which it ended. */
function released(session: StoreSession, step: StoreStep | undefined): StoreSession {
  if (step === undefined) return session;
  if (step.thrown !== undefined) throw step.thrown.error;
  return afterStep(session, step);
}

/** Returns the session after a step, also after one that threw. */
export function afterStep(session: StoreSession, { state, tick }: StoreStep): StoreSession {
  const after = counted(session, state === session.state ? 'ignored' : 'applied');
  return { ...after, state, done: session.done + 1, queue: { ...session.queue, lastTick: tick } };
}

/**
 * Returns an app whose store runs once for each capture.
 * @param load returns the adapter with new modules of the app: what a module keeps, such as a timer or a waiting frame, is not that of another replay.
 */
export const replayedStore = (
  adapter: StoreAdapter,
  load: () => Promise<StoreAdapter> = () => Promise.resolve(adapter),
): Replayed => ({
  // Without a log; what needs one is prepared.
  adapter: {
    ...storeSession(adapter, { initialState: null, steps: [], warnings: [] }),
    take() {
      throw new Error('the app of a store adapter is not prepared');
    },
  },
  app: adapter.name,
  async prepare(capture: PreparedCapture) {
    const log = await simulateStore(await load(), capture);
    return {
      adapter: storeSession(adapter, log),
      warnings: log.warnings.map((text) => `${capture.name}: ${text}`),
    };
  },
});
