import { performance } from 'node:perf_hooks';
import { Command } from 'commander';
import { compareCaptures } from '../compare/compareCaptures.ts';
import { findCaptures } from '../engine/findCaptures.ts';
import type { CommandMaker } from '../replayTool.ts';
import { statusOf } from '../verify/captureResult.ts';
import { startProgress } from '../verify/progress.ts';
import { REPORTERS, type Reporter, report } from '../verify/report.ts';
import { oneOf, wholeNumber } from './options.ts';

interface CompareOptions {
  readonly base: string;
  readonly workers?: number;
  readonly reporter: Reporter;
  readonly json?: true;
}

/** `compare`: the same captures through the reducers of two revisions (contract §7). */
export const compareCommand: CommandMaker = (output, finish) =>
  new Command('compare')
    .description('replays captures through the reducers of another git revision and through these')
    .argument('<captures...>', 'files, folders or globs')
    .requiredOption('--base <rev>', 'the revision that says what is expected')
    .option(
      '--workers <n>',
      'worker threads; as many as there are cores by default',
      wholeNumber('--workers', 1),
    )
    .option('--reporter <name>', REPORTERS.join(', '), oneOf('--reporter', REPORTERS), 'pretty')
    .option('--json', 'one JSON document on stdout, as --reporter json')
    .action(async (given: readonly string[], { base, workers, json, reporter }: CompareOptions) => {
      const start = performance.now();
      const captures = await findCaptures(given);
      const progress = startProgress(captures.length, output, () => performance.now());
      const onResults = (some: readonly unknown[]) => progress.advance(some.length);
      const results = await compareCaptures(captures, { base, workers, onResults });
      progress.end();
      const seconds = Math.round(performance.now() - start) / 1000;
      const advice = `“expected” is what ${base} comes to, “got” what this checkout does.`;
      report(results, output, { reporter: json ? 'json' : reporter, seconds, advice });
      finish(statusOf(results));
    });
