import type { ReplayState } from '#shared/replay/adapter.ts';
import type { Action } from '@reduxjs/toolkit';
import { Command, Option } from '@commander-js/extra-typings';
import {
  APP,
  type CommandMaker,
  adapterError,
  refuseEngine,
  refuseThen,
  replayedBy,
} from '../adapter/loadAdapter.ts';
import { systemClock } from '#shared/clock.ts';
import type { Update } from '#shared/protocol/update.ts';
import { parleyAdapter } from '#shared/replay/adapter.ts';
import { continuedEngine, stateAfter } from '../engine/continuedEngine.ts';
import { type EngineOptions, type Step, createEngine } from '../engine/createEngine.ts';
import { type FileReplay, driveFast, drivePaced, replayFile } from '../engine/replayFile.ts';
import type { Notification, SessionAdapter, SessionState } from '../engine/sessionAdapter.ts';
import { parleyReports } from '../parley/parleyReports.ts';
import { oneCapture } from '../read/findCaptures.ts';
import { captureName, requireOneStdin } from '../read/stdin.ts';
import { EXIT, type ExitStatus, UsageError } from '../base/errors.ts';
import { escapeControls } from '../base/visibleText.ts';
import { fileProgress } from '../base/progress.ts';
import { type Output, printWarnings, writePieces } from '../base/output.ts';
import { leaveSignalsToSystem } from '../base/interruption.ts';
import {
  ONE_CAPTURE,
  THEN,
  listOf,
  milliseconds,
  oneOf,
  speed,
  wholeNumber,
} from '../base/commandOptions.ts';
import {
  APP_PARTS,
  type FinishedRun,
  PARTS,
  appRunDocument,
  documentJson,
  runDocument,
} from './runDocument.ts';
import { appRunReport, appStepLine, isParleys, runReport, stepLine } from './runReport.ts';

type Part = (typeof PARTS | typeof APP_PARTS)[number];

interface RunOptions {
  readonly hash?: true;
  readonly with?: ReadonlySet<Part>;
  readonly app?: string;
  readonly then?: readonly string[];
  readonly until?: number;
  readonly at?: number;
  readonly speed: number;
  readonly json?: true;
}

/** Creates the command `run`, which folds a capture through the app's own reducers and prints the result (contract §7). */
export const runCommand: CommandMaker = ({ output, finish }) =>
  new Command('run')
    .description('folds a capture through the app’s own reducers and prints the result')
    .argument('<capture>', ONE_CAPTURE)
    .option('--until <updates>', 'stops after this number of updates', wholeNumber('--until'))
    .option(
      '--at <ms>',
      'stops at this time, in milliseconds since the start of the recording',
      milliseconds('--at'),
    )
    .addOption(
      new Option(
        '--speed <factor>',
        'max, 1 for the recorded speed, 10 for ten times as fast; below max, each update is printed as it happens',
      )
        .argParser(speed)
        .default(Infinity, 'max'),
    )
    .option(
      '--engine <engine>',
      'fold or store: there is one engine, which both names select',
      oneOf('--engine', ['fold', 'store']),
      'fold',
    )
    .option(
      '--hash',
      'adds the hash of the result: the same on every machine, with every engine and at every speed',
    )
    .option(
      '--with <parts>',
      `adds ${PARTS.join(', ')}; with --app, ${APP_PARTS.join(', ')}; separated by commas`,
      listOf('--with', [...new Set<Part>([...PARTS, ...APP_PARTS])]),
    )
    .option(...APP)
    .option(...THEN)
    .option('--json', 'one JSON document on stdout')
    .action(async (given, options, command) => {
      const running = { ...options, given: await oneCapture(given) };
      const { app } = options;
      const parts = partsOf(options);
      if (app === undefined) {
        const shown = ofParley(parts, options);
        finish(await leaveSignalsToSystem(() => runSession(shown, running, output)));
        return;
      }
      refuseEngine(command);
      const replayedApp = await replayedBy(app);
      refuseThen(replayedApp, options.then);
      const shown = ofApp(replayedApp.adapter, parts, options);
      finish(
        await leaveSignalsToSystem(() => runSession(shown, running, output)).catch((error: unknown) => {
          throw adapterError(app, error);
        }),
      );
    });

