import { Command } from '@commander-js/extra-typings';
import { APP, adapterError, replayedBy, type CommandMaker } from '../adapter/loadAdapter.ts';
import { diffCaptures, diffPoints, diffText, pointsText } from '../compare/diffCaptures.ts';
import type { SessionAdapter } from '../engine/sessionAdapter.ts';
import { loadCapture } from '../read/readCapture.ts';
import { oneCapture } from '../read/findCaptures.ts';
import { requireOneStdin } from '../read/stdin.ts';
import { EXIT, type ExitStatus, UsageError } from '../base/errors.ts';
import { leaveSignalsToSystem, listenForInterruption } from '../base/interruption.ts';
import { type Output, printWarnings } from '../base/output.ts';
import { wholeNumber } from '../base/commandOptions.ts';

interface DiffOptions {
  readonly from?: number;
  readonly to?: number;
  readonly app?: string;
  readonly json?: true;
}

/** Creates the command `diff`, which compares two captures, or two points of one (contract §7). */
export const diffCommand: CommandMaker = ({ output, finish, own }) =>
  new Command('diff')
    .description('compares two captures, or two points of one capture')
    .argument('<a>', 'a capture')
    .argument('[b]', 'another capture; without it, use --from and --to')
    .option(
      '--from <n>',
      'the state after update n of one capture; 0 is the beginning',
      wholeNumber('--from'),
    )
    .option('--to <m>', 'is compared with the state after update m (default: the last)', wholeNumber('--to'))
    .option(...APP)
    .option('--json', 'one JSON document on stdout')
    .action(async (a, b, { app, ...options }) => {
      const { adapter } = await replayedBy(app, own);
      const comparison = { ...options, adapter };
      const { statusOr } = listenForInterruption();
      try {
        const status =
          b === undefined
            ? await comparePoints(a, comparison, output)
            : await compareTwo([a, b], comparison, output);
        finish(statusOr(status));
      } catch (error) {
        throw adapterError(app, error);
      }
    });

interface Comparison extends Omit<DiffOptions, 'app'> {
  readonly adapter: SessionAdapter;
}

/** Compares two captures; a difference is exit status 1. Differences between two points of one capture are not a failure. */
async function compareTwo(
  paths: readonly [string, string],
  { from, to, json, adapter }: Comparison,
  output: Output,
): Promise<ExitStatus> {
  if (from !== undefined || to !== undefined) throw new UsageError('--from and --to are for one capture');
  requireOneStdin(paths);
  const [a, b] = [await load(paths[0], output), await load(paths[1], output)];
  const diff = await leaveSignalsToSystem(() => diffCaptures(adapter, a, b));
  output.out(json ? `${JSON.stringify(diff)}\n` : diffText(diff));
  return diff.same ? EXIT.fine : EXIT.failed;
}

async function comparePoints(
  path: string,
  { from, to, json, adapter }: Comparison,
  output: Output,
): Promise<ExitStatus> {
  if (from === undefined && to === undefined) {
    throw new UsageError('diff takes two captures, or one with --from and --to');
  }
  const capture = await load(path, output);
  const diff = await leaveSignalsToSystem(() => diffPoints(adapter, capture, { from: from ?? 0, to }));
  output.out(json ? `${JSON.stringify(diff)}\n` : pointsText(diff));
  return EXIT.fine;
}

async function load(path: string, output: Output) {
  const capture = await loadCapture(await oneCapture(path));
  printWarnings(output, capture.warnings);
  return capture;
}
