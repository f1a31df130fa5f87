import type { CaptureHeader, CaptureRecord } from '#shared/capture/captureFormat.ts';
import {
  type Conversation,
  type Message,
  emptyConversation,
  toFrame,
} from '#shared/conversation/conversation.ts';
import { isJsonObject } from '#shared/json.ts';
import { toArray } from '#shared/conversation/vector.ts';
import { type ConnectionState, connectionReducer } from '#shared/store/sharedSlices.ts';
import { messageDropped, messageSent } from '#shared/actions/mainActions.ts';
import { updateApplied, updateIgnored } from '#shared/actions/sessionActions.ts';
import { UsageError } from '../base/errors.ts';
import { actionOf } from '#shared/replay/adapter.ts';
import { isFrame } from '../engine/frames.ts';
import type { AppAction } from '../engine/appAdapter.ts';
import type { SessionAdapter } from '../engine/sessionAdapter.ts';
import { ownStateOf } from '../engine/stateReports.ts';
import { appActionOf } from '../engine/appSession.ts';
import { createEngine } from '../engine/createEngine.ts';
import { type ParleyStep, createParleyEngine } from '../parley/parley.ts';

/** The maximum length, characters. The file contains each state completely, so it grows with the square of a session's length. */
export const LIFTED_LIMIT = 64 * 1024 * 1024;

interface LiftedStateOptions {
  readonly header: CaptureHeader;
  records(): AsyncGenerator<readonly CaptureRecord[], void>;
  /** Stops after this number of updates. */
  readonly until?: number | undefined;
  /** The adapter of another app; Parley by default. */
  readonly adapter?: SessionAdapter | undefined;
  readonly limit?: number;
}

/** Actions and the states after them, as JSON. */
interface Log {
  readonly actions: string[];
  readonly states: string[];
  length: number;
}

/**
 * Formats a capture as the state that the Redux DevTools extension imports, as JSON in pieces: an action for each update at
 * its tick, each change of the connection and each sent message, and the state after it in the specification's shape.
 * @throws {UsageError} when it would be larger than the limit; the message says up to which update it fits.
 */
export async function* liftedState(options: LiftedStateOptions): AsyncGenerator<string, void> {
  const { actions, states } = await logOf(options);
  const ids = actions.map((_, i) => i);
  const list = JSON.stringify(ids);
  yield `{"monitorState":{},"nextActionId":${ids.length},"actionsById":{`;
  for (const id of ids) yield `${id === 0 ? '' : ','}"${id}":${actions[id]}`;
  yield `},"stagedActionIds":${list},"skippedActionIds":[],"committedState":${states[0]},`;
  yield `"currentStateIndex":${ids.length - 1},"computedStates":[`;
  for (const id of ids) yield `${id === 0 ? '' : ','}{"state":${states[id]}}`;
  yield `],"isLocked":false,"isPaused":false}\n`;
}

async function logOf({
  header,
  records,
  until,
  adapter,
  limit = LIFTED_LIMIT,
}: LiftedStateOptions): Promise<Log> {
  const launchedAt = Date.parse(header.startedAt);
  const log: Log = { actions: [], states: [], length: 0 };
  const add = ({ t, action, state, updates }: LoggedAction) => {
    const lifted = JSON.stringify({ type: 'PERFORM_ACTION', action, timestamp: launchedAt + t });
    log.actions.push(lifted);
    log.states.push(state);
    log.length += lifted.length + state.length;
    if (log.length > limit) throw tooLarge(limit, updates);
  };
  const session = adapter === undefined ? logParley({ until, add }) : logApp(adapter, { until, add });
  for await (const batch of records()) if (!batch.every(session.take)) break;
  session.finish();
  return log;
}

const tooLarge = (limit: number, updates: number) =>
  new UsageError(
    `the states would take more than ${limit / 1024 / 1024} MB, which Redux DevTools cannot show: ` +
      `use fewer updates with --until ${updates}`,
  );

