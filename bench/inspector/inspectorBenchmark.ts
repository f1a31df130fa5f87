import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { openCapture } from '#replay/inspector/serve/openCapture.ts';
import { readPageFiles } from '#replay/inspector/serve/appPage.ts';
import { startInspector } from '#replay/inspector/serve/startInspector.ts';
import { parleyApp } from '#replay/parley/parleyApp.ts';
import { launchChromium } from '#tests/browser/harness/chromium.ts';
import {
  type Benchmark,
  type BenchmarkResult,
  type Progress,
  withTemporaryFolder,
} from '../base/benchmark.ts';
import { conversationFrames, writeCaptureFile } from '../base/captures.ts';
import {
  findLongestTask,
  measureHistories,
  measureJumps,
  measureOpening,
  measurePageMemory,
  scrub,
  withUndisturbedPage,
} from './browserPage.ts';
import { seededRandom } from '#sim/world/seededRandom.ts';

const LONG = 1_000_000;
const JUMPS = 200;
const ROUNDS = 3;
const SEED = 5;

/** The built replay tool. */
const CLI = join(import.meta.dirname, '..', 'replay', 'cli.js');

/** Compares the inspector in a real browser with `run`. */
export const inspectorBenchmark: Benchmark = {
  title: 'The inspector, in Chromium, on a capture of a million frames',
  run: (progress) =>
    withTemporaryFolder(async (folder) => {
      progress('writing the captures');
      const path = join(folder, 'long.parley.jsonl');
      await writeCaptureFile(path, conversationFrames(LONG));
      return resultOf(await inBrowser(path, progress));
    }),
};

/** Times in milliseconds, memory in MB. */
interface Measured {
  readonly run: number;
  readonly open: number;
  /** Until the page has read the whole capture. */
  readonly whole: number;
  readonly jumps: Awaited<ReturnType<typeof measureJumps>>;
  /** Jumps that begin with a frame. */
  readonly aligned: Awaited<ReturnType<typeof measureJumps>>;
  readonly dropped: number;
  readonly shown: number;
  readonly histories: readonly number[];
  readonly longest: number;
  readonly memory: number;
}

async function inBrowser(path: string, progress: Progress): Promise<Measured> {
  const inspector = await startInspector({
    files: await readPageFiles(),
    app: parleyApp,
    capture: await openCapture(path),
    cwd: process.cwd(),
    port: 0,
  });
  try {
    const opened = await measureOpenings(path, inspector.invitation, progress);
    progress('open, without a debugger');
    return await withUndisturbedPage(inspector.invitation(), async ({ page, browser, attaching }) => {
      progress('jumps');
      const steps = randomSteps(2 * LONG, 2 * JUMPS);
      const jumps = await measureJumps(page, steps.slice(JUMPS), 'any time');
      const aligned = await measureJumps(page, steps.slice(0, JUMPS), 'beginning of a frame');
      progress('scrubbing');
      const scrubbed = await scrub(page);
      progress('histories');
      const histories = await measureHistories(page, [12, LONG, 2 * LONG]);
      const [longest, memory] = [await findLongestTask(page, attaching), await measurePageMemory(browser)];
      return { ...opened, jumps, aligned, ...scrubbed, histories, longest, memory };
    });
  } finally {
    await inspector.stop();
  }
}

/** Measures `run` and the opening of the page in alternation: a slow moment of the machine affects both. */
async function measureOpenings(path: string, invitation: () => string, progress: Progress) {
  const [runs, opens, wholes]: [number[], number[], number[]] = [[], [], []];
  const browser = await launchChromium();
  for (let round = 1; round <= ROUNDS; round++) {
    progress(`run and open, round ${round} of ${ROUNDS}`);
    runs.push(await measureRun(path));
    const { first, whole } = await measureOpening(browser, invitation());
    opens.push(first);
    wholes.push(whole);
  }
  await browser.close();
  return { run: quantile(runs, 0.5), open: quantile(opens, 0.5), whole: quantile(wholes, 0.5) };
}

/** Returns how long the command `run` takes, in milliseconds. */
async function measureRun(path: string): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, [CLI, 'run', path], { stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the replay tool ended with ${String(code)}`);
  return performance.now() - start;
}

function randomSteps(max: number, count = JUMPS): number[] {
  const random = seededRandom(SEED);
  return Array.from({ length: count }, () => 1 + Math.floor(random() * max));
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN;

const row = (what: string, value: number, unit: string) => ({ what, value, unit });

function resultOf(measured: Measured): BenchmarkResult {
  const { run, open, whole, jumps, aligned, dropped, shown, histories, longest, memory } = measured;
  const painted = jumps.map((jump) => jump.painted);
  const [median, p95] = [quantile(painted, 0.5), quantile(painted, 0.95)];
  const fromFrame = aligned.map((jump) => jump.painted);
  const works = jumps.map(({ work }) => work);
  return {
    rows: [
      row('run, from command to end', run, 'ms'),
      row('first usable view', open, 'ms'),
      row('the whole capture read', whole, 'ms'),
      row('the whole capture read, of `run`', whole / run, ''),
      row('jump to a random step, median', median, 'ms'),
      row('jump to a random step, p95', p95, 'ms'),
      row('a jump that begins with a frame, median', quantile(fromFrame, 0.5), 'ms'),
      row('the work of a jump, without the wait for a frame, p95', quantile(works, 0.95), 'ms'),
      row('steps shown in a scrub of 4 s', shown, ''),
    ],
    targets: [
      { name: 'first usable view, of `run`', measured: open / run, bound: 'at most', limit: 1.2 },
      { name: 'a jump until it is painted, median, ms', measured: median, bound: 'at most', limit: 18 },
      { name: 'a jump until it is painted, p95, ms', measured: p95, bound: 'at most', limit: 35 },
      { name: 'the work of a jump, median, ms', measured: quantile(works, 0.5), bound: 'at most', limit: 10 },
      { name: 'frames dropped while scrubbing', measured: dropped, bound: 'at most', limit: 0.05 },
      {
        name: 'the history of a value, the longest of three, ms',
        measured: Math.max(...histories),
        bound: 'at most',
        limit: 2000,
      },
      { name: 'the page’s longest task, ms', measured: longest, bound: 'at most', limit: 50 },
      {
        name: 'memory of the page’s process with its worker, MB',
        measured: memory,
        bound: 'at most',
        limit: 1300,
      },
    ],
  };
}
