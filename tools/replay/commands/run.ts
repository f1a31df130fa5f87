import { Command, Option } from 'commander';
import { APP, refuseParleyOptions } from '../adapter/appOption.ts';
import { adapterOf } from '../adapter/bundleAdapter.ts';
import { adapterError } from '../adapter/loadAdapter.ts';
import { systemClock } from '#shared/time/systemClock.ts';
import { sessionOf } from '../engine/appSession.ts';
import { createEngine } from '../engine/createEngine.ts';
import { driveFast, drivePaced } from '../engine/drive.ts';
import { type ParleyOptions, createParleyEngine } from '../engine/parley.ts';
import type { PacedEngine } from '../engine/replay.ts';
import { continuedEngine } from '../sessions/continuedEngine.ts';
import { stateAfter } from '../sessions/stateAfter.ts';
import { oneCapture } from '../read/findCaptures.ts';
import { type FileReplay, replayFile } from '../engine/replayFile.ts';
import { captureName, requireOneStdin } from '../read/stdin.ts';
import { EXIT, type ExitStatus, UsageError } from '../base/errors.ts';
import { escapeControls } from '../base/visibleText.ts';
import { fileProgress } from '../base/progress.ts';
import { type Output, printWarnings, writePieces } from '../base/output.ts';
import { leaveSignalsToSystem } from '../base/interruption.ts';
import {
  type CommandMaker,
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
import { runReport } from '../run/runReport.ts';
import { stepLine } from '../run/stepLine.ts';

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
export const runCommand: CommandMaker = (output, finish) =>
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
      refuseParleyOptions(command);
      await runApp(capture, { ...options, app: options.app }, output);
      finish(EXIT.fine);
    });

async function runParley(given: string, options: RunOptions, output: Output): Promise<ExitStatus> {
  const { until, at, json, hash, then = [] } = options;
  const parts = partsOf(options, PARTS, 'without --app');
  const limits: ParleyOptions = {
    until,
    at,
    ...(printsSteps(options) && { onStep: (step) => output.out(stepLine(step)) }),
  };
  requireOneStdin([given, ...then]);
  const capture = then.at(-1) ?? given;
  const name = captureName(capture);
  const before = [given, ...then.slice(0, -1)] as const;
  const continued =
    then.length === 0
      ? undefined
      : continuedEngine({
          name,
          create: createParleyEngine,
          options: limits,
          after: await stateAfter(before, createParleyEngine),
        });
  const done = await replayed(
    capture,
    { ...options, engine: continued ?? createParleyEngine(limits) },
    output,
  );
  const document = await runDocument(name, done, { hash, with: parts });
  await writePieces(output, json ? documentJson(document) : runReport(document, done));
  const paths = continued?.differences().map(({ path }) => path) ?? [];
  if (paths.length > 0) {
    output.err(
      `${name}: its beginning is not the state in which the capture before ends: ${paths.join(', ')}\n`,
    );
    return EXIT.failed;
  }
  if ((until ?? at) !== undefined || !isOfAnotherApp(done)) return EXIT.fine;
  const recorder = escapeControls(done.header.app);
  output.err(
    `${name}: none of its updates has an effect in Parley, and ${recorder} recorded it; if they are another app’s, name its adapter with --app\n`,
  );
  return EXIT.unusable;
}

/** Returns whether another program than Parley recorded a session in which each update is ignored. */
const isOfAnotherApp = ({ header, replay: { counts } }: FileReplay): boolean =>
  !/^\d/.test(header.app) && counts.applied === 0 && counts.ignored > 0;

/** Replays the frames of another app with its adapter. */
async function runApp(
  capture: string,
  options: RunOptions & { readonly app: string },
  output: Output,
): Promise<void> {
  const { until, at, json, hash } = options;
  const parts = partsOf(options, APP_PARTS, 'with --app');
  const adapter = await adapterOf(options.app);
  const engine = createEngine(sessionOf(adapter), {
    until,
    at,
    ...(printsSteps(options) && { onStep: (step) => output.out(appStepLine(step)) }),
  });
  await leaveSignalsToSystem(async () => {
    const done = await replayed(capture, { ...options, engine }, output);
    const document = appRunDocument({ capture: captureName(capture), adapter }, done, { hash, with: parts });
    output.out(json ? `${JSON.stringify(document)}\n` : appRunReport(document, done));
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

type ReplayedBy<R> = Pick<RunOptions, 'at' | 'speed'> & { readonly engine: PacedEngine<R> };

/** Replays a capture at the wanted speed. */
async function replayed<R>(
  capture: string,
  { engine, at, speed: factor }: ReplayedBy<R>,
  output: Output,
): Promise<FileReplay<R>> {
  const progress = await fileProgress(output, capture);
  const drive =
    factor < Infinity ? drivePaced({ clock: systemClock(globalThis), speed: factor, at }) : driveFast;
  const onRead = factor < Infinity ? undefined : progress.onRead;
  try {
    const done = await replayFile(capture, engine, { drive, onRead });
    printWarnings(output, done.warnings);
    return done;
  } finally {
    progress.end();
  }
}
