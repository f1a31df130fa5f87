import type { Command } from 'commander';
import { systemClock } from '#shared/time/systemClock.ts';
import type { ExitStatus } from '../base/errors.ts';
import type { Output } from '../base/output.ts';
import { createProgress } from '../base/progress.ts';
import { type CaptureResult, exitStatus } from '../verify/captureResult.ts';
import { REPORTERS, type Reporter, report } from '../verify/report.ts';
import { oneOf, wholeNumber } from './options.ts';

/** Options of every command that compares captures with expected results. */
export interface ComparisonOptions {
  readonly workers?: number;
  readonly reporter: Reporter;
  readonly json?: true;
}

/** Adds {@link ComparisonOptions} to a command. */
export const withComparisonOptions = (command: Command): Command =>
  command
    .option(
      '--workers <n>',
      'number of worker threads (default: number of cores)',
      wholeNumber('--workers', 1),
    )
    .option('--reporter <name>', REPORTERS.join(', '), oneOf('--reporter', REPORTERS), 'pretty')
    .option('--json', 'one JSON document on stdout, as --reporter json');

/** What each comparison gets. */
interface SharedOptions {
  readonly workers: number | undefined;
  /** Is called with results as they arrive, several at a time. */
  readonly onResults: (some: readonly unknown[]) => void;
}

interface Comparison extends ComparisonOptions {
  /** The label of the progress. */
  readonly label: string;
  /** What the user can do about a difference. */
  readonly advice: string;
  readonly find: () => Promise<readonly string[]>;
  readonly compare: (captures: readonly string[], shared: SharedOptions) => Promise<readonly CaptureResult[]>;
}

/** Finds captures, compares each with its expected result, and reports. Resolves to the exit status. */
export async function runComparison(
  output: Output,
  { label, advice, find, compare, workers, reporter, json }: Comparison,
): Promise<ExitStatus> {
  const clock = systemClock(globalThis);
  const start = clock.now();
  const captures = await find();
  const progress = createProgress(output, clock, label);
  let done = 0;
  const onResults = (some: readonly unknown[]) => progress.at((done += some.length), captures.length);
  const results = await compare(captures, { workers, onResults });
  progress.end();
  const seconds = Math.round(clock.now() - start) / 1000;
  report(results, output, { reporter: json ? 'json' : reporter, seconds, advice });
  return exitStatus(results);
}
