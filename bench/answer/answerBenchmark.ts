import type { Browser, Page } from 'playwright-core';
import { type StubStep, startEndpointStub } from '#platform/endpoint/testing/startEndpointStub.ts';
import { launchChromium } from '#tests/browser/harness/chromium.ts';
import { sendMessage, connected, signUp } from '#tests/browser/harness/signUp.ts';
import { deliverAnswer, interruptAnswer, sampleTokens } from '#tests/builders/deliverAnswer.ts';
import { seededRandom } from '#sim/world/seededRandom.ts';
import { PROGRAMS, startMessenger } from '../../soak/harness/startMessenger.ts';
import {
  type Benchmark,
  type BenchmarkResult,
  type Row,
  type Progress,
  withTemporaryFolder,
} from '../base/benchmark.ts';

const SEED = 20_261_122;
/** Words of an answer. */
const WORDS = 400;

/** The rates at which the endpoint writes words: the mean pause between two of them, milliseconds. */
const RATES = [
  { what: '40 chunks a second', prefix: 'a', pauseMs: 25 },
  { what: '10 chunks a second', prefix: 'b', pauseMs: 100 },
] as const;

/** The delays of one answer's words, milliseconds, in ascending order. */
interface Delays {
  readonly what: string;
  readonly delays: readonly number[];
}

/**
 * From a chunk of the endpoint to its painted text: the endpoint in this process, the messenger with the built-in platform in its
 * own, and Chromium.
 */
export const answerBenchmark: Benchmark = {
  title: 'A streamed answer: from the endpoint’s chunk to its painted text',
  run: (progress) =>
    withTemporaryFolder(async (dataDir) => {
      const stub = await startEndpointStub();
      const parley = await startMessenger(
        { programs: PROGRAMS, defer: () => {}, check: () => {} },
        { dataDir, env: { PARLEY_ASSISTANT_URL: stub.url } },
      );
      const browser = await launchChromium();
      try {
        const painted = toResult(await measureAnswers({ browser, stub, url: parley.url, progress }));
        const queue = await measureQueue(progress);
        return {
          rows: withAllColumns([...painted.rows, ...queue.rows]),
          targets: [...painted.targets, ...queue.targets],
        };
      } finally {
        await browser.close();
        await parley.stop();
        await stub.stop();
      }
    }),
};

interface Setting {
  readonly browser: Browser;
  readonly stub: Awaited<ReturnType<typeof startEndpointStub>>;
  /** The address of the messenger's ready line. */
  readonly url: string;
  readonly progress: Progress;
}

async function measureAnswers({ browser, stub, url, progress }: Setting): Promise<readonly Delays[]> {
  const page = await browser.newPage();
  await page.goto(url);
  await signUp(page);
  await connected(page);
  const all: Delays[] = [];
  for (const { what, prefix, pauseMs } of RATES) {
    progress(what);
    const sentAt = new Map<string, number>();
    const onSent = (step: StubStep) => {
      if (typeof step === 'string') sentAt.set(step.trim(), Date.now());
    };
    stub.next({ steps: stepsOf(prefix, pauseMs), onSent });
    const painted = watchWords(page, { prefix, last: WORDS });
    await sendMessage(page, 'Count, please.');
    const paintedAt = await painted;
    const delays = paintedAt.map((time, index) => time - (sentAt.get(`${prefix}${index + 1}`) ?? Number.NaN));
    all.push({ what, delays: delays.toSorted((a, b) => a - b) });
  }
  return all;
}

/** Returns the words `a1`, `a2` and so on, with pauses of random length around a mean. */
function stepsOf(prefix: string, pauseMs: number): StubStep[] {
  const random = seededRandom(SEED);
  return Array.from({ length: WORDS }, (_, index) => [
    `${prefix}${index + 1} `,
    { pauseMs: Math.round(2 * pauseMs * random()) },
  ]).flat();
}

