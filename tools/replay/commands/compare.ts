import { Command } from 'commander';
import { compareCaptures } from '../compare/compareCaptures.ts';
import { systemClock } from '#shared/time/systemClock.ts';
import { findCaptures } from '../engine/findCaptures.ts';
import { createProgress } from '../progress.ts';
import type { CommandMaker } from '../replayTool.ts';
import { statusOf } from '../verify/captureResult.ts';
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
      const clock = systemClock(globalThis);
      const start = clock.now();
      const captures = await findCaptures(given);
      const progress = createProgress(output, clock, 'comparing');
      let done = 0;
      const onResults = (some: readonly unknown[]) => progress.at((done += some.length), captures.length);
      const results = await compareCaptures(captures, { base, workers, onResults });
      progress.end();
      const seconds = Math.round(clock.now() - start) / 1000;
      const advice = `“expected” is what ${base} comes to, “got” what this checkout does.`;
      report(results, output, { reporter: json ? 'json' : reporter, seconds, advice });
      finish(statusOf(results));
    });
