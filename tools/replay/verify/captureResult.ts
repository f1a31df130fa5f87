import type { Divergence } from '../golden/compareWithGolden.ts';
import type { Written } from '../golden/goldenFile.ts';
import { EXIT, type ExitStatus } from '../base/errors.ts';

interface Finished {
  readonly capture: string;
  /** How long it took, milliseconds. */
  readonly ms: number;
  /** What was wrong with the file and could be lived with. */
  readonly warnings: readonly string[];
}

/** What became of one capture. Plain data: it comes out of a worker thread, and is what `--json` prints. */
export type CaptureResult = Finished &
  (
    | { readonly outcome: 'same'; readonly updates: number }
    /** Its golden has been written, with `--update`. */
    | { readonly outcome: 'written'; readonly golden: Written }
    /** The code comes to something else than the golden says. */
    | { readonly outcome: 'differs'; readonly difference: Divergence }
    /** The capture or its golden cannot be used; `problem` is one line that names the file. */
    | { readonly outcome: 'unusable'; readonly problem: string }
  );

/** What all of them come to (contract §7): what cannot be used outweighs what differs. */
export function statusOf(results: readonly CaptureResult[]): ExitStatus {
  if (results.some(({ outcome }) => outcome === 'unusable')) return EXIT.unusable;
  return results.some(({ outcome }) => outcome === 'differs') ? EXIT.failed : EXIT.fine;
}

/** How many came to what. */
export function totalsOf(results: readonly CaptureResult[]) {
  const count = (outcome: CaptureResult['outcome']) =>
    results.filter((one) => one.outcome === outcome).length;
  return {
    captures: results.length,
    same: count('same'),
    written: count('written'),
    differs: count('differs'),
    unusable: count('unusable'),
  };
}
