import type { ReplayState } from '#shared/replay/adapter.ts';
import { createHash } from 'node:crypto';
import { type Conversation, toFrame } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import { canonicalJson } from '../diff/canonicalJson.ts';
import type { FileReplay } from '../engine/replayFile.ts';
import type { Notification, SessionAdapter, SessionState } from '../engine/sessionAdapter.ts';
import { type Outcome, createOutcome, reportsOf, viewOf } from '../engine/stateReports.ts';
import { type StateDocument, stateDocument } from '../parley/parley.ts';

/** The values of `--with`: for Parley, and for another app. */
export const PARTS = ['conversation', 'notifications', 'state'] as const;
export const APP_PARTS = ['state', 'display'] as const;

/** The replay of a capture at its end. */
export interface FinishedRun<State extends SessionState = SessionState> extends FileReplay<State> {
  /** The name of the capture. */
  readonly capture: string;
  readonly adapter: SessionAdapter<State>;
  readonly notifications: readonly Notification[];
}

/** What the document contains beside the numbers. */
interface Wanted {
  readonly hash?: boolean | undefined;
  readonly parts: ReadonlySet<string>;
}

/** The numbers of a replay; the fields of a document have this order. */
export interface RunNumbers extends Outcome {
  readonly capture: string;
  /** The name of another app. */
  readonly app?: string;
  /** The last used tick, milliseconds since the launch. */
  readonly virtualMs: number;
  /** The time from opening the file to the last folded update, milliseconds. */
  readonly wallMs: number;
  readonly hash?: string;
  /** Covers the hash and the state. */
  readonly stateHash?: string;
}

function numbersOf<State extends SessionState>(
  { capture, adapter, replay, notifications, wallMs }: FinishedRun<State>,
  { hash }: Wanted,
  app?: string,
): RunNumbers {
  return {
    capture,
    ...(app !== undefined && { app }),
    ...createOutcome(replay),
    virtualMs: replay.queue.lastTick,
    wallMs: Math.round(wallMs * 10) / 10,
    ...(hash && { hash: reportsOf(adapter).hash(replay, notifications) }),
  };
}

/** The result of `run` with the adapter of another app. */
export interface AppRunDocument extends RunNumbers {
  readonly state?: unknown;
  readonly display?: unknown;
}

/** Creates the document of an app's replay. */
export function appRunDocument(done: FinishedRun, wanted: Wanted): AppRunDocument {
  const { state, display = null } = viewOf(done.adapter, done.replay);
  return {
    ...numbersOf(done, wanted, done.adapter.name),
    ...(wanted.parts.has('state') && { state }),
    ...(wanted.parts.has('display') && { display }),
  };
}

/** The result of `run` (contract §7). */
export interface RunDocument extends RunNumbers {
  readonly conversation?: Conversation;
  readonly notifications?: readonly Notification[];
  readonly state?: StateDocument;
}

/** Creates the document of a replay of Parley. */
export function runDocument(done: FinishedRun<ReplayState>, wanted: Wanted): RunDocument {
  const numbers = numbersOf(done, wanted);
  const { hash } = numbers;
  const state = wanted.parts.has('state') ? stateDocument(done.replay) : undefined;
  return {
    ...numbers,
    ...(hash !== undefined && state && { stateHash: hashState(hash, state) }),
    ...(wanted.parts.has('conversation') && { conversation: done.replay.conversation }),
    ...(wanted.parts.has('notifications') && { notifications: done.notifications }),
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
