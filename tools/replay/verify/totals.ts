import { EXIT, type ExitStatus } from '../base/errors.ts';
import type { ResultRecord } from './resultRecord.ts';

/** The number of results by outcome. */
export interface Totals extends Record<ResultRecord['outcome'], number> {
  captures: number;
  /** The number of failures whose signature is known. */
  known: number;
}

/** Returns the totals of no result. */
export const noTotals = (): Totals => ({
  captures: 0,
  same: 0,
  written: 0,
  differs: 0,
  disagrees: 0,
  stopped: 0,
  unusable: 0,
  known: 0,
});

/** Counts a result. */
export function countResult(totals: Totals, outcome: ResultRecord['outcome'], isKnown = false): void {
  totals.captures++;
  totals[outcome]++;
  if (isKnown) totals.known++;
}

/** Returns the number of failures: of the code, or of the file. */
export const failureCount = ({ differs, disagrees, stopped, unusable }: Totals): number =>
  differs + disagrees + stopped + unusable;

/**
 * Returns the exit status of all results (contract §7): `unusable` has precedence over failures of the code. Known failures do not
 * count.
 */
export function exitStatus(totals: Totals): ExitStatus {
  if (totals.unusable > 0) return EXIT.unusable;
  return failureCount(totals) > totals.known ? EXIT.failed : EXIT.fine;
}
