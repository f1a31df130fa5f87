import type { KnownRecord } from '#shared/capture/format.ts';
import { applyUpdate, takesEffect } from '#shared/conversation/applyUpdate.ts';
import { type Conversation, emptyConversation, toSnapshot } from '#shared/conversation/conversation.ts';
import { type FrameError, decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import type { Update } from '#shared/protocol/update.ts';
import { connectionRecords } from './connectionRecords.ts';

/** The newest records of a session, in memory. */
export interface CaptureRing {
  record(record: KnownRecord): void;
  /** What the frame that was recorded last is: it need not be decoded again when it is dropped. */
  decoded(update: Update | FrameError): void;
  /**
   * A capture's records: those that are kept, and before them, where older ones were dropped, what these had come to.
   * Its replay ends in the conversation in which the whole session's ends.
   */
  records(): KnownRecord[];
  /** How much is held, bytes at most. */
  bytes(): number;
}

interface Entry {
  readonly record: KnownRecord;
  readonly bytes: number;
  update: Update | FrameError | undefined;
  next: Entry | undefined;
}

/** What a record weighs in memory beside its frame. */
const RECORD_BYTES = 200;
/** Strings have one byte a character, or two once one of them needs it. */
const CHARACTER_BYTES = 2;

const weigh = (record: KnownRecord) =>
  RECORD_BYTES + ('data' in record ? record.data.length * CHARACTER_BYTES : 0);

/**
 * Keeps records until they weigh more than `limit`, then drops the oldest. What is dropped is folded: the order of the
 * updates decides what a conversation ends in, and not when each was applied, so an update that still waits for its tick
 * may be folded too. The frames stay the texts that they were, and what they were decoded to is the conversation's own.
 */
export function captureRing(limit: number): CaptureRing {
  let oldest: Entry | undefined;
  let newest: Entry | undefined;
  let held = 0;
  let conversation = emptyConversation;
  let connection: readonly KnownRecord[] = [];
  let droppedAt = 0;

  const add = (entry: Entry) => {
    if (newest === undefined) oldest = entry;
    else newest.next = entry;
    newest = entry;
    held += entry.bytes;
  };
  const trim = () => {
    while (oldest !== undefined && held > limit) {
      const { record, update, bytes, next } = oldest;
      conversation = withRecord(conversation, record, update);
      connection = connectionRecords(connection, record);
      droppedAt = record.t;
      held -= bytes;
      oldest = next;
    }
    if (oldest === undefined) newest = undefined;
  };

  return {
    record(record) {
      // What was decoded was trimmed then: a frame that is dropped undecoded is decoded once more.
      trim();
      add({ record, bytes: weigh(record), update: undefined, next: undefined });
      if (record.type !== 'recv') trim();
    },
    decoded(update) {
      if (newest !== undefined) newest.update = update;
      trim();
    },
    records() {
      const frames = syntheticFrames(conversation).map((frame) => JSON.stringify(frame));
      const kept: KnownRecord[] = [
        ...frames.map((data) => ({ t: droppedAt, type: 'recv', data, synthetic: true }) as const),
        ...connection.map((record) => Object.assign({}, record, { t: droppedAt })),
      ];
      for (let entry = oldest; entry !== undefined; entry = entry.next) kept.push(entry.record);
      return kept;
    },
    bytes: () => held,
  };
}

function withRecord(
  conversation: Conversation,
  record: KnownRecord,
  known: Update | FrameError | undefined,
): Conversation {
  if (record.type !== 'recv') return conversation;
  const update = known ?? decodeUpdate(record.encoding === 'base64' ? null : record.data);
  if (update.kind === 'rejected' || !takesEffect(conversation, update)) return conversation;
  return applyUpdate(conversation, update);
}

/**
 * The frames that make a conversation: a snapshot; while the platform has not named the person there can be none, and
 * each message came as a frame that is an update by itself.
 */
function syntheticFrames(conversation: Conversation): readonly object[] {
  const snapshot = toSnapshot(conversation);
  return snapshot.person === null ? snapshot.messages : [snapshot];
}
