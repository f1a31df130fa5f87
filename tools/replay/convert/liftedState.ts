import type { CaptureHeader, CaptureRecord } from '#shared/capture/format.ts';
import {
  type Conversation,
  type Message,
  emptyConversation,
  toFrame,
} from '#shared/conversation/conversation.ts';
import { toArray } from '#shared/conversation/vector.ts';
import { type ConnectionState, connectionReducer } from '#shared/store/connection.ts';
import { messageDropped, messageSent } from '#shared/store/outgoing.ts';
import { updateApplied, updateIgnored } from '#shared/store/updates.ts';
import { actionOf, isFrame } from '../engine/actions.ts';
import { createFold } from '../engine/createFold.ts';
import type { Step } from '../engine/replay.ts';
import { UsageError } from '../base/errors.ts';

/** The maximum length, characters. The file contains each state completely, so it grows with the square of a session's length. */
export const LIFTED_LIMIT = 64 * 1024 * 1024;

interface LiftedStateOptions {
  readonly header: CaptureHeader;
  records(): AsyncGenerator<readonly CaptureRecord[], void>;
  /** Stops after this number of updates. */
  readonly until?: number | undefined;
  readonly limit?: number;
}

/** Returns whether an action of a record is in the log: the state of the acts is not in it. */
const isShown = (type: string) =>
  type.startsWith('connection/') || type === messageSent.type || type === messageDropped.type;

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

async function logOf({ header, records, until, limit = LIFTED_LIMIT }: LiftedStateOptions): Promise<Log> {
  const launchedAt = Date.parse(header.startedAt);
  const log: Log = { actions: [], states: [], length: 0 };
  const conversationJson = conversationWriter();
  let connection: ConnectionState = connectionReducer(undefined, { type: '' });
  let conversation: Conversation = emptyConversation;
  let updates = 0;

  const add = (t: number, action: { readonly type: string; readonly payload?: unknown }) => {
    const state = `{"connection":${JSON.stringify(connection)},"conversation":${conversationJson(conversation)}}`;
    const lifted = JSON.stringify({ type: 'PERFORM_ACTION', action, timestamp: launchedAt + t });
    log.actions.push(lifted);
    log.states.push(state);
    log.length += lifted.length + state.length;
    if (log.length > limit) throw tooLarge(limit, updates);
  };
  const onStep = ({ number, tick, update, effect, after }: Step) => {
    conversation = after;
    add(tick, { type: (effect === 'applied' ? updateApplied : updateIgnored).type, payload: { update } });
    updates = number;
  };

  const engine = createFold({ onStep, until });
  const take = (record: CaptureRecord): boolean => {
    if (!engine.take(record)) return false;
    const action = isFrame(record, 'send') ? { type: messageSent.type } : actionOf(record);
    if (action === undefined || !isShown(action.type)) return true;
    connection = connectionReducer(connection, action);
    add(record.t, action);
    return true;
  };
  add(0, { type: '@@INIT' });
  for await (const batch of records()) if (!batch.every(take)) break;
  engine.finish();
  return log;
}

const tooLarge = (limit: number, updates: number) =>
  new UsageError(
    `the states would take more than ${limit / 1024 / 1024} MB, which Redux DevTools cannot show: ` +
      `use fewer updates with --until ${updates}`,
  );

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
