/**
 * Runs the benchmarks. Prints a table of each on stdout, writes the same values as JSON to `bench/out/`, and shows progress
 * on stderr. Exit status: 0 when every target is reached, 1 when one is missed, 2 on bad usage.
 */
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker, isMainThread, workerData } from 'node:worker_threads';
import { Command, Option } from 'commander';
import { type Benchmark, formatResult, isReached } from './base/benchmark.ts';

/**
 * The benchmarks by name. Each is loaded in a thread of its own, as a program loads only its own code: beside `playwright-core`, `run` is
 * 10 to 20% slower.
 */
const BENCHMARKS: Readonly<Record<string, () => Promise<Benchmark>>> = {
  fold: async () => (await import('./replay/foldBenchmark.ts')).foldBenchmark,
  run: async () => (await import('./replay/runBenchmark.ts')).replayRunBenchmark,
  verify: async () => (await import('./replay/verifyBenchmark.ts')).verifyBenchmark,
  changed: async () => (await import('./replay/changedBenchmark.ts')).changedBenchmark,
  hostauth: async () => (await import('./hostauth/hostauthBenchmark.ts')).hostauthBenchmark,
  inspector: async () => (await import('./inspector/inspectorBenchmark.ts')).inspectorBenchmark,
  'hostauth-pam': async () => (await import('./hostauth/hostauthPamBenchmark.ts')).hostauthPamBenchmark,
  transport: async () => (await import('./transport/transportBenchmark.ts')).transportBenchmark,
  sync: async () => (await import('./sync/syncBenchmark.ts')).syncBenchmark,
  typing: async () => (await import('./transport/typingBenchmark.ts')).typingBenchmark,
  window: async () => (await import('./window/windowBenchmark.ts')).windowBenchmark,
  record: async () => (await import('./record/recordBenchmark.ts')).recordBenchmark,
  answer: async () => (await import('./answer/answerBenchmark.ts')).answerBenchmark,
};

/** The folder of results. */
const OUT = join(import.meta.dirname, '..', '..', 'bench', 'out');

/** Runs a benchmark and prints its result. Returns whether all its targets are reached. */
async function runBenchmark(name: string): Promise<boolean> {
  const benchmark = await BENCHMARKS[name]?.();
  if (benchmark === undefined) throw new Error(`there is no benchmark ${name}`);
  const result = await benchmark.run((text) => void process.stderr.write(`${name}: ${text}\n`));
  process.stdout.write(formatResult(benchmark.title, result));
  const file = { benchmark: name, node: process.version, ...result };
  await mkdir(OUT, { recursive: true });
  await writeFile(join(OUT, `${name}.json`), `${JSON.stringify(file, null, 2)}\n`);
  return result.targets.every(isReached);
}

const names = Object.keys(BENCHMARKS);

/** Parses the command line. Ends the process after the help (0), or after one line on stderr when an option is wrong (2). */
function parseNames(): readonly string[] {
  const { only } = new Command('bench')
    .description('Measures Parley and says whether each target is reached.')
    .addOption(
      new Option('--only <name...>', 'run these benchmarks only').choices(names).default(names, 'all'),
    )
    .allowExcessArguments(false)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse()
    .opts<{ readonly only: readonly string[] }>();
  return names.filter((name) => only.includes(name));
}

/** Runs benchmarks in worker threads, one after another, so that the main thread can handle signals while a benchmark is busy. */
async function runInThreads(only: readonly string[]): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0));
  for (const name of only) {
    const thread = new Worker(new URL(import.meta.url), { workerData: name });
    const [code]: unknown[] = await once(thread, 'exit');
    if (code !== 0) process.exitCode = 1;
  }
}

if (isMainThread) await runInThreads(parseNames());
else if (!(await runBenchmark(String(workerData)))) process.exitCode = 1;
