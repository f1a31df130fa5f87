import { type Conversation, fromSnapshot } from '#shared/conversation/conversation.ts';
import { type ReplayCode, appCode } from '../engine/code.ts';
import { createFold } from '../engine/createFold.ts';
import type { GoldenEnd, GoldenStep, Rejection } from './golden.ts';
import { goldenValue } from './goldenValue.ts';
import { hashReplay, createOutcome } from '../engine/outcome.ts';
import type { Engine, Replay, Step } from '../engine/replay.ts';
import { replayFile } from '../engine/replayFile.ts';
import { stateDiff } from '../diff/stateDiff.ts';

/** The replayed code threw an error: this is a difference, not a broken capture. */
export class FoldError extends Error {
  override readonly name = 'FoldError';
}

/** The end of a capture's replay, in the form of goldens. */
export interface TraceEnd {
  readonly rejected: readonly Rejection[];
  readonly end: GoldenEnd;
  readonly warnings: readonly string[];
}

interface Options {
  readonly code?: ReplayCode;
  /** Is called for each update, with its form in a golden and its step. */
  readonly onStep: (golden: GoldenStep, step: Step) => void;
}

/**
 * Replays a capture and describes each update by its changes.
 * @throws {CaptureError} when the capture cannot be read.
 * @throws {FoldError} when the replayed code throws.
 */
export async function traceCapture(path: string, { code = appCode, onStep }: Options): Promise<TraceEnd> {
  const rejected: Rejection[] = [];
  const ours = inFold(() => formOf(code));
  const engine = createFold({
    code: { ...code, decodeUpdate: watched(code.decodeUpdate, rejected) },
    onStep: (step) => {
      const inOurForm = { ...step, before: ours(step.before), after: ours(step.after) };
      onStep(goldenStep(inOurForm), inOurForm);
    },
  });
  const { replay, warnings } = await replayFile(path, guarded(engine));
  const end = endOf({ ...replay, conversation: ours(replay.conversation) });
  return { rejected, end, warnings };
}

/** Wraps a decoder; records the frames that it rejects. */
function watched(decode: ReplayCode['decodeUpdate'], rejected: Rejection[]): ReplayCode['decodeUpdate'] {
  let frame = 0;
  return (text) => {
    frame++;
    const update = decode(text);
    if (update.kind === 'rejected') {
      const { reason, where } = update;
      rejected.push(where === undefined ? { frame, reason } : { frame, reason, where });
    }
    return update;
  };
}

function goldenStep({ number, tick, update, effect, before, after, notification }: Step): GoldenStep {
  const changes: Record<string, unknown> = {};
  const removed: string[] = [];
  for (const change of stateDiff(before, after)) {
    if (change.after === undefined) removed.push(change.path);
    else changes[change.path] = goldenValue(change.after);
  }
  return {
    number,
    tick,
    kind: update.kind,
    effect,
    changes,
    ...(removed.length > 0 && { removed }),
    ...(notification && { notification: { ...notification } }),
  };
}

function endOf(replay: Replay): GoldenEnd {
  const { frames, updates } = createOutcome(replay);
  const { connection, counts, virtualMs } = replay;
  const hash = hashReplay(replay);
  return {
    hash,
    frames: { ...frames, dropped: counts.dropped },
    updates,
    virtualMs,
    connection: { ...connection },
  };
}

/**
 * Returns a function that converts conversations of another revision's code to our form. When a sample is equal under both
 * codes, no conversion is needed. Otherwise each conversation is converted through the shape of the specification.
 */
function formOf(code: ReplayCode): (conversation: Conversation) => Conversation {
  const isOurs = code === appCode || JSON.stringify(sampleOf(code)) === JSON.stringify(sampleOf(appCode));
  if (isOurs) return (conversation) => conversation;
  const converted = new WeakMap<Conversation, Conversation>();
  return (conversation) => {
    const known = converted.get(conversation);
    if (known !== undefined) return known;
    const { person, messages } = code.toSnapshot(conversation);
    const inOurForm = { ...fromSnapshot({ person: '', messages }), person };
    converted.set(conversation, inOurForm);
    return inOurForm;
  };
}

const SAMPLE = Array.from({ length: 70 }, (_, i) => ({ modifier: 'ai', content: [{ text: `${i}` }] }));

function sampleOf({ applyUpdate, emptyConversation }: ReplayCode): Conversation {
  return SAMPLE.reduce(
    (conversation, frame) => applyUpdate(conversation, { kind: 'message', frame }),
    emptyConversation,
  );
}

/** Wraps an engine, so that its errors are distinct from those of reading the capture. */
const guarded = (engine: Engine): Engine => ({
  take: (record) => inFold(() => engine.take(record)),
  finish: () => inFold(() => engine.finish()),
});

function inFold<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw new FoldError(text, { cause: error });
  }
}
