import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A row of a benchmark's table: a value for each column. */
export type Row = Readonly<Record<string, string | number>>;

/** A limit for a measured value. */
export interface Target {
  readonly name: string;
  readonly measured: number;
  readonly bound: 'at least' | 'at most';
  readonly limit: number;
}

/** The result of a benchmark. */
export interface BenchmarkResult {
  readonly rows: readonly Row[];
  readonly targets: readonly Target[];
}

/** Shows on stderr what is being measured. */
export type Progress = (text: string) => void;

/** A benchmark. `bench.ts` lists all of them, with their names for `--only` and of their JSON files. */
export interface Benchmark {
  readonly title: string;
  run(progress: Progress): BenchmarkResult | Promise<BenchmarkResult>;
}

/** Returns whether a target is reached. */
export const isReached = ({ measured, bound, limit }: Target): boolean =>
  bound === 'at least' ? measured >= limit : measured <= limit;

type Run<T> = () => T | Promise<T>;

interface Rounds {
  readonly rounds: number;
  readonly progress: Progress;
}

/**
 * Runs tasks in rounds, each task once a round, after a round that does not count. Returns the results by round, in the
 * order of the tasks. A slow moment of the machine affects all tasks, so their ratios are comparable between machines.
 */
export async function runInRounds<T>(
  runs: readonly Run<T>[],
  { rounds, progress }: Rounds,
): Promise<readonly (readonly T[])[]> {
  const all: T[][] = [];
  for (let round = 0; round <= rounds; round++) {
    progress(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
    const results: T[] = [];
    for (const run of runs) results.push(await run());
    if (round > 0) all.push(results);
  }
  return all;
}

const ROUNDS = 5;

/** Returns the median times of tasks in milliseconds, from {@link runInRounds}. */
export async function measureMedians(runs: readonly Run<unknown>[], progress: Progress): Promise<number[]> {
  const timed = runs.map((run) => () => timeOf(run));
  const rounds = await runInRounds(timed, { rounds: ROUNDS, progress });
  return runs.map((_, i) => median(rounds.map((times) => times[i] ?? Number.NaN)));
}

/** Returns how long a task takes in milliseconds. First collects garbage, when Node was started with `--expose-gc`. */
export async function timeOf(run: Run<unknown>): Promise<number> {
  globalThis.gc?.();
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/** Returns the median of an odd number of values. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const THREE_DIGITS = new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 3 });

const formatValue = (value: string | number): string =>
  typeof value === 'string' ? value : THREE_DIGITS.format(value);

/** Formats rows as lines with aligned columns; numbers are aligned to the right. */
function formatTable(rows: readonly Row[]): string[] {
  const columns = Object.keys(rows[0] ?? {});
  const cells = [columns, ...rows.map((row) => columns.map((column) => formatValue(row[column] ?? '')))];
  const widths = columns.map((_, i) => Math.max(...cells.map((line) => line[i]?.length ?? 0)));
  const isNumber = columns.map((column) => typeof rows[0]?.[column] === 'number');
  return cells.map((line) =>
    line
      .map((cell, i) => (isNumber[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

const formatTarget = (target: Target): string =>
  `${isReached(target) ? 'ok    ' : 'MISSED'}  ${target.name}: ${formatValue(target.measured)} (${target.bound} ${target.limit})`;

/** Formats the result of a benchmark for a terminal. */
export const formatResult = (title: string, { rows, targets }: BenchmarkResult): string =>
  ['', title, '', ...formatTable(rows), '', ...targets.map(formatTarget), ''].join('\n');

/** Creates a temporary folder for a task, and removes it afterwards. */
export async function withTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