/** An action, with the state after it. */
interface LoggedAction {
  /** Milliseconds since the start of the recording. */
  readonly t: number;
  readonly action: AppAction;
  /** As JSON. */
  readonly state: string;
  /** The number of updates so far. */
  readonly updates: number;
}

interface LogOptions {
  /** Stops after this number of updates. */
  readonly until: number | undefined;
  readonly add: (action: LoggedAction) => void;
}

/** A replay whose actions are logged. */
interface LoggedSession {
  /** Returns `false` after the end of the session. */
  take(record: CaptureRecord): boolean;
  finish(): void;
}

/** The first action of a log. */
const BEGIN = { type: '@@INIT' };

/** Logs a session of Parley: each update, each change of the connection and each sent message. */
function logParley({ until, add }: LogOptions): LoggedSession {
  const conversationJson = conversationWriter();
  let connection: ConnectionState = connectionReducer(undefined, { type: '' });
  let conversation: Conversation = emptyConversation;
  let updates = 0;
  const log = (t: number, action: AppAction) => {
    const state = `{"connection":${JSON.stringify(connection)},"conversation":${conversationJson(conversation)}}`;
    add({ t, action, state, updates });
  };
  const onStep = ({ number, tick, update, effect, after }: ParleyStep) => {
    ({ conversation } = after);
    log(tick, { type: (effect === 'applied' ? updateApplied : updateIgnored).type, payload: { update } });
    updates = number;
  };
  const engine = createParleyEngine({ onStep, until });
  log(0, BEGIN);
  return {
    take(record) {
      if (!engine.take(record)) return false;
      const action = actionOf(record);
      if (action === undefined || !isShown(action.type)) return true;
      connection = connectionReducer(connection, action);
      log(record.t, action);
      return true;
    },
    finish: () => void engine.finish(),
  };
}

/** Returns whether an action of a record is in the log: the state of the acts is not in it. */
const isShown = (type: string) =>
  type.startsWith('connection/') || type === messageSent.type || type === messageDropped.type;

/**
 * Logs a session of another app: each update, each recorded action, each open and close, and each sent frame. An update that is an action stays as
 * it is; another one has its kind as the type.
 */
function logApp(adapter: SessionAdapter, { until, add }: LogOptions): LoggedSession {
  let updates = 0;
  const log = (t: number, action: AppAction, state: unknown) =>
    add({ t, action, state: JSON.stringify(state), updates });
  const engine = createEngine(adapter, {
    until,
    onStep({ number, tick, kind, update, after }) {
      log(tick, isAction(update) ? update : { type: kind, payload: update }, ownStateOf(adapter, after));
      updates = number;
    },
  });
  log(0, BEGIN, ownStateOf(adapter, adapter.initialState));
  return {
    take(record) {
      if (!engine.take(record)) return false;
      const action = isFrame(record, 'send') ? { type: 'frame/sent' } : appActionOf(record);
      if (action !== undefined) log(record.t, action, ownStateOf(adapter, engine.state()));
      return true;
    },
    finish: () => void engine.finish(),
  };
}

const isAction = (update: unknown): update is AppAction =>
  isJsonObject(update) && typeof update.type === 'string';

/** Returns an encoder of conversations as JSON in the specification's shape. A shared message is encoded once. */
function conversationWriter(): (conversation: Conversation) => string {
  const written = new WeakMap<Message, string>();
  const messageJson = (message: Message): string => {
    const known = written.get(message) ?? JSON.stringify(toFrame(message));
    written.set(message, known);
    return known;
  };
  let last: { readonly of: Conversation; readonly json: string } | undefined;
  return (conversation) => {
    if (last?.of === conversation) return last.json;
    const messages = toArray(conversation.messages).map(messageJson).join(',');
    const json = `{"person":${JSON.stringify(conversation.person)},"messages":[${messages}]}`;
    last = { of: conversation, json };
    return json;
  };
}
