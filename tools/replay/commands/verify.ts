import { Command } from '@commander-js/extra-typings';
import { APP, refuseEngine, type CommandMaker } from '../adapter/loadAdapter.ts';
import { CAPTURES, THEN, oneOf } from '../base/commandOptions.ts';
import { selectCaptures } from '../changed/selectCaptures.ts';
import { verifyCaptures } from '../verify/verifyCaptures.ts';
import { withComparisonOptions, withReportingOptions } from './comparisonOptions.ts';
import { UsageError } from '../base/errors.ts';
import { namedByPath } from '../read/findCaptures.ts';
import { type CollectorOptions, collectResults, runComparison } from './runComparison.ts';
import { listenForInterruption } from '../base/interruption.ts';
import { STDIN, requireOneStdin } from '../read/stdin.ts';
import { mergeReports, readResults } from '../verify/resultsFile.ts';

const ADVICE =
  'If you intended the change, run the same command with --update and review the diff of the goldens. If not, begin at the update that is named.';

/** Creates the command `verify`, which replays captures and compares each with its golden (contract §7). */
export const verifyCommand: CommandMaker = ({ output, finish, own }) =>
  withComparisonOptions(
    new Command('verify')
      .description('replays captures and compares each with its golden, a file beside it')
      .argument('[captures...]', CAPTURES)
      .option('--update', 'writes the goldens')
      .option(...APP)
      .option(...THEN)
      .option(
        '--changed <rev>',
        'only the captures that the difference between a git revision and the working tree can affect (see `index`)',
      )
      .option('--explain', 'with --changed, says on stderr what differs and why captures run')
      .option(
        '--engine <engine>',
        'there is one engine, which both names select',
        oneOf('--engine', ['store', 'fold']),
        'store',
      ),
  )
    .addCommand(mergeCommand({ output, finish, own }))
    .helpCommand(false)
    .enablePositionalOptions()
    .action(async (captures, options, command) => {
      const { update = false, app: adapter, then, changed, explain } = options;
      if (adapter !== undefined) refuseEngine(command);
      const inOrder = then && inOneRun(captures, then);
      if (changed === undefined && explain)
        throw new UsageError('--explain is about --changed; name a revision');
      if (changed !== undefined && then !== undefined)
        throw new UsageError('--then follows one capture, which --changed could omit');
      const selection = changed === undefined ? undefined : await selectCaptures(changed, adapter);
      const verifying = { update, adapter, inOrder, following: then, own };
      const status = await runComparison(output, {
        ...options,
        command: 'verify',
        label: 'verifying',
        advice: ADVICE,
        given: inOrder ?? captures,
        own,
        omitted: selection?.omitted,
        compare: (found, shared) =>
          verifyCaptures(selection?.affected(found) ?? found, { ...verifying, ...shared }),
      });
      for (const line of selection?.describe(explain === true) ?? []) output.err(`${line}\n`);
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

/**
 * Creates the command `verify merge`, which makes one report of several: of shards, and of runs that were interrupted and resumed
 * (contract §7).
 */
const mergeCommand: CommandMaker = ({ output, finish }) =>
  withReportingOptions(
    new Command('merge')
      .description('makes one report of several; exits with 2 when a shard is missing or incomplete')
      .argument('<ndjson...>', 'reports of --reporter ndjson; - is stdin'),
  ).action(async (files, options) => {
    requireOneStdin([...files, options.known]);
    const { signal, received, statusOr } = listenForInterruption();
    const advice = 'Verify one of the named captures alone to see its values.';
    const collector = await collectResults(output, {
      ...options,
      command: 'merge',
      label: 'merging',
      isMerge: true,
      advice,
      ...(await replayedBy(files[0])),
    });
    const problems: string[] = [];
    for await (const record of mergeReports(files, signal, problems)) await collector.add(record);
    // A report of a part is no success.
    const status = await collector.end(received() ?? (problems.length > 0 ? 'error' : 'complete'));
    if (problems.length > 0) throw new UsageError(problems.join('; '));
    finish(statusOr(status));
  });

/** Returns the adapter and the expected revision of a report. Those of stdin are not known before it is read. */
async function replayedBy(file: string = STDIN): Promise<Pick<CollectorOptions, 'app' | 'base'>> {
  if (file === STDIN) return {};
  for await (const line of readResults(file)) if ('format' in line) return { app: line.app, base: line.base };
  return {};
}
