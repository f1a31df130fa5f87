import { Command } from 'commander';
import type { CommandMaker } from '../base/command.ts';
import { verifyCaptures } from '../verify/verifyCaptures.ts';
import { CAPTURES, oneOf } from '../base/commandOptions.ts';
import { type ComparisonOptions, withComparisonOptions } from './comparison/comparisonOptions.ts';
import { mergeCommand } from './mergeResults.ts';
import { runComparison } from './comparison/runComparison.ts';

interface VerifyOptions extends ComparisonOptions {
  readonly update?: true;
  readonly engine: 'store' | 'fold';
}

const ADVICE =
  'If you intended the change, run the same command with --update and review the diff of the goldens. If not, begin at the update that is named.';

/** Creates the command `verify`, which replays captures and compares each with its golden (contract §7). */
export const verifyCommand: CommandMaker = (output, finish) =>
  withComparisonOptions(
    new Command('verify')
      .description('replays captures and compares each with its golden, a file beside it')
      .argument('[captures...]', CAPTURES)
      .option('--update', 'writes the goldens')
      .option(
        '--engine <engine>',
        'store checks the fold beside the app’s store and queue; fold alone is faster',
        oneOf('--engine', ['store', 'fold']),
        'store',
      ),
  )
    .addCommand(mergeCommand(output, finish))
    .helpCommand(false)
    .enablePositionalOptions()
    .action(async (given: readonly string[], options: VerifyOptions) => {
      const { update = false, engine } = options;
      const status = await runComparison(output, {
        ...options,
        command: 'verify',
        label: 'verifying',
        advice: ADVICE,
        given,
        compare: (captures, shared) => verifyCaptures(captures, { update, engine, ...shared }),
      });
      finish(status);
    });
