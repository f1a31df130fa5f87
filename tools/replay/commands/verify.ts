import { Command } from 'commander';
import { systemClock } from '#shared/time/systemClock.ts';
import { findCaptures } from '../engine/findCaptures.ts';
import { createProgress } from '../progress.ts';
import type { CommandMaker } from '../replayTool.ts';
import { statusOf } from '../verify/captureResult.ts';
import { REPORTERS, type Reporter, report } from '../verify/report.ts';
import { type Shard, shard, shardOf } from '../verify/shard.ts';
import { verifyCaptures } from '../verify/verifyCaptures.ts';
import { oneOf, wholeNumber } from './options.ts';

interface VerifyOptions {
  readonly update?: true;
  readonly shard?: Shard;
  readonly workers?: number;
  readonly reporter: Reporter;
  readonly json?: true;
}

const ADVICE =
  'If the change is meant, run the same with --update and look at the goldens’ diff; if not, the update named is where it begins.';

/** `verify`: replays captures and holds each against its golden (contract §7). */
export const verifyCommand: CommandMaker = (output, finish) =>
  new Command('verify')
    .description('replays captures and holds each against its golden, x.golden.json beside it')
    .argument('<captures...>', 'files, folders or globs')
    .option('--update', 'writes the goldens anew')
    .option('--shard <i/n>', 'takes the i-th of n parts of the captures', shard)
    .option(
      '--workers <n>',
      'worker threads; as many as there are cores by default',
      wholeNumber('--workers', 1),
    )
    .option('--reporter <name>', REPORTERS.join(', '), oneOf('--reporter', REPORTERS), 'pretty')
    .option('--json', 'one JSON document on stdout, as --reporter json')
    .action(async (given: readonly string[], options: VerifyOptions) => {
      const clock = systemClock(globalThis);
      const start = clock.now();
      const captures = shardOf(await findCaptures(given), options.shard);
      const progress = createProgress(output, clock, 'verifying');
      let done = 0;
      const results = await verifyCaptures(captures, {
        update: options.update ?? false,
        workers: options.workers,
        onResults: (some) => progress.at((done += some.length), captures.length),
      });
      progress.end();
      const seconds = Math.round(clock.now() - start) / 1000;
      const reporter = options.json ? 'json' : options.reporter;
      report(results, output, { reporter, seconds, advice: ADVICE });
      finish(statusOf(results));
    });
