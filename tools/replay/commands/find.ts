import { stringifyChunked } from '@discoveryjs/json-ext';
import { setImmediate } from 'node:timers/promises';
import { Command } from '@commander-js/extra-typings';
import { z } from 'zod';
import { APP, type CommandMaker } from '../adapter/loadAdapter.ts';
import { ONE_CAPTURE, stepOrTime, timeOption, wholeNumber } from '../base/commandOptions.ts';
import { EXIT, type ExitStatus, UsageError } from '../base/errors.ts';
import { leaveSignalsToSystem } from '../base/interruption.ts';
import { captureField, shapeVersion } from '../base/jsonDocument.ts';
import { type Output, writePieces } from '../base/output.ts';
import { escapeControls } from '../base/visibleText.ts';
import { type Target, findSteps } from '../inspector/model/search/findStep.ts';
import { STEP_KINDS } from '../inspector/model/trace/stepKinds.ts';
import { stateReader } from '../inspector/model/trace/stateReader.ts';
import { rowReader } from '../inspector/model/trace/steps.ts';
import { type Trace, countWhile } from '../inspector/model/trace/trace.ts';
import { formatTime } from '../inspector/time/formatTime.ts';
import { oneCapture } from '../read/findCaptures.ts';
import { captureName } from '../read/stdin.ts';
import { asUsageError, loadTrace } from '../why/loadTrace.ts';

const stepSchema = z.object({
  step: z.number().describe('the number of the step, as the inspector shows it'),
  kind: z.enum(STEP_KINDS).describe('what happened'),
  t: z.number().describe('its time, milliseconds since the start of the recording'),
  delay: z.number().optional().describe('of an update: from the receipt of its frame, milliseconds'),
  update: z.number().optional().describe('of an update: its number, from 1'),
  updateKind: z.string().optional().describe('of an update and its frame: its kind'),
  record: z.number().describe('the number of its record in the capture, from 1'),
  bytes: z.number().optional().describe('of a frame: its size on the wire'),
  changed: z.boolean().describe('whether it changed what a person sees'),
  actionType: z.string().optional().describe('of an act: the type of its action'),
  window: z.number().optional().describe('of an act: the number of its window'),
  summary: z.string().describe('how the inspector describes it, at most 120 characters'),
});

/** The document of `find --json`. */
export const findSchema = z.object({
  capture: captureField,
  app: z.string().optional().describe('the name of the app of `--app`'),
  steps: z.array(stepSchema).describe('the steps that match, in order'),
  isCut: z.boolean().describe('whether `--limit` ended the search'),
  version: shapeVersion(1),
});

const declare = () =>
  new Command('find')
    .description('prints the steps that match one of the options, as the inspector’s search finds them')
    .argument('<capture>', ONE_CAPTURE)
    .argument('[text]', 'frames and acts that contain this text, ignoring case, or match /…/')
    .option('--expression <expression>', 'where it becomes true: connection == "connected"')
    .option('--change <path>', 'where the value at this path of the state changes: messages[3].seen')
    .option('--frame <text>', 'frames that contain this text, ignoring case, or match /…/')
    .option('--act <text>', 'acts (recorded actions) that contain this text, ignoring case, or match /…/')
    .option('--message <id>', 'updates that contain the message with this id')
    .option('--update <n>', 'the update with this number', wholeNumber('--update', 1))
    .option('--time <time>', 'the first step at or after this time: 1.230, 2:03.400', timeOption('--time'))
    .option('--from <step>', 'begins at this step or time (default: the first step)', stepOrTime('--from'))
    .option('--limit <n>', 'stops after this number of steps', wholeNumber('--limit', 1))
    .option(...APP)
    .option('--json', 'one JSON document on stdout');

type Options = ReturnType<ReturnType<typeof declare>['opts']>;

/** Creates the command `find`, which prints the steps that match (contract §7). */
export const findCommand: CommandMaker = ({ output, finish, own }) =>
  declare().action(async (given, text, options) => {
    const targets = targetsOf(text, options);
    if (targets.length === 0)
      throw new UsageError(
        'name what to find: a text, --expression, --change, --frame, --act, --message, --update or --time',
      );
    const path = await oneCapture(given);
    const finding = leaveSignalsToSystem(async () => {
      const trace = await loadTrace(path, { app: options.app, own, output });
      return printSteps(trace, { ...options, targets, capture: captureName(path) }, output);
    });
    finish(
      await finding.catch((error: unknown) => {
        throw asUsageError(error);
      }),
    );
  });

function targetsOf(text: string | undefined, options: Options): Target[] {
  const { expression, change, frame, act, message, update, time } = options;
  const targets: (Target | false)[] = [
    text !== undefined && { kind: 'frame', text },
    expression !== undefined && { kind: 'expression', expression },
    change !== undefined && { kind: 'change', path: change },
    frame !== undefined && { kind: 'frame', text: frame, among: ['received', 'rejected', 'sent'] },
    act !== undefined && { kind: 'frame', text: act, among: ['action'] },
    message !== undefined && { kind: 'message', id: message },
    update !== undefined && { kind: 'update', number: update },
    time !== undefined && { kind: 'time', t: time },
  ];
  return targets.filter((target) => target !== false);
}

interface Finding extends Options {
  readonly targets: readonly Target[];
  readonly capture: string;
}

/** The number of steps between two pauses, in which the output is flushed. */
const PIECE = 1000;

/** Prints each step as soon as it is found; with `--json`, all at the end. */
async function printSteps(
  trace: Trace,
  { targets, capture, from, limit = Infinity, json, app }: Finding,
  output: Output,
): Promise<ExitStatus> {
  const rowAt = rowReader(trace, stateReader(trace));
  const steps: z.input<typeof stepSchema>[] = [];
  let found = 0;
  let walked = 0;
  for (const match of findSteps(trace, targets, firstStep(trace, from))) {
    if (++walked % PIECE === 0) {
      await setImmediate();
      await output.flushed?.();
    }
    if (match === undefined) continue;
    const row = rowAt(match.step);
    if (json) steps.push(row);
    else output.out(stepLine(row));
    if (++found === limit) break;
  }
  if (json) {
    const name = app === undefined ? {} : { app: trace.app.name };
    const document = findSchema.parse({ capture, ...name, steps, isCut: found === limit });
    await writePieces(output, stringifyChunked(document));
    output.out('\n');
  }
  if (found > 0) return EXIT.fine;
  output.err(`${capture}: no step matches\n`);
  return EXIT.failed;
}

/** Returns the first step that is searched. */
function firstStep(trace: Trace, from: Options['from']): number {
  if (from === undefined) return 1;
  // A time as it is shown, to the millisecond.
  return 'step' in from ? from.step : countWhile(trace.steps, ({ t }) => t < from.time - 0.5);
}

const stepLine = ({ step, t, kind, summary }: z.input<typeof stepSchema>): string =>
  `${String(step).padStart(7)}  ${formatTime(t).padStart(9)}  ${kind.padEnd(12)}  ${escapeControls(summary)}\n`;
