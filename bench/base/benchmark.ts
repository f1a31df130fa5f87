/** One line of a benchmark's table: a value for each column. */
export type Row = Readonly<Record<string, string | number>>;

/** What a benchmark has to reach. */
export interface Target {
  readonly name: string;
  readonly measured: number;
  readonly bound: 'at least' | 'at most';
  readonly limit: number;
}

export interface BenchmarkResult {
  readonly rows: readonly Row[];
  readonly targets: readonly Target[];
}

/** Says on stderr what is being measured, for some take a minute. */
export type Progress = (text: string) => void;

/** One benchmark, in a file of its own; `bench.ts` has the list. */
export interface Benchmark {
  /** For `--only`, and the name of its JSON file. */
  readonly name: string;
  readonly title: string;
  run(progress: Progress): BenchmarkResult | Promise<BenchmarkResult>;
}

/** Whether a target is reached. */
export const isReached = ({ measured, bound, limit }: Target): boolean =>
  bound === 'at least' ? measured >= limit : measured <= limit;
