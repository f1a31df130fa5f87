import type { Action } from '@reduxjs/toolkit';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { isJsonObject } from '#shared/json.ts';
import { messageDropped, messageSent } from '#shared/actions/mainActions.ts';
import { updateApplied, updateIgnored } from '#shared/actions/sessionActions.ts';
import type { Update } from '#shared/protocol/update.ts';
import { parleyAdapter, actionOf, type ReplayState } from '#shared/replay/adapter.ts';
import { UsageError } from '../base/errors.ts';
import type { AppAction } from '../engine/appAdapter.ts';
import { appActionOf } from '../engine/appSession.ts';
import { type Step, createEngine } from '../engine/createEngine.ts';
import { isFrame } from '../engine/frames.ts';
import type { SessionAdapter, SessionState } from '../engine/sessionAdapter.ts';
import { ownStateOf } from '../engine/stateReports.ts';
import type { CaptureReader } from '../read/captureDecoder.ts';

/** The maximum length, characters. The file contains each state completely, so it grows with the square of a session's length. */
export const LIFTED_LIMIT = 64 * 1024 * 1024;

interface LiftedStateOptions extends Pick<CaptureReader, 'header' | 'records'> {
  /** Stops after this number of updates. */
  readonly until?: number | undefined;
  /** The adapter of another app; Parley by default. */
  readonly adapter?: SessionAdapter | undefined;
  readonly limit?: number;
}

/**
 * Formats a capture as the state that the Redux DevTools extension imports, as JSON in pieces: an action for each update at
 * its tick, each change of the connection and each sent message, and the state after it in the specification's shape.
 * @throws {UsageError} when it would be larger than the limit; the message says up to which update it fits.
 */
export async function* liftedState(options: LiftedStateOptions): AsyncGenerator<string, void> {
  const { adapter } = options;
  const { actions, states } = await (adapter === undefined
    ? logOf(ofParley(), options)
    : logOf(ofApp(adapter), options));
  const ids = actions.map((_, i) => i);
  const list = JSON.stringify(ids);
  yield `{"monitorState":{},"nextActionId":${ids.length},"actionsById":{`;
  for (const id of ids) yield `${id === 0 ? '' : ','}"${id}":${actions[id]}`;
  yield `},"stagedActionIds":${list},"skippedActionIds":[],"committedState":${states[0]},`;
  yield `"currentStateIndex":${ids.length - 1},"computedStates":[`;
  for (const id of ids) yield `${id === 0 ? '' : ','}{"state":${states[id]}}`;
  yield `],"isLocked":false,"isPaused":false}\n`;
}

/** What a log contains of an app. */
interface Logged<State extends SessionState, U, A> {
  readonly adapter: SessionAdapter<State, U, A>;
  /** Returns what is shown of a state. */
  stateOf(state: State): unknown;
  updateAction(step: Step<State, U>): AppAction;
  /** Returns the action of a record that is shown. */
  recordAction(record: CaptureRecord): AppAction | undefined;
}

/** Returns the actions of a session, and the state after each, as JSON. */
async function logOf<State extends SessionState, U, A>(
  { adapter, stateOf, updateAction, recordAction }: Logged<State, U, A>,
  { header, records, until, limit = LIFTED_LIMIT }: LiftedStateOptions,
) {
  const startedAt = Date.parse(header.startedAt);
  const actions: string[] = [];
  const states: string[] = [];
  let length = 0;
  let updates = 0;
  const add = (t: number, action: AppAction, state: State) => {
    const lifted = JSON.stringify({ type: 'PERFORM_ACTION', action, timestamp: startedAt + t });
    const json = JSON.stringify(stateOf(state));
    actions.push(lifted);
    states.push(json);
    length += lifted.length + json.length;
    if (length <= limit) return;
    throw new UsageError(
      `the states would take more than ${limit / 1024 / 1024} MB, which Redux DevTools cannot show: ` +
        `use fewer updates with --until ${updates}`,
    );
  };
  const engine = createEngine(adapter, {
    until,
    onStep(step) {
      add(step.tick, updateAction(step), step.after);
      updates = step.number;
    },
  });
  const take = (record: CaptureRecord): boolean => {
    if (!engine.take(record)) return false;
    const action = recordAction(record);
    if (action !== undefined) add(record.t, action, engine.state());
    return true;
  };
  add(0, { type: '@@INIT' }, adapter.initialState);
  for await (const batch of records()) if (!batch.every(take)) break;
  engine.finish();
  return { actions, states };
}

/** Parley's log: each update, each change of the connection and each sent message. The state of the acts is not in it. */
const ofParley = (): Logged<ReplayState, Update, Action> => ({
  adapter: parleyAdapter(),
  stateOf: ({ connection, conversation }) => ({ connection, conversation: toSnapshot(conversation) }),
  updateAction: ({ effect, update }) => ({
    type: (effect === 'applied' ? updateApplied : updateIgnored).type,
    payload: { update },
  }),
  recordAction(record) {
    const action = actionOf(record);
    return action !== undefined && isShown(action.type) ? action : undefined;
  },
});

const isShown = (type: string) =>
  type.startsWith('connection/') || type === messageSent.type || type === messageDropped.type;

/**
 * The log of another app: each update, each recorded action, each open and close, and each sent frame. An update that is an action stays as
 * it is; another one has its kind as the type.
 */
const ofApp = (adapter: SessionAdapter): Logged<SessionState, unknown, unknown> => ({
  adapter,
  stateOf: (state) => ownStateOf(adapter, state),
  updateAction: ({ kind, update }) => (isAction(update) ? update : { type: kind, payload: update }),
  recordAction: (record) => (isFrame(record, 'send') ? { type: 'frame/sent' } : appActionOf(record)),
});

const isAction = (update: unknown): update is AppAction =>
  isJsonObject(update) && typeof update.type === 'string';
