import { Command } from '@commander-js/extra-typings';
import { APP, adapterError, replayedBy, type CommandMaker } from '../adapter/loadAdapter.ts';
import {
  captureDiffSchema,
  diffCaptures,
  diffPoints,
  diffText,
  pointsSchema,
  pointsText,
} from '../compare/diffCaptures.ts';
import { prepared } from '../engine/replayFile.ts';
import type { Replayed } from '../engine/sessionAdapter.ts';
import { loadCapture } from '../read/readCapture.ts';
import { oneCapture } from '../read/findCaptures.ts';
import { requireOneStdin } from '../read/stdin.ts';
import { EXIT, UsageError } from '../base/errors.ts';
import { jsonLine } from '../base/jsonDocument.ts';
import { leaveSignalsToSystem, listenForInterruption } from '../base/interruption.ts';
import { type Output, printWarnings } from '../base/output.ts';
import { wholeNumber } from '../base/commandOptions.ts';

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
    .action(async (a, b, { from, to, app, json }) => {
      const replayed = await replayedBy(app, own);
      const { statusOr } = listenForInterruption();
      const isOne = b === undefined;
      const hasPoints = (from ?? to) !== undefined;
      if (!isOne && hasPoints) throw new UsageError('--from and --to are for one capture');
      if (isOne && !hasPoints) throw new UsageError('diff takes two captures, or one with --from and --to');
      requireOneStdin([a, b]);
      try {
        const capture = await load(a, replayed, output);
        if (isOne) {
          const diff = await leaveSignalsToSystem(() => diffPoints(capture, { from: from ?? 0, to }));
          output.out(json ? jsonLine(pointsSchema, diff) : pointsText(diff));
          // A difference between two points of one capture is not a failure.
          finish(statusOr(EXIT.fine));
        } else {
          const other = await load(b, replayed, output);
          const diff = await leaveSignalsToSystem(() => diffCaptures(capture, other));
          output.out(json ? jsonLine(captureDiffSchema, diff) : diffText(diff));
          finish(statusOr(diff.same ? EXIT.fine : EXIT.failed));
        }
      } catch (error) {
        throw adapterError(app, error);
      }
    });

async function load(path: string, replayed: Replayed, output: Output) {
  const capture = await loadCapture(await oneCapture(path));
  const { adapter, warnings } = await prepared(capture, replayed);
  printWarnings(output, [...capture.warnings, ...warnings]);
  return { ...capture, adapter };
}
