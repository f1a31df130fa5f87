import { Command } from '@commander-js/extra-typings';
import { APP, type CommandMaker, adapterError } from '../adapter/loadAdapter.ts';
import { ONE_CAPTURE, type StepOrTime, stepOrTime } from '../base/commandOptions.ts';
import { EXIT, UsageError } from '../base/errors.ts';
import { leaveSignalsToSystem } from '../base/interruption.ts';
import { jsonPieces } from '../base/jsonDocument.ts';
import { type Output, printWarnings, writePieces } from '../base/output.ts';
import { fileProgress } from '../base/progress.ts';
import { visibleName } from '../base/visibleText.ts';
import { type InspectedApp, SessionError } from '../inspector/model/trace/app.ts';
import { oneCapture } from '../read/findCaptures.ts';
import { STDIN, captureName } from '../read/stdin.ts';
import { inspectedApp } from '../why/inspectedApp.ts';
import type { StepLines } from '#shared/ipc/sourceLines.ts';
import { loadCountedApp, stepLines } from '../why/countedApp.ts';
import { sourceLines, withBundle } from '../why/sourceLines.ts';
import { nearestPaths } from '../why/nearPaths.ts';
import { ValueHistory } from '../why/valueHistory.ts';
import { walkCapture } from '../why/valueWalk.ts';
import { type WhyDocument, candidateOf, entryOf, shownValue, whySchema } from '../why/whyDocument.ts';
import { type Candidate, WhyNot } from '../why/whyNot.ts';
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
      stepOrTime('--at'),
    )
    .option('--not', 'lists the steps that could have changed the value, and why each did not')
    .option(...APP)
    .option('--json', 'one JSON document on stdout')
    .action(async (given, path, { at, not, app: adapter, json }) => {
      const capture = await oneCapture(given);
      const document = await leaveSignalsToSystem(async () => {
        const app = await inspectedApp(adapter, own, capture);
        return explain(app, { capture, path, adapter, at, isNot: not === true }, output);
      }).catch((error: unknown) => {
        throw error instanceof SessionError
          ? new UsageError(visibleName(error.message))
          : adapterError(adapter, error);
      });
      await writePieces(output, json ? jsonPieces(whySchema, document) : whyText(document, output));
      finish(EXIT.fine);
    });

interface Question {
  readonly capture: string;
  readonly path: string;
  /** The path of the adapter of another app. */
  readonly adapter: string | undefined;
  readonly at: StepOrTime | undefined;
  readonly isNot: boolean;
}

/** Replays a capture once, and returns the answer. @throws {UsageError} when the value never existed. */
async function explain(app: InspectedApp, question: Question, output: Output): Promise<WhyDocument> {
  const { capture, path, adapter, at, isNot } = question;
  const walk = isNot ? new WhyNot(app, path, at) : new ValueHistory(app, path, at);
  const { onRead, end } = await fileProgress(output, capture);
  const warnings = await walkCapture(capture, walk, { onRead }).finally(end);
  printWarnings(output, [...warnings, ...(app.warnings ?? [])]);
  const { step, t, value, state } = walk.end;
  const moment = { step, t, value: shownValue(value) };
  const about = { capture: captureName(capture), app: adapter && app.name, path, ...moment };
  if (walk instanceof WhyNot) {
    const candidates = walk.candidates();
    const lines = await shownLines(output, () => linesOfCandidates(candidates, question));
    return { ...about, candidates: candidates.map((one, i) => candidateOf(one, lines[i])) };
  }
  if (value === undefined && walk.entries.length === 0) {
    const nearest = nearestPaths(app, path, state);
    const named = nearest.length === 0 ? '' : `; the nearest paths are ${nearest.join(', ')}`;
    throw new UsageError(`${path} never existed${named}`);
  }
  const lines = await shownLines(output, () => linesOf(app, walk, question));
  return { ...about, entries: walk.entries.toReversed().map((entry, i) => entryOf(entry, lines[i])) };
}

/** Returns lines of source, or says why there are none. */
const shownLines = (output: Output, find: () => Promise<readonly StepLines[]>) =>
  find().catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
    printWarnings(output, [`no lines of source are shown: ${error.message}`]);
    return [];
  });

/** The number of candidates whose lines are shown. */
const MOST_LINED = 20;

/** Returns the lines of source of the newest steps that could have changed a value: all that ran. Stdin is read once, so it has none. */
const linesOfCandidates = (candidates: readonly Candidate[], { capture, adapter }: Question) =>
  sourceLines({
    app: adapter,
    capture: { path: capture },
    pairs: capture === STDIN ? [] : candidates.slice(0, MOST_LINED).map(({ step }) => ({ step })),
  });

/** Returns the lines of source of the newest changes, the newest first. The app of a store runs before its steps, so it runs once more. */
async function linesOf(
  app: InspectedApp,
  { newest, entries }: ValueHistory,
  { capture, adapter }: Question,
): Promise<readonly StepLines[]> {
  if (newest.length === 0) return [];
  if (app.describeRelease !== undefined)
    return sourceLines({
      app: adapter,
      capture: { path: capture },
      pairs: entries.slice(-newest.length).toReversed(),
    });
  return withBundle(adapter, async (bundle) => {
    const counted = await loadCountedApp(bundle);
    return newest
      .map(({ step, unlike }) => stepLines(counted.linesOf(step), unlike && counted.linesOf(unlike)))
      .toReversed();
  });
}
