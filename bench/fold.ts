import { applyUpdate } from '#shared/conversation/applyUpdate.ts';
import { type Conversation, emptyConversation } from '#shared/conversation/conversation.ts';
import { decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import type { Benchmark, Target } from './benchmark.ts';
import { frames } from './frames.ts';
import { measure } from './measure.ts';
import { adapterFold } from './rivals/adapterFold.ts';
import { spreadFold } from './rivals/spreadFold.ts';

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

/** What no way of reading frames can do without. */
function parseOnly(texts: readonly string[]): unknown {
  let last: unknown;
  for (const text of texts) last = JSON.parse(text);
  return last;
}

interface Candidate {
  readonly name: string;
  readonly fold: (texts: readonly string[]) => unknown;
  readonly texts: readonly string[];
}

/** A candidate's line of the table, as numbers. */
function timed({ fold: folded, texts }: Omit<Candidate, 'name'>) {
  const ms = measure(
    () => folded(texts),
    () => parseOnly(texts),
  );
  return {
    frames: texts.length,
    framesPerSecond: (texts.length / ms.run) * 1000,
    microsecondsPerFrame: (ms.run / texts.length) * 1000,
    parsedPerSecond: (texts.length / ms.reference) * 1000,
    ratioToParse: ms.reference / ms.run,
  };
}

/** The fold of the app, held against JSON.parse and against its own cost in a shorter conversation. */
export const foldBenchmark: Benchmark = {
  name: 'fold',
  title: 'Frames to a conversation: decodeUpdate and applyUpdate',
  run(progress) {
    const all = frames(LONGEST);
    const measured = ({ name, fold: folded, texts }: Candidate) => {
      progress(`${name}, ${texts.length} frames`);
      return { fold: name, ...timed({ fold: folded, texts }) };
    };
    const ours = SIZES.map((size) => measured({ name: 'ours', fold, texts: all.slice(0, size) }));
    const rivals = RIVALS.map(({ name, fold: folded, size }) =>
      measured({ name, fold: folded, texts: all.slice(0, size) }),
    );
    return { rows: [...ours, ...rivals], targets: targetsOf(ours) };
  },
};

type Timed = ReturnType<typeof timed>;

function targetsOf(ours: readonly Timed[]): Target[] {
  const at = (size: number) => ours.find((row) => row.frames === size);
  const { ratioToParse = 0, microsecondsPerFrame: long = Number.NaN } = at(LONGEST) ?? {};
  return [
    { name: 'ratio to JSON.parse at 1 M', measured: ratioToParse, bound: 'at least', limit: 0.4 },
    {
      name: 'cost of a frame at 1 M, over that at 100 k',
      measured: long / (at(100_000)?.microsecondsPerFrame ?? Number.NaN),
      bound: 'at most',
      limit: 1.2,
    },
  ];
}
