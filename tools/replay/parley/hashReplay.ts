import { createHash } from 'node:crypto';
import { type Message, toFrame } from '#shared/conversation/conversation.ts';
import { toArray } from '#shared/conversation/vector.ts';
import { canonicalJson } from '../diff/canonicalJson.ts';
import { createOutcome } from '../engine/stateReports.ts';
import type { Notification } from '../engine/sessionAdapter.ts';
import type { ReplayState } from '#shared/replay/adapter.ts';

/** What a hash covers. */
type Hashed = Pick<ReplayState, 'conversation' | 'counts'> & {
  readonly notifications: readonly Notification[];
};

/**
 * Returns `sha256:…` over the canonical JSON of `{conversation, frames, notifications, updates}` (contract §7). The same
 * capture gives the same hash on every machine, with every engine and at every speed.
 */
export function hashReplay(replay: Hashed): string {
  const { person, messages } = replay.conversation;
  const hash = createHash('sha256');
  hash.update('{"conversation":{"messages":[');
  for (const piece of messagesJson(toArray(messages))) hash.update(piece);
  const rest = { ...createOutcome(replay), notifications: replay.notifications };
  hash.update(`],"person":${JSON.stringify(person)}},${canonicalJson(rest).slice(1)}`);
  return `sha256:${hash.digest('hex')}`;
}

/** The JSON is returned in pieces of about this many characters: a long conversation is never in one string. */
const PIECE = 64 * 1024;

/** Encodes messages as the items of a list in canonical JSON (contract §7), in pieces. A message that the conversation lacks becomes `null`. */
export function* messagesJson(messages: readonly (Message | undefined)[]): Generator<string, void> {
  let piece = '';
  let separator = '';
  for (const message of messages) {
    piece += `${separator}${canonicalJson(message ? toFrame(message) : null)}`;
    separator = ',';
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
