import { Command, Option } from 'commander';
import {
  APP,
  type CommandMaker,
  adapterError,
  refuseEngine,
  refuseThen,
  replayedBy,
} from '../adapter/loadAdapter.ts';
import { systemClock } from '#shared/clock.ts';
import type { Change } from '../diff/valueDiff.ts';
import { parleyAdapter } from '#shared/replay/adapter.ts';
import { type EngineOptions, createEngine } from '../engine/createEngine.ts';
import { type FileReplay, driveFast, drivePaced, replayFile } from '../engine/replayFile.ts';
import { type ParleyOptions, replayOf } from '../parley/parley.ts';
import { parleyReports } from '../parley/parleyReports.ts';
import type { Notification, SessionAdapter, SessionState } from '../engine/sessionAdapter.ts';
import { continuedEngine, stateAfter } from '../engine/continuedEngine.ts';
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
import { APP_PARTS, appRunDocument, appRunReport, appStepLine } from '../run/appRun.ts';
import { PARTS, documentJson, runDocument } from '../run/runDocument.ts';
import { runReport, stepLine } from '../run/runReport.ts';

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
    .action(async (given: string, options: RunOptions, command: Command) => {
      const capture = await oneCapture(given);
      if (options.app === undefined) {
        finish(await leaveSignalsToSystem(() => runParley(capture, options, output)));
        return;
      }
      refuseEngine(command);
      finish(await runApp(capture, { ...options, app: options.app }, output));
    });

/** Parley, with the types of its states. */
const parley = { ...parleyAdapter(), reports: parleyReports() };

async function runParley(given: string, options: RunOptions, output: Output): Promise<ExitStatus> {
  const { until, at, json, hash } = options;
  const parts = partsOf(options, PARTS, 'without --app');
  const engineOptions: ParleyOptions = {
    until,
    at,
    ...(printsSteps(options) && { onStep: (step) => output.out(stepLine(step)) }),
  };
  const replay = { ...options, given, adapter: parley, engineOptions };
  const { done, notifications, name, differences } = await replayed(replay, output);
  const whole = { ...done, replay: replayOf(done.replay, notifications) };
  const document = await runDocument(name, whole, { hash, with: parts });
  await writePieces(output, json ? documentJson(document) : runReport(document, whole));
  if (isOtherBeginning(name, differences, output)) return EXIT.failed;
  if ((until ?? at) !== undefined || !isOfAnotherApp(done)) return EXIT.fine;
  const recorder = escapeControls(done.header.app);
  output.err(
    `${name}: none of its updates has an effect in Parley, and ${recorder} recorded it; if they are another app’s, name its adapter with --app\n`,
  );
  return EXIT.unusable;
}

/** Reports that a capture does not begin with the state in which the one before it ends; returns whether that is so. */
function isOtherBeginning(name: string, differences: readonly Change[], output: Output): boolean {
  const paths = differences.map(({ path }) => path);
  if (paths.length === 0) return false;
  output.err(
    `${name}: its beginning is not the state in which the capture before ends: ${paths.join(', ')}\n`,
  );
  return true;
}

/** Returns whether another program than Parley recorded a session in which each update is ignored. */
const isOfAnotherApp = ({ header, replay: { counts } }: FileReplay<SessionState>): boolean =>
  !/^\d/.test(header.app) && counts.applied === 0 && counts.ignored > 0;

/** Replays the frames of another app with its adapter. */
async function runApp(
  given: string,
  options: RunOptions & { readonly app: string },
  output: Output,
): Promise<ExitStatus> {
  const { until, at, json, hash } = options;
  const parts = partsOf(options, APP_PARTS, 'with --app');
  const app = await replayedBy(options.app);
  refuseThen(app, options.then);
  const engineOptions: EngineOptions<SessionState, unknown> = {
    until,
    at,
    ...(printsSteps(options) && { onStep: (step) => output.out(appStepLine(step)) }),
  };
  return leaveSignalsToSystem(async () => {
    const replay = { ...options, given, adapter: app.adapter, engineOptions };
    const { done, notifications, name, differences } = await replayed(replay, output);
    const about = { capture: name, adapter: app.adapter, notifications };
    const document = appRunDocument(about, done, { hash, with: parts });
    output.out(json ? `${JSON.stringify(document)}\n` : appRunReport(document, done));
    return isOtherBeginning(name, differences, output) ? EXIT.failed : EXIT.fine;
  }).catch((error: unknown) => {
    throw adapterError(options.app, error);
  });
}

/** Returns the parts of `--with`. @throws {UsageError} for a part that this replay does not have. */
function partsOf<P extends Part>(
  { with: wanted = new Set() }: RunOptions,
  parts: readonly P[],
  when: string,
): ReadonlySet<P> {
  const isPart = (part: Part): part is P => parts.some((one) => one === part);
  const other = [...wanted].find((part) => !isPart(part));
  if (other !== undefined) throw new UsageError(`--with ${other}: ${when}, there are ${parts.join(', ')}`);
  return new Set([...wanted].filter(isPart));
}

const printsSteps = ({ speed: factor, json }: RunOptions): boolean => factor < Infinity && !json;

interface Replaying<State extends SessionState, Update, Action> extends Pick<
  RunOptions,
  'at' | 'speed' | 'then'
> {
  readonly given: string;
  readonly adapter: SessionAdapter<State, Update, Action>;
  readonly engineOptions: EngineOptions<State, Update>;
}

/** Replays a capture at the wanted speed, or the last one of `--then` after those before it. */
async function replayed<State extends SessionState, Update, Action>(
  { given, then = [], adapter, engineOptions, at, speed: factor }: Replaying<State, Update, Action>,
  output: Output,
) {
  requireOneStdin([given, ...then]);
  const capture = then.at(-1) ?? given;
  const name = captureName(capture);
  const notifications: Notification[] = [];
  const options: EngineOptions<State, Update> = {
    ...engineOptions,
    onNotification: (notification) => void notifications.push(notification),
  };
  const continued =
    then.length === 0
      ? undefined
      : continuedEngine({
          name,
          adapter,
          options,
          after: await stateAfter([given, ...then.slice(0, -1)], adapter),
        });
  const engine = continued ?? createEngine(adapter, options);
  const progress = await fileProgress(output, capture);
  const drive =
    factor < Infinity ? drivePaced({ clock: systemClock(globalThis), speed: factor, at }) : driveFast;
  const onRead = factor < Infinity ? undefined : progress.onRead;
  try {
    const done = await replayFile(capture, engine, { drive, onRead });
    printWarnings(output, done.warnings);
    return { done, notifications, name, differences: continued?.differences() ?? [] };
  } finally {
    progress.end();
  }
}
