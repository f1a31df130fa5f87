import { Command } from 'commander';
import { APP, refuseParleyOptions } from '../adapter/appOption.ts';
import type { CommandMaker } from '../base/command.ts';
import { verifyAdapter } from '../verify/verifyAdapter.ts';
import { verifyCaptures } from '../verify/verifyCaptures.ts';
import { CAPTURES, THEN, oneOf } from '../base/commandOptions.ts';
import { type ComparisonOptions, withComparisonOptions } from './comparison/comparisonOptions.ts';
import { mergeCommand } from './mergeResults.ts';
import { UsageError } from '../base/errors.ts';
import { namedByPath } from '../read/walkCaptures.ts';
import { runComparison } from './comparison/runComparison.ts';

interface VerifyOptions extends ComparisonOptions {
  readonly update?: true;
  readonly engine: 'store' | 'fold';
  readonly app?: string;
  readonly then?: readonly string[];
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
      .option(...APP)
      .option(...THEN)
      .option(
        '--engine <engine>',
        'there is one engine, which both names select',
        oneOf('--engine', ['store', 'fold']),
        'store',
      ),
  )
    .addCommand(mergeCommand(output, finish))
    .helpCommand(false)
    .enablePositionalOptions()
    .action(async (captures: readonly string[], options: VerifyOptions, command: Command) => {
      const { update = false, app: adapter, then } = options;
      if (adapter !== undefined) refuseParleyOptions(command);
      const inOrder = then && inOneRun(captures, then);
      const status = await runComparison(output, {
        ...options,
        command: 'verify',
        label: 'verifying',
        advice: ADVICE,
        given: inOrder ?? captures,
        compare: (found, shared) =>
          adapter === undefined
            ? verifyCaptures(found, { update, inOrder, ...shared })
            : verifyAdapter(found, { update, adapter, ...shared }),
      });
      finish(status);
    });

/**
 * Returns the captures of one run of the program in their order.
 * @throws {UsageError} unless there is one first capture.
 */
function inOneRun(captures: readonly string[], then: readonly string[]): readonly string[] {
  if (captures.length !== 1)
    throw new UsageError('--then follows one capture: name one, and the next ones with --then');
  return [...captures, ...then].map((given) => namedByPath(given).path);
}
