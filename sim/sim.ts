/**
 * Simulates the whole system. Prints progress on stderr, and the result on stdout. Exit status: 0 when every check holds, 1 when one fails, 2 on bad usage.
 */
import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';
import { createReport } from './run/report.ts';
import { runInWorkers } from './run/workers.ts';

interface Options {
  readonly seed?: number;
  readonly seeds?: number;
  readonly from: number;
  readonly json: boolean;
  readonly workers: number;
}

/** How long a run without a number of seeds takes, milliseconds. */
const RUN_MS = 60_000;

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 0)
    throw new InvalidArgumentError('It is a whole number, for example 17 or 1e5.');
  return count;
}

function parseOptions(): Options {
  return new Command('sim')
    .description(
      'Runs random histories of the whole system with virtual time, network and disk, for a minute, and checks them.',
    )
    .option('--seed <number>', 'run the history of this seed only', parseCount)
    .option('--seeds <number>', 'run this number of histories, for example 1e5', parseCount)
    .option('--from <number>', 'the first seed', parseCount, 1)
    .option('--workers <number>', 'the number of processes', parseCount, availableParallelism())
    .option('--json', 'print one JSON document', false)
    .allowExcessArguments(false)
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, '')) })
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse()
    .opts<Options>();
}

async function main(): Promise<void> {
  const { seed, seeds, from, json, workers } = parseOptions();
  const report = createReport(json);
  if (seed !== undefined) {
    const { programLoader } = await import('./programs/loadProgram.ts');
    const { runHistory } = await import('./run/runHistory.ts');
    report.add(await runHistory(seed, programLoader()));
  } else {
    const until = seeds === undefined ? performance.now() + RUN_MS : Infinity;
    await runInWorkers({ workers, from, seeds: seeds ?? Infinity, until, onResult: report.add });
  }
  process.exitCode = await report.end();
}

// Redux and its tools check less in production, as in the built programs.
process.env.NODE_ENV ??= 'production';
await main();
