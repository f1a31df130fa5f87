import type { Divergence } from '../golden/compareWithGolden.ts';
import type { Written } from '../golden/goldenFile.ts';
import { EXIT, type ExitStatus } from '../base/errors.ts';

interface Finished {
  readonly capture: string;
  /** Duration, milliseconds. */
  readonly ms: number;
  /** Problems that do not prevent the use of the file. */
  readonly warnings: readonly string[];
}

/** The result of one capture. Plain data: it comes from a worker thread, and `--json` prints it. */
export type CaptureResult = Finished &
  (
    | { readonly outcome: 'same'; readonly updates: number }
    /** Its golden was written, with `--update`. */
    | { readonly outcome: 'written'; readonly golden: Written }
    /** The result differs from the golden. */
    | { readonly outcome: 'differs'; readonly difference: Divergence }
    /** The fold's result differs from the store's, which is the expected one. */
    | { readonly outcome: 'disagrees'; readonly difference: Divergence }
    /** The capture or its golden cannot be used; `problem` is one line that names the file. */
    | { readonly outcome: 'unusable'; readonly problem: string }
  );

/** Returns the exit status of all results (contract §7): `unusable` has precedence over `differs`. */
export function exitStatus(results: readonly CaptureResult[]): ExitStatus {
  if (results.some(({ outcome }) => outcome === 'unusable')) return EXIT.unusable;
  const isFailed = results.some(({ outcome }) => outcome === 'differs' || outcome === 'disagrees');
  return isFailed ? EXIT.failed : EXIT.fine;
}

/** Counts the results by outcome. */
export function countResults(results: readonly CaptureResult[]) {
  const count = (outcome: CaptureResult['outcome']) =>
    results.filter((one) => one.outcome === outcome).length;
  return {
    captures: results.length,
    same: count('same'),
    written: count('written'),
    differs: count('differs'),
    disagrees: count('disagrees'),
    unusable: count('unusable'),
  };
}
