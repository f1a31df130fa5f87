import { applyUpdate } from '#shared/conversation/applyUpdate.ts';
import { type Conversation, emptyConversation } from '#shared/conversation/conversation.ts';
import { decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import type { Benchmark, Progress, Target } from '../base/benchmark.ts';
import { frames } from '../base/conversationFrames.ts';
import { measure } from '../base/measure.ts';
import { adapterFold } from '../rivals/adapterFold.ts';
import { spreadFold } from '../rivals/spreadFold.ts';

const LONGEST = 1_000_000;
const SIZES = [1000, 10_000, 100_000, LONGEST];

/** The other ways to keep a conversation slow down with its length: each at a size that it manages in a few seconds. */
const RIVALS = [
  { name: 'copied array', fold: spreadFold, size: 10_000 },
  { name: 'entity adapter', fold: adapterFold, size: 1000 },
];

/** The app's own way from frames to a conversation. */
function fold(texts: readonly string[]): Conversation {
  let conversation = emptyConversation;
  for (const text of texts) {
    const update = decodeUpdate(text);
    if (update.kind !== 'rejected') conversation = applyUpdate(conversation, update);
  }
  return conversation;
}

/** What no way of reading frames can do without: each is parsed, and what it held is kept, as a conversation keeps it. */
const parseAndKeep = (texts: readonly string[]): unknown => texts.map((text): unknown => JSON.parse(text));

/** The same with nothing kept: the garbage collector has next to nothing to do, which no conversation can have. */
function parseAndDrop(texts: readonly string[]): unknown {
  let last: unknown;
  for (const text of texts) last = JSON.parse(text);
  return last;
}

interface Candidate {
  readonly name: string;
  readonly fold: (texts: readonly string[]) => unknown;
  readonly texts: readonly string[];
}

/** Lines of the table. All are measured in turns, for their times are held against each other. */
async function timed(candidates: readonly Candidate[], progress: Progress) {
  const times = await measure(
    candidates.flatMap(({ fold: folded, texts }) => [
      () => folded(texts),
      () => parseAndKeep(texts),
      () => parseAndDrop(texts),
    ]),
    progress,
  );
  return candidates.map(({ name, texts }, i) => {
    const [ms = Number.NaN, kept = Number.NaN, dropped = Number.NaN] = times.slice(3 * i);
    return {
      fold: name,
      frames: texts.length,
      'frames/s': (texts.length / ms) * 1000,
      'µs/frame': (ms / texts.length) * 1000,
      'of JSON.parse, kept': kept / ms,
      'of JSON.parse, dropped': dropped / ms,
    };
  });
}

/** The fold of the app, held against JSON.parse and against its own cost in a shorter conversation. */
export const foldBenchmark: Benchmark = {
  name: 'fold',
  title: 'Frames to a conversation: decodeUpdate and applyUpdate',
  async run(progress) {
    const all = frames(LONGEST);
    const ours = SIZES.map((size) => ({ name: 'ours', fold, texts: all.slice(0, size) }));
    const rivals = RIVALS.map(({ name, fold: rival, size }) => ({
      name,
      fold: rival,
      texts: all.slice(0, size),
    }));
    const rows = await timed([...ours, ...rivals], progress);
    return { rows, targets: targetsOf(rows.slice(0, ours.length)) };
  },
};

type Timed = Awaited<ReturnType<typeof timed>>[number];

function targetsOf(ours: readonly Timed[]): Target[] {
  const at = (size: number) => ours.find((row) => row.frames === size);
  const cost = (size: number) => at(size)?.['µs/frame'] ?? Number.NaN;
  return [
    {
      name: 'speed at 1 M frames, of JSON.parse that keeps what it parsed',
      measured: at(LONGEST)?.['of JSON.parse, kept'] ?? Number.NaN,
      bound: 'at least',
      limit: 0.4,
    },
    {
      name: 'cost of a frame at 1 M, of that at 100 k',
      measured: cost(LONGEST) / cost(100_000),
      bound: 'at most',
      limit: 1.2,
    },
  ];
}
