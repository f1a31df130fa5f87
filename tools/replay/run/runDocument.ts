import { type Conversation, toFrame } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import type { NotificationText } from '#shared/store/selectors.ts';
import { type Outcome, hashInPieces, outcomeOf } from '../engine/outcome.ts';
import type { FileReplay } from '../engine/replayFile.ts';
import type { Replay } from '../engine/replay.ts';

/** What `--with` may ask for. */
export const PARTS = ['conversation', 'notifications', 'state'] as const;

export interface Wanted {
  readonly hash?: boolean | undefined;
  readonly with?: ReadonlySet<(typeof PARTS)[number]> | undefined;
}

/** The answer of `run` (contract §7); its fields stand in this order. */
export interface RunDocument extends Outcome {
  readonly capture: string;
  /** The last tick used. */
  readonly virtualMs: number;
  /** From opening the file to the last update folded. */
  readonly wallMs: number;
  readonly hash?: string;
  readonly conversation?: Conversation;
  readonly notifications?: readonly NotificationText[];
  readonly state?: Pick<Replay, 'connection' | 'counts' | 'queue'>;
}

export async function runDocument(
  capture: string,
  { replay, wallMs }: FileReplay,
  wanted: Wanted,
): Promise<RunDocument> {
  const { conversation, connection, counts, queue, notifications, virtualMs } = replay;
  return {
    capture,
    ...outcomeOf(replay),
    virtualMs,
    wallMs: Math.round(wallMs * 10) / 10,
    ...(wanted.hash && { hash: await hashInPieces(replay) }),
    ...(wanted.with?.has('conversation') && { conversation }),
    ...(wanted.with?.has('notifications') && { notifications }),
    ...(wanted.with?.has('state') && { state: { connection, counts, queue } }),
  };
}

/** The document as one line of JSON, in pieces: a long conversation never stands in one string. */
export function* documentJson(document: RunDocument): Generator<string, void> {
  const { conversation, notifications, state, ...numbers } = document;
  yield JSON.stringify(numbers).slice(0, -1);
  if (conversation !== undefined) yield* conversationJson(conversation);
  if (notifications !== undefined) yield `,"notifications":${JSON.stringify(notifications)}`;
  if (state !== undefined) yield `,"state":${JSON.stringify(state)}`;
  yield '}\n';
}

function* conversationJson({ person, messages }: Conversation): Generator<string, void> {
  yield `,"conversation":{"person":${JSON.stringify(person)},"messages":[`;
  for (let i = 0; i < messages.length; i++) {
    const message = itemAt(messages, i);
    if (message !== undefined) yield `${i === 0 ? '' : ','}${JSON.stringify(toFrame(message))}`;
  }
  yield ']}';
}
