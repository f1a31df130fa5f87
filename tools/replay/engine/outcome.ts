import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { itemAt } from '#shared/conversation/vector.ts';
import { canonicalJson } from './canonicalJson.ts';
import { messagesEncoder } from './messagesEncoder.ts';
import type { Replay } from './parley.ts';

/** The result of a replay as the numbers of contract §7. */
export interface Outcome {
  readonly frames: { readonly received: number; readonly sent: number; readonly rejected: number };
  readonly updates: { readonly applied: number; readonly ignored: number };
}

interface Counted {
  readonly counts: {
    readonly received: number;
    readonly sent: number;
    readonly applied: number;
    readonly ignored: number;
    readonly rejected: Readonly<Partial<Record<string, number>>>;
  };
}

/** Returns the numbers of a replay. */
export function createOutcome({ counts: { received, sent, rejected, applied, ignored } }: Counted): Outcome {
  const all = Object.values(rejected).reduce<number>((sum, n = 0) => sum + n, 0);
  return { frames: { received, sent, rejected: all }, updates: { applied, ignored } };
}

/**
 * Returns `sha256:…` over the canonical JSON of `{conversation, frames, notifications, updates}` (contract §7). The same
 * capture gives the same hash on every machine, with every engine and at every speed.
 */
export function hashReplay(replay: Replay): string {
  const hashing = hashSteps(replay);
  for (;;) {
    const { done, value } = hashing.next();
    if (done) return value;
  }
}

/** Computes {@link hashReplay} in pieces; the event loop runs between them, so that signals are handled. */
export async function hashInPieces(replay: Replay): Promise<string> {
  const hashing = hashSteps(replay);
  for (;;) {
    const { done, value } = hashing.next();
    if (done) return value;
    await setImmediate();
  }
}

function* hashSteps(replay: Replay): Generator<void, string> {
  const { frames, updates } = createOutcome(replay);
  const { person, messages } = replay.conversation;
  const hash = createHash('sha256');
  hash.update('{"conversation":{"messages":[');
  const encoder = messagesEncoder();
  for (let i = 0; i < messages.length; i++) {
    const piece = encoder.add(itemAt(messages, i));
    if (piece === '') continue;
    hash.update(piece);
    yield;
  }
  const rest = { frames, notifications: replay.notifications, updates };
  hash.update(`${encoder.rest()}],"person":${JSON.stringify(person)}},${canonicalJson(rest).slice(1)}`);
  return `sha256:${hash.digest('hex')}`;
}
