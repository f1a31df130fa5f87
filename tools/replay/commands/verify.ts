import { Command } from 'commander';
import { findCaptures } from '../read/findCaptures.ts';
import type { CommandMaker } from '../base/command.ts';
import { type Shard, shard, shardOf } from '../verify/shard.ts';
import { verifyCaptures } from '../verify/verifyCaptures.ts';
import { type ComparisonOptions, runComparison, withComparisonOptions } from './runComparison.ts';

interface VerifyOptions extends ComparisonOptions {
  readonly update?: true;
  readonly shard?: Shard;
}

const ADVICE =
  'If the change is meant, run the same with --update and look at the goldens’ diff; if not, the update named is where it begins.';

/** `verify`: replays captures and holds each against its golden (contract §7). */
export const verifyCommand: CommandMaker = (output, finish) =>
  withComparisonOptions(
    new Command('verify')
      .description('replays captures and holds each against its golden, x.golden.json beside it')
      .argument('<captures...>', 'files, folders or globs')
      .option('--update', 'writes the goldens anew')
      .option('--shard <i/n>', 'takes the i-th of n parts of the captures', shard),
  ).action(async (given: readonly string[], options: VerifyOptions) => {
    const { update = false } = options;
    const status = await runComparison(output, {
      ...options,
      label: 'verifying',
      advice: ADVICE,
      find: async () => shardOf(await findCaptures(given), options.shard),
      hold: (captures, holding) => verifyCaptures(captures, { update, ...holding }),
    });
    finish(status);
  });
