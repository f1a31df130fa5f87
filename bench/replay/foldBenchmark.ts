import { applyUpdate } from '#shared/conversation/applyUpdate.ts';
import { type Conversation, emptyConversation } from '#shared/conversation/conversation.ts';
import { decodeUpdate } from '#shared/protocol/update.ts';
import { type Benchmark, type Progress, type Target, measureMedians } from '../base/benchmark.ts';
import { conversationFrames } from '../base/captures.ts';

const MAX_FRAMES = 1_000_000;
const SIZES = [1000, 10_000, 100_000, MAX_FRAMES];

/** Folds frames to a conversation as the messenger does. */
function fold(texts: readonly string[]): Conversation {
  let conversation = emptyConversation;
  for (const text of texts) {
    const update = decodeUpdate(text);
    if (update.kind !== 'rejected') conversation = applyUpdate(conversation, update);
  }
  return conversation;
}

/** Parses each frame and keeps the result, as a conversation does: the baseline. */
const parseAndKeep = (texts: readonly string[]): unknown => texts.map((text): unknown => JSON.parse(text));

/** Parses each frame and keeps nothing: the garbage collector has almost nothing to do. */
function parseAndDrop(texts: readonly string[]): unknown {
  let last: unknown;
  for (const text of texts) last = JSON.parse(text);
  return last;
}

/** Measures the fold and its baselines in rounds. Returns the rows of the table. */
async function measureFolds(conversations: readonly (readonly string[])[], progress: Progress) {
  const times = await measureMedians(
    conversations.flatMap((texts) => [
      () => fold(texts),
      () => parseAndKeep(texts),
      () => parseAndDrop(texts),
    ]),
    progress,
  );
  return conversations.map((texts, i) => {
    const [ms = Number.NaN, kept = Number.NaN, dropped = Number.NaN] = times.slice(3 * i);
    return {
      frames: texts.length,
      'frames/s': (texts.length / ms) * 1000,
      'µs/frame': (ms / texts.length) * 1000,
      'of JSON.parse, kept': kept / ms,
      'of JSON.parse, dropped': dropped / ms,
    };
  });
}

/** Compares the messenger's fold with JSON.parse and with its own cost in a shorter conversation. */
export const foldBenchmark: Benchmark = {
  title: 'Frames to a conversation: decodeUpdate and applyUpdate',
  async run(progress) {
    const all = conversationFrames(MAX_FRAMES);
    const rows = await measureFolds(
      SIZES.map((size) => all.slice(0, size)),
      progress,
    );
    return { rows, targets: targetsOf(rows) };
  },
};

type Timed = Awaited<ReturnType<typeof measureFolds>>[number];

function targetsOf(ours: readonly Timed[]): Target[] {
  const at = (size: number) => ours.find((row) => row.frames === size);
  const cost = (size: number) => at(size)?.['µs/frame'] ?? Number.NaN;
  return [
    {
      name: 'speed at 1 M frames, of JSON.parse with its results kept',
      measured: at(MAX_FRAMES)?.['of JSON.parse, kept'] ?? Number.NaN,
      bound: 'at least',
      limit: 0.6,
    },
    {
      name: 'cost of a frame at 1 M, of that at 100 k',
      measured: cost(MAX_FRAMES) / cost(100_000),
      bound: 'at most',
      limit: 1.1,
    },
  ];
}
