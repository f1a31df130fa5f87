import { setImmediate } from 'node:timers/promises';
import { Command } from '@commander-js/extra-typings';
import type { z } from 'zod';
import { APP, type CommandMaker } from '../adapter/loadAdapter.ts';
import { ONE_CAPTURE, stepOrTime, timeOption, wholeNumber } from '../base/commandOptions.ts';
import { EXIT, UsageError } from '../base/errors.ts';
import {
  field,
  jsonDocument,
  jsonPieces,
  optional,
  sessionFields,
  stepField,
  timeField,
} from '../base/jsonDocument.ts';
import { writePieces } from '../base/output.ts';
import { escapeControls } from '../base/visibleText.ts';
import { type Target, findSteps } from '../inspector/model/search/findStep.ts';
import { STEP_KINDS } from '../inspector/model/trace/stepKinds.ts';
import { stateReader } from '../inspector/model/trace/stateReader.ts';
import { rowReader } from '../inspector/model/trace/steps.ts';
import { type Trace, countWhile } from '../inspector/model/trace/trace.ts';
import { formatTime } from '../inspector/time/formatTime.ts';
import { loadTrace, withInspectedApp } from '../why/withInspectedApp.ts';

export const findSchema = jsonDocument('find', 'the steps that match', {
  ...sessionFields,
  steps: field.list('the steps that match, in order', {
    step: stepField,
    kind: field.choice(STEP_KINDS, 'what happened'),
    t: timeField,
    delay: optional.number('of an update: from the receipt of its frame, milliseconds'),
    update: optional.number('of an update: its number, from 1'),
    updateKind: optional.text('of an update and its frame: its kind'),
    record: field.number('the number of its record in the capture, from 1'),
    bytes: optional.number('of a frame: its size on the wire'),
    changed: field.flag('whether it changed what a person sees'),
    actionType: optional.text('of an act: the type of its action'),
    window: optional.number('of an act: the number of its window'),
    summary: field.text('how the inspector describes it, at most 120 characters'),
  }),
  isCut: field.flag('whether `--limit` ended the search'),
});

type Row = z.input<typeof findSchema>['steps'][number];

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

/** The number of steps between two pauses, in which the output is flushed. */
const PIECE = 1000;

/** Creates the command `find`, which prints the steps that match (contract §7), with `--json` all at the end. */
export const findCommand: CommandMaker = ({ output, finish, own }) =>
  declare().action(async (given, text, options) => {
    const { app: adapter, from, limit = Infinity, json } = options;
    const targets = targetsOf(text, options);
    if (targets.length === 0) throw new UsageError(NO_TARGET);
    const { capture, isFound } = await withInspectedApp({ given, adapter, own }, async (inspected) => {
      const trace = await loadTrace(inspected, output);
      const { about } = inspected;
      const rowAt = rowReader(trace, stateReader(trace));
      const steps: Row[] = [];
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
      if (json)
        await writePieces(output, jsonPieces(findSchema, { ...about, steps, isCut: found === limit }));
      return { ...about, isFound: found > 0 };
    });
    if (!isFound) output.err(`${capture}: no step matches\n`);
    finish(isFound ? EXIT.fine : EXIT.failed);
  });

const NO_TARGET =
  'name what to find: a text, --expression, --change, --frame, --act, --message, --update or --time';

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

/** Returns the first step that is searched. */
function firstStep(trace: Trace, from: Options['from']): number {
  if (from === undefined) return 1;
  // A time as it is shown, to the millisecond.
  return 'step' in from ? from.step : countWhile(trace.steps, ({ t }) => t < from.time - 0.5);
}

const stepLine = ({ step, t, kind, summary }: Row): string =>
  `${String(step).padStart(7)}  ${formatTime(t).padStart(9)}  ${kind.padEnd(12)}  ${escapeControls(summary)}\n`;
