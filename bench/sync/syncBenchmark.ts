import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { Browser } from 'playwright-core';
import { launchChromium } from '#tests/browser/harness/chromium.ts';
import {
  type Benchmark,
  type BenchmarkResult,
  type Progress,
  median,
  withTemporaryFolder,
} from '../base/benchmark.ts';

const MAIN = join(import.meta.dirname, 'sync', 'main.js');
const BURST = { actions: 100_000, perBatch: 1000, pauseMs: 0 };
const SINGLE = { actions: 500, perBatch: 1, pauseMs: 10 };
const ROUNDS = 5;

const arrivalsSchema = z.array(z.tuple([z.int(), z.number()]));
const dispatchedSchema = z.object({ last: z.int(), starts: z.array(z.tuple([z.int(), z.number()])) });
type Dispatched = z.infer<typeof dispatchedSchema>;

/** Actions from main's store to a window's store: the rate of many at once, and the delay of single ones. */
export const syncBenchmark: Benchmark = {
  title: 'Actions from main’s store to the store of a window in Chromium',
  run: (progress) =>
    withTemporaryFolder(async (dataDir) => {
      const main = fork(MAIN, {
        env: { ...process.env, PARLEY_DATA_DIR: dataDir, PARLEY_PORT: '0' },
        silent: true,
      });
      main.stderr?.pipe(process.stderr);
      const browser = await launchChromium();
      try {
        const page = await openPage(browser, await readAddress(main));
        return await measureSync(main, page, progress);
      } finally {
        await browser.close();
        main.kill();
      }
    }),
};

/** Reads the address of the ready line from stdout. */
async function readAddress({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the stdout of main must be a pipe');
  for await (const line of createInterface(stdout)) {
    const address = /http:\S+/.exec(line)?.[0];
    if (address !== undefined) return address;
  }
  throw new Error('main ended before it was ready');
}

async function dispatchIn(main: ChildProcess, request: typeof BURST): Promise<Dispatched> {
  const answered = once(main, 'message');
  main.send(request);
  const [answer]: unknown[] = await answered;
  return dispatchedSchema.parse(answer);
}

async function measureSync(
  main: ChildProcess,
  page: QuietPage,
  progress: Progress,
): Promise<BenchmarkResult> {
  const rates: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    progress(round === 0 ? 'warming up' : `round ${round} of ${ROUNDS}`);
    const rate = await measureRate(main, page);
    if (round > 0) rates.push(rate);
  }
  progress('single actions');
  const delays = await measureDelays(main, page);
  const at = (part: number) => delays[Math.ceil(delays.length * part) - 1] ?? Number.NaN;
  return {
    rows: [
      { what: 'actions in batches of 1000, applied in the window', value: median(rates), unit: 'actions/s' },
      { what: 'one action every 10 ms, applied in the window: p50', value: at(0.5), unit: 'ms' },
      { what: 'one action every 10 ms, applied in the window: p95', value: at(0.95), unit: 'ms' },
      { what: 'one action every 10 ms, applied in the window: most', value: at(1), unit: 'ms' },
    ],
    targets: [
      {
        name: 'actions applied in the window, a second',
        measured: median(rates),
        bound: 'at least',
        limit: 20_000,
      },
      { name: 'delay of a single action, p95, ms', measured: at(0.95), bound: 'at most', limit: 2 },
    ],
  };
}

/** Returns the number of actions a second, from the first dispatch until the window has applied the last one. */
async function measureRate(main: ChildProcess, page: QuietPage): Promise<number> {
  const { last, starts } = await dispatchIn(main, BURST);
  const end = z.number().parse(await page.evaluate(`waitForSequence(${last})`));
  return (BURST.actions / (end - (starts[0]?.[1] ?? Number.NaN))) * 1000;
}

/** Returns the delays from a dispatch until the window has applied the action, in milliseconds, the shortest first. */
async function measureDelays(main: ChildProcess, page: QuietPage): Promise<number[]> {
  const { last, starts } = await dispatchIn(main, SINGLE);
  await page.evaluate(`waitForSequence(${last})`);
  const arrivals = new Map(arrivalsSchema.parse(await page.evaluate('[...arrivals]')));
  return starts
    .map(([sequence, at]) => (arrivals.get(sequence) ?? Number.NaN) - at)
    .toSorted((a, b) => a - b);
}

/** A page that the benchmark observes as little as possible. */
interface QuietPage {
  /**
   * Evaluates an expression in the page and resolves to its value.
   * @throws {Error} when the expression fails.
   */
  evaluate(expression: string): Promise<unknown>;
}

/** An answer of the browser; without a value when the page navigated meanwhile. */
const answerSchema = z.object({
  id: z.int(),
  result: z
    .object({ result: z.object({ value: z.unknown() }), exceptionDetails: z.unknown().optional() })
    .optional(),
});

type Answer = z.infer<typeof answerSchema>;

/**
 * Opens a page outside of Playwright's contexts. Playwright observes the network of its own pages, so the browser copies each WebSocket
 * frame to it, which a person's browser does not do: the copies took a third of the processor time of this benchmark.
 */
async function openPage(browser: Browser, url: string): Promise<QuietPage> {
  const session = await browser.newBrowserCDPSession();
  const { targetId } = await session.send('Target.createTarget', { url });
  const { sessionId } = await session.send('Target.attachToTarget', { targetId });
  const pending = new Map<number, (answer: Answer) => void>();
  let count = 0;
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const answer = answerSchema.safeParse(JSON.parse(message));
    if (answer.success) pending.get(answer.data.id)?.(answer.data);
  });

  const evaluate = async (expression: string): Promise<unknown> => {
    const id = count++;
    const params = { expression, awaitPromise: true, returnByValue: true };
    const answered = new Promise<Answer>((resolve) => pending.set(id, resolve));
    const message = JSON.stringify({ id, method: 'Runtime.evaluate', params });
    await session.send('Target.sendMessageToTarget', { sessionId, message });
    const { result } = await answered;
    pending.delete(id);
    if (result?.exceptionDetails !== undefined) throw new Error(JSON.stringify(result.exceptionDetails));
    return result?.result.value;
  };
  while ((await evaluate('typeof waitForSequence')) !== 'function') await setTimeout(50);
  return { evaluate };
}
