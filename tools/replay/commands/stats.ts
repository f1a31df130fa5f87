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
import { escapeControls, formatTime } from '../base/visibleText.ts';
import { captureField, field, jsonLine, jsonRow } from '../base/jsonDocument.ts';
import { leaveSignalsToSystem } from '../base/interruption.ts';
import { FILES_FROM, oneOf, wholeNumber } from '../base/commandOptions.ts';
import { type Stats, collectStats, statsSchema, tally } from './collectStats.ts';
import { CaptureError } from '../read/captureDecoder.ts';
import { thrownError } from '../workers/thrownError.ts';

/** The width of a report that is not on a terminal. */
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
  const stats = collectStats(over, adapter, view);
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
const rowOf = (step: Step<SessionState>, view: StatsView) => ({
  update: step.number,
  tick_ms: roundTime(step.tick),
  kind: step.kind,
  effect: step.effect,
  waited_ms: roundTime(step.tick - step.receivedAt),
  bytes: step.bytes,
  paths: [
    ...new Set(view.changes(step.before, step.after).map(({ path }) => path.replace(/\[\d+\]/g, '[*]'))),
  ],
  messages: view.messagesOf?.(step.after) ?? null,
  connection: step.after.connection.status,
});

/** An error of the code is named without its message, which may contain values of the session. */
function problemOf(capture: string, error: unknown): string {
  if (error instanceof CaptureError) return error.message;
  return `${capture}: the replayed code threw ${error instanceof Error ? thrownError(error).name : 'a value'}`;
}

/** The columns before a value. */
const NAMES = 16;
const MOST_COLUMNS = 100;

/** Formats the numbers for people, with two charts from the launch to the end, not wider than the terminal. */
function statsReport(stats: Stats, columns: number): string {
  const width = Math.max(10, Math.min(columns, MOST_COLUMNS) - NAMES - 2);
  const { frames, kinds, updates, windows, connection, rate, queue, overTime } = stats;
  const dropped = frames.dropped === null ? '' : `; ${frames.dropped} dropped unsent`;
  const { p50, p95, max } = queue.delayMs;
  const lines: readonly (readonly [string, string | null])[] = [
    ['started', escapeControls(stats.startedAt)],
    ['duration', formatTime(stats.durationMs)],
    ['records', listed(stats.records)],
    ['received', framesOf(frames.received)],
    ['  kinds', listed(kinds.received)],
    ['  rejected', listed(frames.rejected)],
    ['sent', `${framesOf(frames.sent)}${dropped}`],
    ['  categories', kinds.sent && listed(kinds.sent)],
    ['updates', `${updates.applied} applied, ${updates.ignored} ignored`],
    ...wrapped('acts', listed(stats.acts), width),
    ['windows', windows && windowsOf(windows)],
    ['connection', connectionText(connection)],
    ['  closes', listed(connection.closes, 'without a reason')],
    ['longest gap', gapText(stats.longestGap)],
    ['frames/s', `${rate.meanPerSecond} on average, ${rate.maxPerSecond} in the busiest second`],
    ['', chart(overTime.frames, width)],
    ['queue', `${queue.max} deep at most${queue.max > 0 ? `, at ${formatTime(queue.maxAtMs)}` : ''}`],
    ['', `over ${queue.over} for ${formatTime(queue.overMs)}`],
    ['', `waits ${ms(p50)} (median), ${ms(p95)} (95 %), ${ms(max)} (longest)`],
    ['', chart(overTime.queueDepth, width)],
  ];
  const body = lines.flatMap(([name, value]) =>
    value === null ? [] : `${`  ${name.padEnd(NAMES - 2)}  ${value}`.trimEnd()}\n`,
  );
  return `${escapeControls(stats.capture)}\n\n${body.join('')}`;
}

const connectionText = ({ opens, reconnects, downMs }: Stats['connection']): string =>
  `opened ${pluralize(opens, 'time')}, ${pluralize(reconnects, 'reconnect')}, down for ${formatTime(downMs)}`;

const gapText = ({ ms: length, fromMs, toMs }: Stats['longestGap']): string =>
  length === 0
    ? 'none'
    : `${formatTime(length)} without a frame, from ${formatTime(fromMs)} to ${formatTime(toMs)}`;

const ms = (value: number): string => `${Math.round(value)} ms`;

const framesOf = ({ count, bytes }: Stats['frames']['sent']): string =>
  `${pluralize(count, 'frame')}, ${size(bytes)}`;

const listed = (counts: Readonly<Record<string, number | undefined>>, unnamed = ''): string =>
  Object.entries(counts)
    .map(([name, n]) => `${n} ${escapeControls(name) || unnamed}`)
    .join(', ') || 'none';

/** Returns a list as rows that are not wider than `width`; an item is not broken. */
function wrapped(name: string, list: string, width: number): (readonly [string, string])[] {
  const rows: string[] = [];
  for (const item of list.split(', ')) {
    const row = rows.at(-1);
    if (row !== undefined && row.length + item.length + 3 <= width) rows[rows.length - 1] = `${row}, ${item}`;
    else rows.push(item);
  }
  return rows.map((row, i) => [i === 0 ? name : '', i === rows.length - 1 ? row : `${row},`] as const);
}

function windowsOf({ opened, closed, mostOpen, actions }: NonNullable<Stats['windows']>): string {
  const own = Object.values(actions).reduce((a, b) => a + b, 0);
  return `${opened} opened, ${closed} closed, at most ${mostOpen} open; ${pluralize(own, 'own action')}`;
}

const UNITS = ['bytes', 'kB', 'MB', 'GB'];

/** Formats bytes for people, in powers of 1000. */
function size(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power]}`;
}

const BLOCKS = ' ▁▂▃▄▅▆▇█';

/** Draws values as a line of at most `width` blocks. The highest value is the highest block; every value above 0 is visible. */
function chart(values: readonly number[], width: number): string {
  const columns = Math.min(values.length, width);
  const highest = Math.max(1, ...values);
  return Array.from({ length: columns }, (_, column) => {
    const [from, to] = [column, column + 1].map((at) => Math.floor((at * values.length) / columns));
    return BLOCKS[Math.ceil((Math.max(0, ...values.slice(from, to)) / highest) * (BLOCKS.length - 1))];
  }).join('');
}
