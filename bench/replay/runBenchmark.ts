import { execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { driveFast, replayFile } from '#replay/engine/replayFile.ts';
import { createParleyEngine } from '#replay/parley/parley.ts';
import { hashReplay } from '#replay/parley/hashReplay.ts';
import {
  type Benchmark,
  type Row,
  type Target,
  median,
  runInRounds,
  timeOf,
  withTemporaryFolder,
} from '../base/benchmark.ts';
import { conversationFrames, parseFile, writeCaptureFile } from '../base/captures.ts';

const SHORT = 100_000;
const LONG = 1_000_000;
const ROUNDS = 5;

/** The built replay tool. */
const CLI = join(import.meta.dirname, '..', 'replay', 'cli.js');

/** Does what `run` and `run --hash` do, without the output. */
const run = async (path: string) =>
  (await replayFile(path, createParleyEngine(), { drive: driveFast })).replay;
/** Runs a command of the built tool, with its start and its output. */
const command = (name: string, path: string, ...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [CLI, name, path, ...args], { maxBuffer: 2 ** 30 });
const runAndHash = async (path: string) => hashReplay(await run(path));

interface Candidate {
  readonly what: string;
  readonly size: number;
  readonly path: string;
  readonly run: (path: string) => Promise<unknown>;
}

/** Returns the peak of resident memory of the command line, in MB. */
async function measurePeak(path: string): Promise<number> {
  const printPeak = 'process.on("exit",()=>process.stderr.write(String(process.resourceUsage().maxRSS)))';
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${printPeak}`, CLI, 'run', path, '--json', '--hash'],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  child.stdout.resume();
  const kilobytes = Number(await text(child.stderr));
  if (!(kilobytes > 0)) throw new Error('the replay tool did not print its peak of memory');
  return kilobytes / 1024;
}

/** `run` as a person runs it. */
const COMMAND = 'run, the command';

/** The values whose complete history is measured: one of a message, and one that hardly changes. */
const WHY = ['messages[3].content[0].text', 'person'];

/** Compares `run` with parsing the file, and with its cost on a shorter file. */
export const replayRunBenchmark: Benchmark = {
  title: 'A capture on disk to a conversation: `run`, and `run --hash`',
  run: (progress) =>
    withTemporaryFolder(async (folder) => {
      const [short, long] = [join(folder, 'short.parley.jsonl'), join(folder, 'long.parley.jsonl')];
      progress('writing the captures');
      await writeCaptureFile(short, conversationFrames(SHORT));
      await writeCaptureFile(long, conversationFrames(LONG));
      const candidates: Candidate[] = [
        { what: 'JSON.parse alone', size: SHORT, path: short, run: parseFile },
        { what: 'run', size: SHORT, path: short, run },
        { what: 'JSON.parse alone', size: LONG, path: long, run: parseFile },
        { what: 'run', size: LONG, path: long, run },
        { what: 'run --hash', size: LONG, path: long, run: runAndHash },
        { what: COMMAND, size: LONG, path: long, run: (path) => command('run', path) },
        ...WHY.map((of): Candidate => {
          return { what: `why ${of}`, size: LONG, path: long, run: (path) => command('why', path, of) };
        }),
      ];
      const runs = candidates.map(
        ({ path, run: timed }) =>
          () =>
            timeOf(() => timed(path)),
      );
      const rounds = await runInRounds(runs, { rounds: ROUNDS, progress });
      progress('memory of the command line');
      const memory = await measurePeak(long);
      return {
        rows: candidates.map((of, i) => toRow(of, median(rounds.map((times) => times[i] ?? Number.NaN)))),
        targets: targetsOf(candidates, rounds, memory),
      };
    }),
};

const toRow = ({ what, size }: Candidate, ms: number): Row => ({
  what,
  frames: size,
  'frames/s': (size / ms) * 1000,
  'µs/frame': (ms / size) * 1000,
});

/** Returns the targets: each ratio is the median of those of the rounds. */
function targetsOf(
  candidates: readonly Candidate[],
  rounds: readonly (readonly number[])[],
  memory: number,
): Target[] {
  const at = (what: string, size: number) =>
    candidates.findIndex((candidate) => candidate.what === what && candidate.size === size);
  const ratio = (of: number, to: number) =>
    median(rounds.map((times) => (times[of] ?? Number.NaN) / (times[to] ?? Number.NaN)));
  const ofParse = (what: string) => ratio(at('JSON.parse alone', LONG), at(what, LONG));
  return [
    { name: 'run at 1 M, of JSON.parse', measured: ofParse('run'), bound: 'at least', limit: 0.4 },
    {
      name: 'run --hash at 1 M, of JSON.parse',
      measured: ofParse('run --hash'),
      bound: 'at least',
      limit: 0.3,
    },
    {
      name: 'cost of a frame at 1 M, of that at 100 k',
      measured: (ratio(at('run', LONG), at('run', SHORT)) * SHORT) / LONG,
      bound: 'at most',
      limit: 1.1,
    },
    ...WHY.map((of): Target => ({
      name: `why ${of}, of the command run`,
      measured: ratio(at(`why ${of}`, LONG), at(COMMAND, LONG)),
      bound: 'at most',
      limit: 1.3,
    })),
    { name: 'resident memory of run --hash at 1 M, MB', measured: memory, bound: 'at most', limit: 700 },
  ];
}
