import type { Divergence } from '../golden/compareWithGolden.ts';
import type { Written } from '../golden/goldenFile.ts';
import type { Mutation } from './mutation/findMutation.ts';
import type { QueueFault } from './mutation/findQueueFault.ts';
import type { Finished, StoppedResult } from '../workers/stoppedResult.ts';
import type { ThrownError } from '../workers/thrownError.ts';

/** How the replay of a capture differs from the expected result. */
export interface Difference extends Divergence {
  /** The capture that it follows, when the difference is only found after that one. */
  readonly after?: string;
  /** The error that the replayed code threw. */
  readonly thrown?: ThrownError & {
    /** Whether only the code of the other revision threw. */ readonly isOfBase?: boolean;
  };
  /** The state that the replayed code mutated. */
  readonly mutated?: Mutation;
  /** The update that the queue of the replayed code lost, repeated, or moved before another one. */
  readonly queue?: QueueFault;
}

/** The capture, or another file that it needs, cannot be used; `problem` is one line that names the file. */
export type UnusableResult = Finished & { readonly outcome: 'unusable'; readonly problem: string };

/** The result of one capture. Plain data: it comes from a worker. */
export type CaptureResult =
  | StoppedResult
  | UnusableResult
  | (Finished &
      (
        | { readonly outcome: 'same'; readonly updates: number }
        /** Its golden was written, with `--update`. */
        | { readonly outcome: 'written'; readonly golden: Written }
        /** The result differs from the golden. */
        | { readonly outcome: 'differs'; readonly difference: Difference }
      ));
