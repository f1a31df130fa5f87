import type { CaptureRecord } from '#shared/capture/format.ts';
import {
  type Conversation,
  type Message,
  emptyConversation,
  toFrame,
} from '#shared/conversation/conversation.ts';
import { isJsonObject } from '#shared/isJsonObject.ts';
import { toArray } from '#shared/conversation/vector.ts';
import { type ConnectionState, connectionReducer } from '#shared/store/connection.ts';
import { messageDropped, messageSent } from '#shared/store/outgoing.ts';
import { updateApplied, updateIgnored } from '#shared/store/updates.ts';
import { appView, requirePlainData } from '../adapter/appResult.ts';
import { actionOf } from '#shared/replay/records.ts';
import { isFrame } from '../engine/frames.ts';
import type { AppAction, AppAdapter } from '../engine/appAdapter.ts';
import { appActionOf, sessionOf } from '../engine/appSession.ts';
import { createEngine } from '../engine/createEngine.ts';
import { type ParleyStep, createParleyEngine } from '../engine/parley.ts';

/** An action, with the state after it. */
export interface LoggedAction {
  /** Milliseconds since the start of the recording. */
  readonly t: number;
  readonly action: AppAction;
  /** As JSON. */
  readonly state: string;
  /** The number of updates so far. */
  readonly updates: number;
}

interface Options {
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
export function logParley({ until, add }: Options): LoggedSession {
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
export function logApp(adapter: AppAdapter, { until, add }: Options): LoggedSession {
  let updates = 0;
  const log = (t: number, action: AppAction, state: unknown) =>
    add({ t, action, state: JSON.stringify(state), updates });
  const engine = createEngine(sessionOf(adapter), {
    until,
    onStep({ number, tick, kind, update, after }) {
      log(tick, isAction(update) ? update : { type: kind, payload: update }, after.state);
      updates = number;
    },
  });
  log(0, BEGIN, adapter.initialState);
  return {
    take(record) {
      if (!engine.take(record)) return false;
      const action = isFrame(record, 'send') ? { type: 'frame/sent' } : appActionOf(record);
      if (action !== undefined) log(record.t, action, engine.state().state);
      return true;
    },
    finish: () => requirePlainData(appView(adapter, engine.finish().state)),
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
