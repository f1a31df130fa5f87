import { Command, Option } from '@commander-js/extra-typings';
import { z } from 'zod';
import {
  APP,
  type CommandMaker,
  refuseEngine,
  refuseThen,
  replayedBy,
  runApp,
} from '../adapter/loadAdapter.ts';
import type { CaptureHeader } from '#shared/capture/captureFormat.ts';
import { systemClock } from '#shared/clock.ts';
import { clip } from '#shared/formatText.ts';
import { continuedEngine, stateAfter } from '../engine/continuedEngine.ts';
import { type EngineOptions, type Step, createEngine } from '../engine/createEngine.ts';
import { drivePaced, preparedFor, replayFile } from '../engine/replayFile.ts';
import type { Notification, Replayed, SessionState } from '../engine/sessionAdapter.ts';
import { createOutcome, reportsOf, viewOf } from '../engine/stateReports.ts';
import type { RunView } from '../adapter/toolApp.ts';
import { oneCapture } from '../read/findCaptures.ts';
import { captureName, requireOneStdin } from '../read/stdin.ts';
import { EXIT, type ExitStatus, UsageError } from '../base/errors.ts';
import { REJECT_REASONS } from '../base/describeUpdate.ts';
import { escapeControls, formatTime, updateLine } from '../base/visibleText.ts';
import { fileProgress } from '../base/progress.ts';
import { type Output, printWarnings, writePieces } from '../base/output.ts';
import { field, jsonDocument, jsonPieces, optional, sessionFields } from '../base/jsonDocument.ts';
import {
  ONE_CAPTURE,
  THEN,
  listOf,
  milliseconds,
  oneOf,
  speed,
  wholeNumber,
} from '../base/commandOptions.ts';

/** The parts of `--with` can be large, so they are not parsed. */
const runSchema = jsonDocument('run', 'the result of a replay', {
  ...sessionFields,
  frames: z.object({
    received: field.number('the number of frames from the platform'),
    sent: field.number('the number of frames to the platform'),
    rejected: field.number('the number of received frames that were rejected'),
  }),
  updates: z.object({
    applied: field.number('the number of updates that had an effect'),
    ignored: field.number('the number of updates without a target'),
  }),
  virtualMs: field.number('the last used tick, milliseconds since the launch'),
  wallMs: field.number('the time from opening the file to the last folded update, milliseconds'),
  hash: optional.text('with `--hash`: `sha256:` and the digest of the result'),
  stateHash: optional.text('with `--hash --with state`: the digest of `hash` and the state'),
  conversation: optional.any('with `--with conversation`: the person and the messages'),
  notifications: optional.any('with `--with notifications`: the title and the body of each notification'),
  state: optional.any('with `--with state`: the rest of the state; with `--app`, the app’s own state'),
  display: optional.any('with `--app` and `--with display`: what the app’s adapter shows'),
});

type RunDocument = z.input<typeof runSchema>;

const declare = (own: RunView) =>
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
      `adds ${partsOf(own).join(', ')}; with --app, ${partsOf(appRun).join(', ')}; separated by commas`,
      listOf('--with', [...new Set([...partsOf(own), ...partsOf(appRun)])]),
    )
    .option(...APP)
    .option(...THEN)
    .option('--json', 'one JSON document on stdout');

/** Creates the command `run`, which folds a capture through the app’s own reducers and prints the result (contract §7). */
export const runCommand: CommandMaker = ({ output, finish, own }) =>
  declare(own.run ?? appRun).action(async (capture, options, command) => {
    const { app } = options;
    const given = await oneCapture(capture);
    const view = (app === undefined ? own.run : undefined) ?? appRun;
    refuseOtherParts(view, options);
    if (app !== undefined) refuseEngine(command);
    const session = await replayedBy(app, own);
    refuseThen(session, options.then);
    const running = { ...options, given, view, session, ownName: own.adapter.name };
    finish(await runApp(app, () => runSession(running, output)));
  });

const partsOf = ({ parts }: RunView): readonly string[] => Object.keys(parts);

/** What `run` shows of another app. */
const appRun: RunView = {
  parts: {
    state: { value: ({ adapter, replay }) => viewOf(adapter, replay).state, text: indentedJson },
    display: { value: ({ adapter, replay }) => viewOf(adapter, replay).display ?? null, text: indentedJson },
  },
  advised: 'state,display',
  describe: ({ update }) => clip(escapeControls(JSON.stringify(update) ?? ''), 100),
};

/** Formats a value as JSON, indented; its own indentation stays. */
function* indentedJson(value: unknown, name: string): Generator<string, void> {
  yield `\n${name}\n`;
  for (const line of JSON.stringify(value, null, 2).split('\n')) {
    const start = line.search(/\S|$/);
    yield `  ${line.slice(0, start)}${escapeControls(line.slice(start))}\n`;
  }
}

type Options = ReturnType<ReturnType<typeof declare>['opts']>;

/** @throws {UsageError} for a part that this replay does not have. */
function refuseOtherParts(view: RunView, { with: wanted = new Set(), app }: Options): void {
  const parts = partsOf(view);
  const when = app === undefined ? 'without --app' : 'with --app';
  const other = [...wanted].find((part) => !parts.includes(part));
  if (other !== undefined) throw new UsageError(`--with ${other}: ${when}, there are ${parts.join(', ')}`);
}

interface Running extends Options {
  /** The path of the first capture. */
  readonly given: string;
  readonly view: RunView;
  readonly session: Replayed;
  /** The name of the app that is replayed without `--app`. */
  readonly ownName: string;
}

