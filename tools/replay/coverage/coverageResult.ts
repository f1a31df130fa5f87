import type { UnusableResult } from '../verify/captureResult.ts';
import type { Finished, StoppedResult } from '../workers/stoppedResult.ts';

/** The branches that the replay of a capture reaches. */
export interface CoveredResult extends Finished {
  readonly outcome: 'covered';
  /** The numbers of the branches. */
  readonly reached: readonly number[];
  /** The error that the replayed code threw, in one line that names the file: the branches before it count. */
  readonly problem?: string;
}

/** The coverage of one capture. Plain data: it comes from a worker. */
export type CoverageResult = CoveredResult | StoppedResult | UnusableResult;
