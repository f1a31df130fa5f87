import type { Command } from 'commander';
import { systemClock } from '#shared/time/systemClock.ts';
import type { ExitStatus } from '../base/errors.ts';
import type { Output } from '../base/output.ts';
import { createProgress } from '../base/progress.ts';
import { type CaptureResult, statusOf } from '../verify/captureResult.ts';
import { REPORTERS, type Reporter, report } from '../verify/report.ts';
import { oneOf, wholeNumber } from './options.ts';

/** What can be chosen of every command that judges captures. */
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
      'worker threads; as many as there are cores by default',
      wholeNumber('--workers', 1),
    )
    .option('--reporter <name>', REPORTERS.join(', '), oneOf('--reporter', REPORTERS), 'pretty')
    .option('--json', 'one JSON document on stdout, as --reporter json');

/** What is the same for all that hold captures against something. */
interface Holding {
  readonly workers: number | undefined;
  /** Hears of some results at a time. */
  readonly onResults: (some: readonly unknown[]) => void;
}

interface Judging extends ComparisonOptions {
  /** What goes on, in one word. */
  readonly label: string;
  /** What to do when something differs. */
  readonly advice: string;
  readonly find: () => Promise<readonly string[]>;
  readonly hold: (captures: readonly string[], holding: Holding) => Promise<readonly CaptureResult[]>;
}

/** Finds captures, holds each against what is expected of it, and reports. Resolves to the exit status. */
export async function runComparison(
  output: Output,
  { label, advice, find, hold, workers, reporter, json }: Judging,
): Promise<ExitStatus> {
  const clock = systemClock(globalThis);
  const start = clock.now();
  const captures = await find();
  const progress = createProgress(output, clock, label);
  let done = 0;
  const onResults = (some: readonly unknown[]) => progress.at((done += some.length), captures.length);
  const results = await hold(captures, { workers, onResults });
  progress.end();
  const seconds = Math.round(clock.now() - start) / 1000;
  report(results, output, { reporter: json ? 'json' : reporter, seconds, advice });
  return statusOf(results);
}