async function runSession(options: Running, output: Output): Promise<ExitStatus> {
  const { done, differences } = await replayed(options, output);
  const { capture, header, replay } = done;
  const document = documentOf(done, options);
  await writePieces(output, options.json ? jsonPieces(runSchema, document) : report(document, done, options));
  if (differences.length > 0) {
    const paths = differences.map(({ path }) => path).join(', ');
    output.err(`${capture}: its beginning is not the state in which the capture before ends: ${paths}\n`);
    return EXIT.failed;
  }
  const isWhole = (options.until ?? options.at) === undefined;
  const { applied, ignored } = replay.counts;
  const isOfAnotherApp = !isOwn(header) && applied === 0 && ignored > 0;
  if (options.app !== undefined || !isWhole || !isOfAnotherApp) return EXIT.fine;
  output.err(
    `${capture}: none of its updates has an effect in ${options.ownName}, and ${escapeControls(header.app)} recorded it; if they are another app’s, name its adapter with --app\n`,
  );
  return EXIT.unusable;
}

/** Returns whether the own app recorded a session: only it leaves its name out. */
const isOwn = ({ app }: CaptureHeader): boolean => /^\d/.test(app);

/** Replays a capture at the wanted speed, or the last one of `--then` after those before it. */
async function replayed(wanted: Running, output: Output) {
  const { given, until, at, speed: factor, then = [], json, session, view } = wanted;
  requireOneStdin([given, ...then]);
  const path = then.at(-1) ?? given;
  const start = performance.now();
  const { adapter, warnings } = await preparedFor(path, session);
  const preparedMs = performance.now() - start;
  const capture = captureName(path);
  const notifications: Notification[] = [];
  const isPaced = factor < Infinity;
  const print = (step: Step<SessionState>) =>
    output.out(updateLine(step, adapter.describeUpdate?.(step.update) ?? view.describe(step)));
  const options: EngineOptions<SessionState, unknown> = {
    until,
    at,
    onNotification: (notification) => void notifications.push(notification),
    onStep: isPaced && !json ? print : undefined,
  };
  const before = [given, ...then.slice(0, -1)] as const;
  const continued =
    then.length === 0
      ? undefined
      : continuedEngine({ name: capture, adapter, options, after: await stateAfter(before, adapter) });
  const engine = continued ?? createEngine(adapter, options);
  const progress = await fileProgress(output, path);
  const driving = isPaced
    ? { drive: drivePaced({ clock: systemClock(globalThis), speed: factor, at }) }
    : { onRead: progress.onRead };
  const replay = await replayFile(path, engine, driving).finally(progress.end);
  printWarnings(output, [...replay.warnings, ...warnings]);
  return {
    done: { ...replay, wallMs: preparedMs + replay.wallMs, capture, adapter, notifications },
    differences: continued?.differences() ?? [],
  };
}

type Done = Awaited<ReturnType<typeof replayed>>['done'];

/** Creates the document: the numbers, and the wanted parts (contract §7). */
function documentOf(done: Done, { hash, with: wanted, app, view }: Running): RunDocument {
  const { capture, replay, notifications, wallMs, adapter } = done;
  const replayHash = hash && reportsOf(adapter).hash(replay, notifications);
  const parts = Object.entries(view.parts).filter(([name]) => wanted?.has(name));
  return {
    capture,
    app: app && adapter.name,
    ...createOutcome(replay),
    virtualMs: replay.queue.lastTick,
    wallMs: Math.round(wallMs * 10) / 10,
    hash: replayHash,
    stateHash: replayHash && wanted?.has('state') ? view.stateHash?.(replayHash, done) : undefined,
    ...Object.fromEntries(parts.map(([name, { value }]): [string, unknown] => [name, value(done)])),
  };
}

/** Formats the result for people, in pieces: the summary, then the parts of `--with`. */
function* report(document: RunDocument & Readonly<Record<string, unknown>>, done: Done, running: Running) {
  const { view } = running;
  yield summary(document, done, running);
  const shown = Object.entries(view.parts).filter(([name]) => name in document);
  for (const [name, { text }] of shown) yield* text(document[name], name);
  if (shown.length === 0) yield `\nUse --with ${view.advised} to see the result.\n`;
}

/** Summarizes a replay for people, one line for each number. */
function summary(
  { capture, frames, updates, virtualMs, wallMs, hash, stateHash }: RunDocument,
  done: Done,
  { view, ownName }: Running,
): string {
  const { header, replay } = done;
  const { counts, queue } = replay;
  const { dropped: unsent = 0 } = counts;
  const dropped = unsent > 0 ? `, ${unsent} dropped unsent` : '';
  const waiting = queue.length > 0 ? `, ${queue.length} still waiting` : '';
  const recorder = isOwn(header) ? `${ownName} ${header.app}` : header.app;
  const rejected = Object.entries(counts.rejected).map(
    ([reason, n]) => `${n} ${REASONS[reason] ?? escapeControls(reason)}`,
  );
  const rejections = frames.rejected === 0 ? '' : ` (${frames.rejected} rejected: ${rejected.join(', ')})`;
  const lines: readonly (readonly [string, string | undefined])[] = [
    ['recorded', `${escapeControls(header.startedAt)}, by ${escapeControls(recorder)}`],
    ['frames', `${frames.received} received${rejections}, ${frames.sent} sent${dropped}`],
    ['updates', `${updates.applied} applied, ${updates.ignored} ignored${waiting}`],
    ['session', `${formatTime(virtualMs)} to the last update`],
    ['replayed in', `${wallMs} ms`],
    ['hash', hash],
    ['state hash', stateHash],
    ['ends with', view.ending?.(done)],
  ];
  const text = lines.flatMap(([name, value]) =>
    value === undefined ? [] : `  ${name.padEnd(12)} ${value}\n`,
  );
  return `${escapeControls(capture)}\n\n${text.join('')}`;
}

const REASONS: Readonly<Record<string, string>> = REJECT_REASONS;
