import { Command } from '@commander-js/extra-typings';
import { pluralize } from '#shared/formatText.ts';
import { isKnown } from '#shared/capture/captureFormat.ts';
import { roundTime, systemClock } from '#shared/clock.ts';
import { APP, type CommandMaker, replayedBy, runApp } from '../adapter/loadAdapter.ts';
import { valueDiff } from '../diff/valueDiff.ts';
import { type Step, createEngine } from '../engine/createEngine.ts';
import { type Drive, preparedFor, replayFile } from '../engine/replayFile.ts';
import type { Replayed, SessionAdapter, SessionState } from '../engine/sessionAdapter.ts';
import { ownStateOf } from '../engine/stateReports.ts';
import type { StatsView, Tally } from '../adapter/toolApp.ts';
import { type GivenCaptures, givenCaptures, oneCapture } from '../read/findCaptures.ts';
import { STDIN, captureName } from '../read/stdin.ts';
import { EXIT, type ExitStatus, UsageError } from '../base/errors.ts';
import { createProgress, fileProgress } from '../base/progress.ts';
import { type Output, printWarnings } from '../base/output.ts';
import { captureField, field, jsonLine, jsonRow } from '../base/jsonDocument.ts';
import { leaveSignalsToSystem } from '../base/interruption.ts';
import { FILES_FROM, oneOf, wholeNumber } from '../base/commandOptions.ts';
import { collectStats, statsSchema, tally } from './collectStats.ts';
import { statsReport } from './statsReport.ts';
import { CaptureError } from '../read/captureDecoder.ts';
import { thrownError } from '../workers/thrownError.ts';

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
      const { app, json, over, perUpdate: isRows = false } = options;
      if (isRows && (json === true || command.getOptionValueSource('over') === 'cli'))
        throw new UsageError('--json and --over are about one capture as a whole, not --per-update');
      if (!isRows && (options.format ?? options.filesFrom) !== undefined)
        throw new UsageError('--format and --files-from are for --per-update');
      const [one = '', ...others] = given;
      if (!isRows && (one === '' || others.length > 0))
        throw new UsageError('stats takes one capture; name several with --per-update');
      const replayed = await replayedBy(app, own);
      const view = (app === undefined ? own.stats : undefined) ?? appStats(replayed.adapter);
      const session = { replayed, view };
      if (isRows) {
        finish(await leaveSignalsToSystem(() => printRows({ given, ...options }, session, output)));
        return;
      }
      const capture = await oneCapture(one);
      const document = await runApp(app, () => statsOf(capture, { ...session, over }, output));
      output.out(json ? jsonLine(statsSchema, document) : statsReport(document, output.columns ?? COLUMNS));
    });

/** What `stats` measures of another app. */
const appStats = (adapter: SessionAdapter): StatsView => ({
  changes: (before, after) => valueDiff(ownStateOf(adapter, before), ownStateOf(adapter, after)),
  watchActs() {
    const acts: Tally = {};
    return {
      take: (record) => isKnown(record) && record.type === 'action' && tally(acts, record.action.type),
      counts: () => ({ acts, windows: null }),
    };
  },
});

interface Measured {
  readonly replayed: Replayed;
  readonly view: StatsView;
}

/** Prints a row for each update of all captures, and a line for each capture that cannot be used. */
async function printRows(captures: GivenCaptures, session: Measured, output: Output): Promise<ExitStatus> {
  const isStdin = captures.given.length === 1 && captures.given[0] === STDIN;
  const progress = createProgress(output, systemClock(globalThis), 'reading');
  let status: ExitStatus = EXIT.fine;
  let count = 0;
  for await (const { path } of isStdin ? [{ path: STDIN }] : givenCaptures(captures)) {
    await printUpdateRows(path, session, output).catch((error: unknown) => {
      progress.end();
      output.err(`unusable ${problemOf(captureName(path), error)}\n`);
      status = EXIT.unusable;
    });
    // On a terminal, its line would mix with the rows.
    if (output.isOutTerminal !== true) progress.show(pluralize(++count, 'capture'));
  }
  progress.end();
  return status;
}

async function statsOf(
  capture: string,
  { over, replayed, view }: Measured & { readonly over: number },
  output: Output,
) {
  const { adapter, warnings: ofApp } = await preparedFor(capture, replayed);
  const { onRead, end } = await fileProgress(output, capture);
  const stats = collectStats({ over, adapter, view });
  const { header, replay, warnings } = await replayFile(capture, stats, { onRead }).finally(end);
  printWarnings(output, [...warnings, ...ofApp]);
  const { startedAt, app, version } = header;
  return { capture: captureName(capture), startedAt, app, version, ...replay };
}

/** Rows are printed when they are longer than this, characters: many updates can be released at once. */
const PIECE = 65_536;

/**
 * Replays a capture, and prints a line of JSON for each update while the capture is read. When it rejects, the rows of the part before the problem are
 * printed.
 */
async function printUpdateRows(path: string, { replayed, view }: Measured, output: Output): Promise<void> {
  const capture = captureName(path);
  const { adapter, warnings: ofApp } = await preparedFor(path, replayed);
  let rows = '';
  const print = () => {
    if (rows !== '') output.out(rows);
    rows = '';
  };
  const engine = createEngine(adapter, {
    onStep(step) {
      rows += jsonLine(rowSchema, { capture, ...rowOf(step, view) });
      if (rows.length > PIECE) print();
    },
  });
  const drive: Drive = async (batches) => {
    for await (const batch of batches) {
      const goesOn = batch.every(engine.take);
      print();
      await output.flushed?.();
      if (!goesOn) return;
    }
  };
  const { warnings } = await replayFile(path, engine, { drive }).finally(print);
  printWarnings(output, [...warnings, ...ofApp]);
}

/** No column contains texts of messages. */
const rowSchema = jsonRow('stats --per-update', 'one line for each update', {
  capture: captureField,
  update: field.number('the number of the update, from 1'),
  tick_ms: field.number('the tick that released it, milliseconds since the start of the recording'),
  kind: field.text('the kind of the update'),
  effect: field.choice(['applied', 'ignored'], 'whether it had an effect'),
  waited_ms: field.number('from its receipt to its tick, milliseconds'),
  bytes: field.number('the size of its frame'),
  paths: field.texts('the paths that it changed, with indices as `*`, each once'),
  messages: field.number('the number of messages after it; `null` for another app').nullable(),
  connection: field.text('the status of the connection'),
});

/** Returns the row of an update. */
const rowOf = (
  { number, tick, receivedAt, before, after, ...step }: Step<SessionState>,
  view: StatsView,
) => ({
  update: number,
  tick_ms: roundTime(tick),
  kind: step.kind,
  effect: step.effect,
  waited_ms: roundTime(tick - receivedAt),
  bytes: step.bytes,
  paths: [...new Set(view.changes(before, after).map(({ path }) => path.replace(/\[\d+\]/g, '[*]')))],
  messages: view.messagesOf?.(after) ?? null,
  connection: after.connection.status,
});

/** An error of the code is named without its message, which may contain values of the session. */
function problemOf(capture: string, error: unknown): string {
  if (error instanceof CaptureError) return error.message;
  return `${capture}: the replayed code threw ${error instanceof Error ? thrownError(error).name : 'a value'}`;
}
