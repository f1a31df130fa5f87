import { Command } from '@commander-js/extra-typings';
import { pluralize } from '#shared/formatText.ts';
import { systemClock } from '#shared/clock.ts';
import { APP, adapterError, replayedBy, type CommandMaker } from '../adapter/loadAdapter.ts';
import type { SessionAdapter } from '../engine/sessionAdapter.ts';
import { type GivenCaptures, givenCaptures, oneCapture } from '../read/findCaptures.ts';
import { readCapture } from '../read/readCapture.ts';
import { STDIN, captureName } from '../read/stdin.ts';
import { EXIT, type ExitStatus, UsageError } from '../base/errors.ts';
import { createProgress, fileProgress } from '../base/progress.ts';
import { type Output, printWarnings } from '../base/output.ts';
import { leaveSignalsToSystem } from '../base/interruption.ts';
import { FILES_FROM, oneOf, wholeNumber } from '../base/commandOptions.ts';
import { collectStats } from './collectStats.ts';
import { statsReport } from './statsReport.ts';
import { CaptureError } from '../read/captureDecoder.ts';
import { thrownError } from '../workers/thrownError.ts';
import { measuredReplay } from './replayRows.ts';

interface StatsOptions {
  readonly over: number;
  readonly perUpdate?: true;
  readonly format?: 'ndjson';
  readonly filesFrom?: string;
  readonly app?: string;
  readonly json?: true;
}

const COLUMNS = 80;

/** Creates the command `stats`, which shows counts, rates and the queue’s depth over time, or a row for each update (contract §7). */
export const statsCommand: CommandMaker = ({ output, finish, own }) =>
  new Command('stats')
    .description('shows counts, rates and the queue’s depth over time; or a row for each update')
    .argument(
      '[captures...]',
      'a capture, or a HAR with one WebSocket; with --per-update also several, folders, globs or s3://bucket/folder; - is stdin',
    )
    .option(
      '--over <updates>',
      'counts the time during which more updates than this waited',
      wholeNumber('--over'),
      10,
    )
    .option('--per-update', 'prints one row for each update instead, for SQL; of any number of captures')
    .option('--format <format>', 'the format of the rows: ndjson', oneOf('--format', ['ndjson']))
    .option(...FILES_FROM)
    .option(...APP)
    .option('--json', 'one JSON document on stdout')
    .action(async (given, options, command) => {
      const { app, json } = options;
      const [isOver, isRows] = [command.getOptionValueSource('over') === 'cli', options.perUpdate === true];
      if (isRows && (json === true || isOver))
        throw new UsageError('--json and --over are about one capture as a whole, not --per-update');
      if (!isRows && (options.format ?? options.filesFrom) !== undefined)
        throw new UsageError('--format and --files-from are for --per-update');
      const [one = '', ...others] = given;
      if (!isRows && (one === '' || others.length > 0))
        throw new UsageError('stats takes one capture; name several with --per-update');
      const adapter = app === undefined ? undefined : (await replayedBy(app, own)).adapter;
      if (isRows) {
        finish(await leaveSignalsToSystem(() => printRows({ given, ...options }, adapter, output)));
        return;
      }
      const capture = await oneCapture(one);
      const document = await leaveSignalsToSystem(() => statsOf(capture, { ...options, adapter }, output));
      output.out(json ? `${JSON.stringify(document)}\n` : statsReport(document, output.columns ?? COLUMNS));
      finish(EXIT.fine);
    });

/** Prints a row for each update of all captures, and a line for each capture that cannot be used. */
async function printRows(
  captures: GivenCaptures,
  adapter: SessionAdapter | undefined,
  output: Output,
): Promise<ExitStatus> {
  const isStdin = captures.given.length === 1 && captures.given[0] === STDIN;
  const progress = createProgress(output, systemClock(globalThis), 'reading');
  let status: ExitStatus = EXIT.fine;
  let count = 0;
  for await (const { path } of isStdin ? [{ path: STDIN }] : givenCaptures(captures)) {
    const problem = await printUpdateRows(path, adapter, output);
    if (problem !== undefined) {
      progress.end();
      output.err(`unusable ${problem}\n`);
      status = EXIT.unusable;
    }
    // On a terminal, its line would mix with the rows.
    if (output.isOutTerminal !== true) progress.show(pluralize(++count, 'capture'));
  }
  progress.end();
  return status;
}

interface Collected extends StatsOptions {
  readonly adapter: SessionAdapter | undefined;
}

async function statsOf(capture: string, { over, app, adapter }: Collected, output: Output) {
  const progress = await fileProgress(output, capture);
  try {
    const { header, records, warnings } = await readCapture(capture, progress);
    const stats = collectStats({ over, adapter });
    for await (const batch of records()) {
      if (!batch.every(stats.take)) break;
    }
    printWarnings(output, warnings);
    const { startedAt, app: recorder, version } = header;
    return { capture: captureName(capture), startedAt, app: recorder, version, ...stats.finish() };
  } catch (error) {
    throw adapterError(app, error);
  } finally {
    progress.end();
  }
}

/** Rows are printed when they are longer than this, characters: many updates can be released at once. */
const PIECE = 65_536;

/**
 * Replays a capture, and prints a line of JSON for each update while the capture is read. Returns why the capture cannot be used; the rows of the part before it
 * are printed then.
 * @param adapter that of another app; Parley by default.
 */
async function printUpdateRows(
  path: string,
  adapter: SessionAdapter | undefined,
  output: Output,
): Promise<string | undefined> {
  const capture = captureName(path);
  let rows = '';
  const print = () => {
    if (rows !== '') output.out(rows);
    rows = '';
  };
  const replay = measuredReplay(adapter, {
    onReleased(_tick, _receivedAt, row) {
      rows += `${JSON.stringify({ capture, ...row() })}\n`;
      if (rows.length > PIECE) print();
    },
  });
  try {
    const { records, warnings } = await readCapture(path);
    for await (const batch of records()) {
      const goesOn = batch.every(replay.take);
      print();
      await output.flushed?.();
      if (!goesOn) break;
    }
    replay.finish();
    printWarnings(output, warnings);
    return undefined;
  } catch (error) {
    return problemOf(capture, error);
  } finally {
    print();
  }
}

/** An error of the code is named without its message, which may contain values of the session. */
function problemOf(capture: string, error: unknown): string {
  if (error instanceof CaptureError) return error.message;
  return `${capture}: the replayed code threw ${error instanceof Error ? thrownError(error).name : 'a value'}`;
}