/** Returns the delay below which a part of the sorted delays are. */
const at = (delays: readonly number[], part: number) =>
  delays[Math.ceil(delays.length * part) - 1] ?? Number.NaN;

function toResult(answers: readonly Delays[]): BenchmarkResult {
  return {
    rows: answers.map(({ what, delays }) => ({
      what,
      'p50, ms': at(delays, 0.5),
      'p95, ms': at(delays, 0.95),
      'most, ms': at(delays, 1),
    })),
    targets: answers.flatMap(({ what, delays }) => [
      { name: `${what}, median, ms`, measured: at(delays, 0.5), bound: 'at most', limit: 150 },
      { name: `${what}, p95, ms`, measured: at(delays, 0.95), bound: 'at most', limit: 260 },
    ]),
  };
}

/** Tokens of an answer of 33 kB. */
const TOKENS = 10_000;
/** Tokens before the first question; each further one has some more before it, so that the last update waits in some cases. */
const BEFORE = 600;
const MORE = 7;
/** When the question is sent, in milliseconds after a tick. */
const PHASES = [0, 11, 25, 37, 50, 62, 75, 88, 99];

/** The rates at which the model writes, each with the most bytes of frames for each byte of its text, if there is a limit. */
const TOKEN_RATES: readonly (readonly [tokensPerSecond: number, most: number | null])[] = [
  [10, null],
  [40, 70],
  [200, 20],
];

/**
 * Measures dense answers in virtual time, with the built-in platform's conversation and the client's real queue: how long a question in the middle of one waits, how
 * many updates wait at most, and the bytes of all frames of an answer of 33 kB.
 */
async function measureQueue(progress: Progress): Promise<BenchmarkResult> {
  const tokens = sampleTokens(TOKENS);
  const size = Buffer.byteLength(tokens.join(''));
  const results: BenchmarkResult[] = [];
  for (const [tokensPerSecond, most] of TOKEN_RATES) {
    const what = `${tokensPerSecond} tokens a second`;
    progress(what);
    const { deepest, frames, bytes } = deliverAnswer({ tokens, tokensPerSecond, phaseMs: 0 });
    const questions = [];
    for (const [index, phaseMs] of PHASES.entries())
      questions.push(
        await interruptAnswer({ tokens: tokens.slice(0, BEFORE + index * MORE), tokensPerSecond, phaseMs }),
      );
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

/** Returns rows that all have the columns of each of them. */
function withAllColumns(rows: readonly Row[]): readonly Row[] {
  const empty = Object.fromEntries(rows.flatMap(Object.keys).map((column) => [column, '']));
  return rows.map((row) => ({ ...empty, ...row }));
}

/** Numbered words: `a1`, `a2` and so on. */
interface Numbered {
  /** The letter before the numbers. Another answer has another one. */
  readonly prefix: string;
  /** The last number. */
  readonly last: number;
}

/** Waits until all the words are in the newest message. Returns when each one was painted, in milliseconds since 1970. */
const watchWords = (page: Page, numbered: Numbered): Promise<readonly number[]> =>
  page.evaluate(async ({ prefix, last }) => {
    const paintedAt: number[] = [];
    const painted = new MessageChannel();
    const afterFrame = () =>
      new Promise<void>((resolve) => {
        // The message arrives after the frame that this callback precedes.
        painted.port1.addEventListener('message', () => resolve(), { once: true });
        requestAnimationFrame(() => painted.port2.postMessage(null));
      });
    painted.port1.start();
    const words = new RegExp(`${prefix}(\\d+)`, 'gu');
    while (paintedAt.length < last) {
      const text = Array.from(document.querySelectorAll('article')).at(-1)?.textContent ?? '';
      const newest = Number(Array.from(text.matchAll(words)).at(-1)?.[1] ?? 0);
      await afterFrame();
      const now = Date.now();
      while (paintedAt.length < newest) paintedAt.push(now);
    }
    return paintedAt;
  }, numbered);