/** Returns the parts of `--with`. @throws {UsageError} for a part that this replay does not have. */
function partsOf({ with: wanted = new Set(), app }: RunOptions): ReadonlySet<Part> {
  const [parts, when]: [readonly Part[], string] =
    app === undefined ? [PARTS, 'without --app'] : [APP_PARTS, 'with --app'];
  const other = [...wanted].find((part) => !parts.includes(part));
  if (other !== undefined) throw new UsageError(`--with ${other}: ${when}, there are ${parts.join(', ')}`);
  return wanted;
}

/** What `run` shows of an app. */
interface Shown<State extends SessionState, U, A> {
  readonly adapter: SessionAdapter<State, U, A>;
  stepLine(step: Step<State, U>): string;
  /** Returns the result: the document on one line, or a report for people. */
  result(done: FinishedRun<State>): Iterable<string>;
}

const ofParley = (
  parts: ReadonlySet<Part>,
  { hash, json }: RunOptions,
): Shown<ReplayState, Update, Action> => ({
  adapter: { ...parleyAdapter(), reports: parleyReports() },
  stepLine,
  result(done) {
    const document = runDocument(done, { hash, parts });
    return json ? documentJson(document) : runReport(document, done);
  },
});

const ofApp = (
  adapter: SessionAdapter,
  parts: ReadonlySet<Part>,
  { hash, json }: RunOptions,
): Shown<SessionState, unknown, unknown> => ({
  adapter,
  stepLine: appStepLine,
  result(done) {
    const document = appRunDocument(done, { hash, parts });
    return json ? [`${JSON.stringify(document)}\n`] : appRunReport(document, done);
  },
});

interface Running extends RunOptions {
  /** The path of the first capture. */
  readonly given: string;
}

async function runSession<State extends SessionState, U, A>(
  shown: Shown<State, U, A>,
  options: Running,
  output: Output,
): Promise<ExitStatus> {
  const { done, differences } = await replayed(shown, options, output);
  const { capture, header } = done;
  await writePieces(output, shown.result(done));
  if (differences.length > 0) {
    const paths = differences.map(({ path }) => path).join(', ');
    output.err(`${capture}: its beginning is not the state in which the capture before ends: ${paths}\n`);
    return EXIT.failed;
  }
  const isWhole = (options.until ?? options.at) === undefined;
  if (options.app !== undefined || !isWhole || !isOfAnotherApp(done)) return EXIT.fine;
  const recorder = escapeControls(header.app);
  output.err(
    `${capture}: none of its updates has an effect in Parley, and ${recorder} recorded it; if they are another app’s, name its adapter with --app\n`,
  );
  return EXIT.unusable;
}

/** Returns whether another program than Parley recorded a session in which each update is ignored. */
const isOfAnotherApp = ({ header, replay: { counts } }: FileReplay<SessionState>): boolean =>
  !isParleys(header) && counts.applied === 0 && counts.ignored > 0;

/** Replays a capture at the wanted speed, or the last one of `--then` after those before it. */
async function replayed<State extends SessionState, U, A>(
  shown: Shown<State, U, A>,
  wanted: Running,
  output: Output,
) {
  const { given, until, at, speed: factor, then = [], json } = wanted;
  const { adapter } = shown;
  requireOneStdin([given, ...then]);
  const path = then.at(-1) ?? given;
  const capture = captureName(path);
  const notifications: Notification[] = [];
  const options: EngineOptions<State, U> = {
    until,
    at,
    onNotification: (notification) => void notifications.push(notification),
    ...(factor < Infinity && !json && { onStep: (step) => output.out(shown.stepLine(step)) }),
  };
  const continued =
    then.length === 0
      ? undefined
      : continuedEngine({
          name: capture,
          adapter,
          options,
          after: await stateAfter([given, ...then.slice(0, -1)], adapter),
        });
  const engine = continued ?? createEngine(adapter, options);
  const progress = await fileProgress(output, path);
  const drive =
    factor < Infinity ? drivePaced({ clock: systemClock(globalThis), speed: factor, at }) : driveFast;
  const onRead = factor < Infinity ? undefined : progress.onRead;
  const replay = await replayFile(path, engine, { drive, onRead }).finally(progress.end);
  printWarnings(output, replay.warnings);
  return {
    done: { ...replay, capture, adapter, notifications },
    differences: continued?.differences() ?? [],
  };
}
