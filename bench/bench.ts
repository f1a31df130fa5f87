/**
 * Runs the benchmarks. Prints a table of each on stdout, writes the same values as JSON to `bench/out/`, and shows progress
 * on stderr. Exit status: 0 when every target is reached, 1 when one is missed, 2 on bad usage.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker, isMainThread } from 'node:worker_threads';
import { Command, Option } from 'commander';
import { type Benchmark, isReached } from './base/benchmark.ts';
import { foldBenchmark } from './replay/foldBenchmark.ts';
import { hostauthBenchmark } from './hostauth/hostauthBenchmark.ts';
import { inspectorBenchmark } from './inspector/inspectorBenchmark.ts';
import { hostauthPamBenchmark } from './hostauth/hostauthPamBenchmark.ts';
import { formatResult } from './base/formatResult.ts';
import { replayRunBenchmark } from './replay/runBenchmark.ts';
import { syncBenchmark } from './sync/syncBenchmark.ts';
import { transportBenchmark } from './transport/transportBenchmark.ts';
import { typingBenchmark } from './transport/typingBenchmark.ts';
import { verifyBenchmark } from './replay/verifyBenchmark.ts';

const BENCHMARKS: readonly Benchmark[] = [
  foldBenchmark,
  replayRunBenchmark,
  verifyBenchmark,
  hostauthBenchmark,
  inspectorBenchmark,
  hostauthPamBenchmark,
  transportBenchmark,
  syncBenchmark,
  typingBenchmark,
];

/** The folder of results. */
const OUT = join(import.meta.dirname, '..', '..', 'bench', 'out');

/** Runs a benchmark and prints its result. Returns whether all its targets are reached. */
async function runBenchmark({ name, title, run }: Benchmark): Promise<boolean> {
  const result = await run((text) => void process.stderr.write(`${name}: ${text}\n`));
  process.stdout.write(formatResult(title, result));
  const file = { benchmark: name, node: process.version, ...result };
  await writeFile(join(OUT, `${name}.json`), `${JSON.stringify(file, null, 2)}\n`);
  return result.targets.every(isReached);
}

async function runAll(names: readonly string[]): Promise<void> {
  await mkdir(OUT, { recursive: true });
  for (const benchmark of BENCHMARKS.filter(({ name }) => names.includes(name))) {
    if (!(await runBenchmark(benchmark))) process.exitCode = 1;
  }
}

const names = BENCHMARKS.map(({ name }) => name);

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
  return only;
}

/** Runs the benchmarks in a worker thread, so that the main thread can handle signals while a benchmark is busy. */
function runInThread(only: readonly string[]): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0));
  const thread = new Worker(new URL(import.meta.url), { argv: [...only] });
  thread.on('exit', (code) => {
    process.exitCode = code;
  });
}

if (isMainThread) runInThread(parseNames());
else await runAll(process.argv.slice(2));
