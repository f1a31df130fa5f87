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
