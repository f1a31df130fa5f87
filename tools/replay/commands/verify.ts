import { Command } from 'commander';
import { findCaptures } from '../read/findCaptures.ts';
import type { CommandMaker } from '../base/command.ts';
import { type Shard, shard, selectShard } from '../verify/shard.ts';
import { verifyCaptures } from '../verify/verifyCaptures.ts';
import { oneOf } from './options.ts';
import { type ComparisonOptions, runComparison, withComparisonOptions } from './runComparison.ts';

interface VerifyOptions extends ComparisonOptions {
  readonly update?: true;
  readonly engine: 'store' | 'fold';
  readonly shard?: Shard;
}

const ADVICE =
  'If you intended the change, run the same command with --update and review the diff of the goldens. If not, begin at the update that is named.';

/** Creates the command `verify`, which replays captures and compares each with its golden (contract §7). */
export const verifyCommand: CommandMaker = (output, finish) =>
  withComparisonOptions(
    new Command('verify')
      .description('replays captures and compares each with its golden, a file beside it')
      .argument('<captures...>', 'files, folders or globs')
      .option('--update', 'writes the goldens')
      .option(
        '--engine <engine>',
        'store checks the fold beside the app’s store and queue; fold alone is faster',
        oneOf('--engine', ['store', 'fold']),
        'store',
      )
      .option('--shard <i/n>', 'verifies the i-th of n parts of the captures', shard),
  ).action(async (given: readonly string[], options: VerifyOptions) => {
    const { update = false, engine } = options;
    const status = await runComparison(output, {
      ...options,
      label: 'verifying',
      advice: ADVICE,
      find: async () => selectShard(await findCaptures(given), options.shard),
      compare: (captures, shared) => verifyCaptures(captures, { update, engine, ...shared }),
    });
    finish(status);
  });
