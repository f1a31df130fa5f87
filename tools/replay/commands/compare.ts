import { Command } from '@commander-js/extra-typings';
import { APP, refuseEngine, type CommandMaker } from '../adapter/loadAdapter.ts';
import { compareCaptures } from '../compare/compareCaptures.ts';
import { CAPTURES } from '../base/commandOptions.ts';
import { withComparisonOptions } from './comparisonOptions.ts';
import { runComparison } from './runComparison.ts';

/** Creates the command `compare`, which runs the same captures through the reducers of two revisions (contract §7). */
export const compareCommand: CommandMaker = ({ output, finish, own }) =>
  withComparisonOptions(
    new Command('compare')
      .description(
        'replays captures with the reducers of another git revision and with those of this checkout',
      )
      .argument('[captures...]', CAPTURES)
      .requiredOption('--base <rev>', 'the git revision whose results are expected')
      .option(...APP),
  ).action(async (given, options, command) => {
    const { base, app: adapter } = options;
    if (adapter !== undefined) refuseEngine(command);
    const status = await runComparison(output, {
      ...options,
      command: 'compare',
      label: 'comparing',
      advice: `“expected” is the result of ${base}, “got” that of this checkout.`,
      given,
      own,
      compare: (captures, shared) => compareCaptures(captures, { base, adapter, own, ...shared }),
    });
    finish(status);
  });
