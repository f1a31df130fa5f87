import { errorLine } from '#shared/errorLine.ts';
import { pluralize } from '#shared/pluralize.ts';
import { systemClock } from '#shared/time/systemClock.ts';
import { EXIT, type ExitStatus, UsageError } from '../base/errors.ts';
import type { Interruption } from '../base/interruption.ts';
import type { Output } from '../base/output.ts';
import { printWarnings } from '../base/printWarnings.ts';
import { createProgress } from '../base/progress.ts';
import { untilAborted } from '../base/untilAborted.ts';
import { type CoverOptions, coverCaptures } from './coverCaptures.ts';
import type { CoveredResult } from './coverageResult.ts';

/** How the replays of captures ended. */
export interface CoverageEnd {
  /** One line for each capture that cannot be used, or was not replayed to its end. */
  readonly problems: readonly string[];
  /** The signal that ended the replays before the last capture. */
  readonly interruptedBy: ReturnType<Interruption['received']>;
  /** The exit status (contract §1, §7). */
  readonly status: ExitStatus;
}

interface Options extends Omit<CoverOptions, 'signal'> {
  readonly interruption: Interruption;
  readonly captures: AsyncIterable<string>;
  /** Is called with the branches of each capture, in the order of the captures. */
  readonly onCovered: (result: CoveredResult) => void;
}

/**
 * Replays captures and collects the branches that each one reaches. Prints the progress, warnings, and a line for each problem; a problem of
 * one capture hides no other capture.
 */
export async function collectCoverage(
  output: Output,
  { interruption, captures, onCovered, ...options }: Options,
): Promise<CoverageEnd> {
  const { signal, received, statusOr } = interruption;
  const progress = createProgress(output, systemClock(globalThis), 'covering');
  const problems: string[] = [];
  let status: ExitStatus = EXIT.fine;
  const report = (problem: string, failed: ExitStatus) => {
    problems.push(problem);
    progress.end();
    output.err(errorLine(problem));
    if (status !== EXIT.unusable) status = failed;
  };
  let count = 0;
  try {
    for await (const result of untilAborted(coverCaptures(captures, { ...options, signal }), signal)) {
      if (result.warnings.length > 0) progress.end();
      printWarnings(output, result.warnings);
      if (result.outcome === 'covered') onCovered(result);
      const isUnusable = result.outcome === 'unusable';
      if (result.problem !== undefined) report(result.problem, isUnusable ? EXIT.unusable : EXIT.failed);
      progress.show(pluralize(++count, 'capture'));
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    report(error.message, EXIT.unusable);
  }
  progress.end();
  return { problems, interruptedBy: received(), status: statusOr(status) };
}
