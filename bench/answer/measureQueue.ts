import { sampleTokens } from '#platform/answer/testing/sampleTokens.ts';
import { deliverAnswer } from '#tests/builders/deliverAnswer.ts';
import { interruptAnswer } from '#tests/builders/interruptAnswer.ts';
import type { BenchmarkResult, Progress } from '../base/benchmark.ts';

/** Tokens of an answer of 33 kB. */
const TOKENS = 10_000;
/** Tokens before the question. */
const BEFORE = 600;
/** When the question is sent, in milliseconds after a tick. */
const PHASES = [0, 11, 25, 37, 50, 62, 75, 88, 99];

/** The rates at which the model writes, each with the most bytes of frames for each byte of its text, if there is a limit. */
const RATES: readonly (readonly [tokensPerSecond: number, most: number | null])[] = [
  [10, null],
  [40, 70],
  [200, 20],
];

/**
 * Measures dense answers in virtual time, with the built-in platform's conversation and the client's real queue: how long a question in the middle of one waits, how
 * many updates wait at most, and the bytes of all frames of an answer of 33 kB.
 */
export async function measureQueue(progress: Progress): Promise<BenchmarkResult> {
  const tokens = sampleTokens(TOKENS);
  const size = Buffer.byteLength(tokens.join(''));
  const results: BenchmarkResult[] = [];
  for (const [tokensPerSecond, most] of RATES) {
    const what = `${tokensPerSecond} tokens a second`;
    progress(what);
    const { deepest, frames, bytes } = deliverAnswer({ tokens, tokensPerSecond, phaseMs: 0 });
    const questions = [];
    for (const phaseMs of PHASES)
      questions.push(await interruptAnswer({ tokens: tokens.slice(0, BEFORE), tokensPerSecond, phaseMs }));
    const slowest = Math.max(...questions.map(({ questionMs }) => questionMs));
    const waiting = Math.max(deepest, ...questions.map(({ before }) => before));
    const after = Math.max(...questions.map((question) => question.deepest));
    const times = bytes / size;
    results.push({
      rows: [
        {
          what,
          frames,
          'kB of frames': Math.round(bytes / 1000),
          'times the text': Number(times.toFixed(1)),
          'updates waiting': waiting,
          'with a question': after,
          'question shown after, ms': Math.round(slowest),
        },
      ],
      targets: [
        { name: `${what}, updates waiting`, measured: waiting, bound: 'at most', limit: 3 },
        { name: `${what}, question shown, ms`, measured: slowest, bound: 'at most', limit: 1000 },
        ...(most === null
          ? []
          : [{ name: `${what}, times the text`, measured: times, bound: 'at most', limit: most } as const]),
      ],
    });
  }
  return { rows: results.flatMap(({ rows }) => rows), targets: results.flatMap(({ targets }) => targets) };
}
