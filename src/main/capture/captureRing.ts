import type { KnownRecord, LaunchRecord } from '#shared/capture/captureFormat.ts';
import {
  type ActsState,
  initialActs,
  reduceActs,
  recordedAction,
  syntheticActs,
} from '#shared/capture/recordedActions.ts';
import { connectionConfirmed } from '#shared/actions/sessionActions.ts';
import { connectionRequested } from '#shared/actions/userActions.ts';
import { applyUpdate, hasTarget } from '#shared/conversation/applyUpdate.ts';
import { type Conversation, emptyConversation, toSnapshot } from '#shared/conversation/conversation.ts';
import type { FrameError, Update } from '#shared/protocol/update.ts';

/** The newest records of a session, in memory. */
export type CaptureRing = ReturnType<typeof captureRing>;

interface Entry {
  readonly record: KnownRecord;
  readonly bytes: number;
  readonly update: Update | FrameError | undefined;
  next: Entry | undefined;
}

/** The dropped records, folded. */
interface Dropped {
  readonly conversation: Conversation;
  readonly acts: ActsState;
  /** The launch of the session, when it was dropped. */
  readonly launch?: LaunchRecord;
  /** The records that result in the connection. */
  readonly connection: readonly KnownRecord[];
  /** The time of the last dropped record. */
  readonly at: number;
}

/** The memory of a record without its frame, in bytes. */
const RECORD_BYTES = 200;
/** A string has 1 byte for each character, or 2 when one of them needs it. */
const CHARACTER_BYTES = 2;

function estimateBytes(record: KnownRecord): number {
  if ('data' in record) return RECORD_BYTES + record.data.length * CHARACTER_BYTES;
  const payload = record.type === 'action' ? JSON.stringify(record.action.payload) : undefined;
  return RECORD_BYTES + (payload?.length ?? 0) * CHARACTER_BYTES;
}

/**
 * Keeps the newest records and drops the oldest when they need more than `limit` bytes. Dropped updates are folded: the
 * final conversation depends on the order of the updates and not on their time, so an update that still waits for its
 * tick can be folded as well. The decoded updates share their memory with the conversation, until a snapshot replaces that: from then on, they count too.
 * @param start the state at the start of the recording.
 */
export function captureRing(limit: number, start: ActsState = initialActs) {
  let oldest: Entry | undefined;
  let newest: Entry | undefined;
  let held = 0;
  /** The memory of the dropped updates, back to the last snapshot among them. */
  let folded = 0;
  /** The snapshots among the records: the session's conversation begins with the newest, so it does not use the dropped updates any more. */
  let snapshots = 0;
  let dropped: Dropped = { conversation: emptyConversation, acts: start, connection: [], at: 0 };

  const add = (entry: Entry) => {
    if (newest === undefined) oldest = entry;
    else newest.next = entry;
    newest = entry;
    held += entry.bytes;
    if (isSnapshot(entry)) snapshots++;
  };
  const inUse = () => held + (snapshots > 0 ? folded : 0);
  const trim = () => {
    while (oldest !== undefined && inUse() > limit) {
      dropped = withEntry(dropped, oldest);
      held -= oldest.bytes;
      if (isSnapshot(oldest)) {
        snapshots--;
        folded = 0;
      }
      if (oldest.update !== undefined) folded += oldest.bytes;
      oldest = oldest.next;
    }
    if (oldest === undefined) newest = undefined;
  };

  return {
    /**
     * Adds a record and drops the oldest ones when the limit is exceeded.
     * @param update the decoded update of a received frame; `undefined` for every other record.
     */
    record(record: KnownRecord, update?: Update | FrameError): void {
      add({ record, update, bytes: estimateBytes(record), next: undefined });
      trim();
    },
    /**
     * Returns a capture's records: those in memory and, where older ones were dropped, synthetic ones before them. A replay of
     * them ends in the same conversation, connection, audio, preferences and windows as a replay of the whole session.
     */
    records(): KnownRecord[] {
      const kept = syntheticRecords(dropped);
      for (let entry = oldest; entry !== undefined; entry = entry.next) kept.push(entry.record);
      return kept;
    },
    /** Returns the state to which all recorded actions lead. */
    acts(): ActsState {
      let state = dropped.acts;
      for (let entry = oldest; entry !== undefined; entry = entry.next) state = withAct(state, entry.record);
      return state;
    },
    /** Estimates the memory in use that the conversation does not use too, in bytes; the estimate is an upper bound. */
    bytes: inUse,
  };
}

const isSnapshot = ({ update }: Entry) => update?.kind === 'snapshot';

const withEntry = (dropped: Dropped, { record, update }: Entry): Dropped => ({
  ...dropped,
  conversation: withUpdate(dropped.conversation, update),
  acts: withAct(dropped.acts, record),
  connection: connectionRecords(dropped.connection, record),
  ...(record.type === 'launch' && { launch: { ...record, synthetic: true } }),
  at: record.t,
});

/** Returns records that result in the state after the dropped ones. */
function syntheticRecords({ conversation, acts, launch, connection, at }: Dropped): KnownRecord[] {
  const frames = syntheticFrames(conversation).map((frame) => JSON.stringify(frame));
  return [
    ...(launch === undefined ? [] : [launch]),
    ...syntheticActs(acts, at),
    ...frames.map((data) => ({ t: at, type: 'recv', data, synthetic: true }) as const),
    ...connection.map((record) => Object.assign({}, record, { t: at })),
  ];
}

function withAct(acts: ActsState, record: KnownRecord): ActsState {
  const action = record.type === 'action' ? recordedAction(record) : undefined;
  return action === undefined ? acts : reduceActs(acts, action);
}

function withUpdate(conversation: Conversation, update: Update | FrameError | undefined): Conversation {
  if (update === undefined || update.kind === 'rejected') return conversation;
  if (!hasTarget(conversation, update)) return conversation;
  return applyUpdate(conversation, update);
}

/**
 * Returns the frames that result in a conversation: one snapshot. Before the platform has named the person there is no
 * snapshot, and every message was received in a separate update.
 */
function syntheticFrames(conversation: Conversation): readonly object[] {
  const snapshot = toSnapshot(conversation);
  return snapshot.person === null ? snapshot.messages : [snapshot];
}

const isAction = (record: KnownRecord, { type }: { readonly type: string }): boolean =>
  record.type === 'action' && record.action.type === type;

const isPong = (record: KnownRecord) => isAction(record, connectionConfirmed);
const isRequest = (record: KnownRecord) => isAction(record, connectionRequested);

/**
 * Returns the fewest records that lead to the connection's state after `record`: a pong, because it shows that the platform has answered;
 * after it a close; after that a request, which only clears the reason of the close (spec §3.2).
 * @param before the records that lead to the state before `record`.
 */
function connectionRecords(before: readonly KnownRecord[], record: KnownRecord): readonly KnownRecord[] {
  if (isPong(record)) return [record];
  if (record.type === 'close') return [...before.filter(isPong), record];
  return isRequest(record) ? [...before.filter((one) => !isRequest(one)), record] : before;
}
