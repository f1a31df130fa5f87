import { type Conversation, toFrame } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import type { NotificationText } from '#shared/conversation/applyUpdate.ts';
import { type Outcome, createOutcome } from '../engine/stateReports.ts';
import { hashInPieces } from '../parley/hashReplay.ts';
import { type Replay, type StateDocument, stateDocument } from '../parley/parley.ts';
import type { FileReplay } from '../engine/replayFile.ts';
import { createHash } from 'node:crypto';
import { canonicalJson } from '../diff/canonicalJson.ts';

/** The values of `--with`. */
export const PARTS = ['conversation', 'notifications', 'state'] as const;

/** Which parts the document contains. */
interface Wanted {
  readonly hash?: boolean | undefined;
  readonly with?: ReadonlySet<(typeof PARTS)[number]> | undefined;
}

/** The result of `run` (contract §7); its fields have this order. */
export interface RunDocument extends Outcome {
  readonly capture: string;
  /** The last used tick, milliseconds since the launch. */
  readonly virtualMs: number;
  /** The time from opening the file to the last folded update, milliseconds. */
  readonly wallMs: number;
  readonly hash?: string;
  /** Covers the hash and the state. */
  readonly stateHash?: string;
  readonly conversation?: Conversation;
  readonly notifications?: readonly NotificationText[];
  readonly state?: StateDocument;
}

/** Creates the document of a replay. */
export async function runDocument(
  capture: string,
  { replay, wallMs }: FileReplay<Replay>,
  wanted: Wanted,
): Promise<RunDocument> {
  const { conversation, notifications, virtualMs } = replay;
  const hash = wanted.hash ? await hashInPieces(replay) : undefined;
  const state = wanted.with?.has('state') ? stateDocument(replay) : undefined;
  return {
    capture,
    ...createOutcome(replay),
    virtualMs,
    wallMs: Math.round(wallMs * 10) / 10,
    ...(hash !== undefined && { hash }),
    ...(hash !== undefined && state && { stateHash: hashState(hash, state) }),
    ...(wanted.with?.has('conversation') && { conversation }),
    ...(wanted.with?.has('notifications') && { notifications }),
    ...(state && { state }),
  };
}

/** Encodes the document as one line of JSON, in pieces: a long conversation or queue is never in one string. */
export function* documentJson(document: RunDocument): Generator<string, void> {
  const { conversation, notifications, state, ...numbers } = document;
  yield JSON.stringify(numbers).slice(0, -1);
  if (conversation !== undefined) yield* conversationJson(conversation);
  if (notifications !== undefined) yield `,"notifications":${JSON.stringify(notifications)}`;
  if (state !== undefined) yield* stateJson(state);
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

function* stateJson({ queue, ...state }: StateDocument): Generator<string, void> {
  const { waiting, ...size } = queue;
  yield `,"state":${JSON.stringify({ ...state, queue: size }).slice(0, -2)},"waiting":[`;
  for (const [i, update] of waiting.entries()) yield `${i === 0 ? '' : ','}${JSON.stringify(update)}`;
  yield ']}}';
}

/**
 * Returns `sha256:…` over the replay's hash and its state: the canonical JSON of `{hash, state}`, then each waiting update. The waiting updates
 * are hashed one by one, because together they can be longer than a string can be.
 */
function hashState(replayHash: string, { queue, ...rest }: StateDocument): string {
  const { waiting, ...size } = queue;
  const hash = createHash('sha256');
  hash.update(canonicalJson({ hash: replayHash, state: { ...rest, queue: size } }));
  for (const update of waiting) hash.update(canonicalJson(update));
  return `sha256:${hash.digest('hex')}`;
}
