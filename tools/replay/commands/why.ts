import { Command } from '@commander-js/extra-typings';
import { stringifyChunked } from '@discoveryjs/json-ext';
import { APP, type CommandMaker, adapterError } from '../adapter/loadAdapter.ts';
import { ONE_CAPTURE } from '../base/commandOptions.ts';
import { EXIT, UsageError } from '../base/errors.ts';
import { leaveSignalsToSystem } from '../base/interruption.ts';
import { type Output, printWarnings, writePieces } from '../base/output.ts';
import { fileProgress } from '../base/progress.ts';
import { visibleName } from '../base/visibleText.ts';
import { type InspectedApp, SessionError } from '../inspector/model/trace/app.ts';
import { parseTime } from '../inspector/time/formatTime.ts';
import { oneCapture } from '../read/findCaptures.ts';
import { captureName } from '../read/stdin.ts';
import { inspectedApp } from '../why/inspectedApp.ts';
import { nearestPaths } from '../why/nearestPaths.ts';
import { type Point, ValueHistory } from '../why/valueHistory.ts';
import { walkCapture } from '../why/walkCapture.ts';
import { type WhyDocument, candidateOf, entryOf, shownValue, whySchema } from '../why/whyDocument.ts';
import { WhyNot } from '../why/whyNot.ts';
import { whyText } from '../why/whyText.ts';

/** Creates the command `why`, which lists the steps that changed a value, or those that did not (contract §7). */
export const whyCommand: CommandMaker = ({ output, finish, own }) =>
  new Command('why')
    .description('lists the steps that changed a value, or with --not those that could have')
    .argument('<capture>', ONE_CAPTURE)
    .argument('<path>', 'the path of the value, as the inspector shows it: messages[3].content[0].text')
    .option(
      '--at <step|time>',
      'only steps up to this one: 120 is a step, 1.230, 2:03.400 or 1500ms a time',
      point,
    )
    .option('--not', 'lists the steps that could have changed the value, and why each did not')
    .option(...APP)
    .option('--json', 'one JSON document on stdout')
    .action(async (given, path, { at, not, app: adapter, json }) => {
      const capture = await oneCapture(given);
      const document = await leaveSignalsToSystem(async () => {
        const app = await inspectedApp(adapter, own, capture);
        const named = { capture, path, ...(adapter !== undefined && { app: app.name }) };
        return explain(app, { ...named, at, isNot: not === true }, output);
      }).catch((error: unknown) => {
        throw error instanceof SessionError
          ? new UsageError(visibleName(error.message))
          : adapterError(adapter, error);
      });
      await writePieces(
        output,
        json ? lineOf(stringifyChunked(whySchema.parse(document))) : whyText(document, output),
      );
      finish(EXIT.fine);
    });

function* lineOf(pieces: Iterable<string>): Generator<string, void> {
  yield* pieces;
  yield '\n';
}

/** Parses a step, which is a whole number, or a time as the inspector shows it. */
function point(text: string): Point {
  if (/^\d+$/.test(text)) return { step: Number(text) };
  const time = parseTime(text);
  if (time === undefined)
    throw new UsageError('--at takes a step, as 120, or a time, as 1.230, 2:03.400 or 1500ms');
  return { time };
}

interface Question {
  readonly capture: string;
  readonly path: string;
  readonly app?: string;
  readonly at: Point | undefined;
  readonly isNot: boolean;
}

/** Replays a capture once, and returns the answer. @throws {UsageError} when the value never existed. */
async function explain(
  app: InspectedApp,
  { capture, path, at, isNot, ...named }: Question,
  output: Output,
): Promise<WhyDocument> {
  const walk = isNot ? new WhyNot(app, path, at) : new ValueHistory(app, path, at);
  const { onRead, end } = await fileProgress(output, capture);
  const { warnings } = await walkCapture(capture, walk, { onRead }).finally(end);
  printWarnings(output, [...warnings, ...(app.warnings ?? [])]);
  const { step, t, value, state } = walk.end;
  const about = {
    version: 1 as const,
    capture: captureName(capture),
    ...named,
    path,
    step,
    t,
    value: shownValue(value),
  };
  if (walk instanceof WhyNot) return { ...about, candidates: walk.candidates().map(candidateOf) };
  if (!walk.existed) throw new UsageError(absent(path, nearestPaths(app, path, state)));
  // The lines of source of each step are found here: from the capture, the app, and the steps `step` and `unlike` of the entries.
  return { ...about, entries: walk.entries.toReversed().map((entry) => entryOf(entry)) };
}

const absent = (path: string, nearest: readonly string[]): string =>
  `${path} never existed${nearest.length === 0 ? '' : `; the nearest paths are ${nearest.join(', ')}`}`;
