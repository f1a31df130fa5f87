import { Command } from '@commander-js/extra-typings';
import type { StepLines } from '#shared/ipc/sourceLines.ts';
import { APP, type CommandMaker } from '../adapter/loadAdapter.ts';
import { ONE_CAPTURE, stepOrTime } from '../base/commandOptions.ts';
import { UsageError } from '../base/errors.ts';
import { jsonPieces } from '../base/jsonDocument.ts';
import { type Output, printWarnings, writePieces } from '../base/output.ts';
import { fileProgress } from '../base/progress.ts';
import { STDIN } from '../read/stdin.ts';
import { loadCountedApp, stepLines } from '../why/countedApp.ts';
import { nearestPaths } from '../why/nearPaths.ts';
import { sourceLines, withBundle } from '../why/sourceLines.ts';
import { ValueHistory } from '../why/valueHistory.ts';
import { walkCapture } from '../why/valueWalk.ts';
import { candidateOf, entryOf, shownValue, whySchema, whyText } from '../why/whyDocument.ts';
import { WhyNot } from '../why/whyNot.ts';
import { withInspectedApp } from '../why/withInspectedApp.ts';

/** Creates the command `why`, which lists the steps that changed a value, or those that did not (contract §7). */
export const whyCommand: CommandMaker = ({ output, own }) =>
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
      const document = await withInspectedApp(
        { given, adapter, own },
        async ({ app, path: capture, about }) => {
          const walk = not ? new WhyNot(app, path, at) : new ValueHistory(app, path, at);
          const { onRead, end } = await fileProgress(output, capture);
          const warnings = await walkCapture(capture, walk, { onRead }).finally(end);
          printWarnings(output, [...warnings, ...(app.warnings ?? [])]);
          const { step, t, value } = walk.end;
          const moment = { ...about, path, step, t, value: shownValue(value) };
          return { ...moment, ...(await answerOf(walk, { capture, adapter }, output)) };
        },
      );
      await writePieces(output, json ? jsonPieces(whySchema, document) : whyText(document, output));
    });

/** The paths of a capture and of the adapter of another app. */
interface Place {
  readonly capture: string;
  readonly adapter: string | undefined;
}

/** Returns the steps that a walk has found, with their lines of source. @throws {UsageError} when the value never existed. */
async function answerOf(walk: WhyNot | ValueHistory, place: Place, output: Output) {
  if (walk instanceof WhyNot) {
    const candidates = walk.candidates();
    const lines = await shownLines(output, linesIn(place, candidates.slice(0, MOST_LINED)));
    return { candidates: candidates.map((one, i) => candidateOf(one, lines[i])) };
  }
  const { value, state } = walk.end;
  if (value === undefined && walk.entries.length === 0) {
    const nearest = nearestPaths(walk.app, walk.path, state);
    const named = nearest.length === 0 ? '' : `; the nearest paths are ${nearest.join(', ')}`;
    throw new UsageError(`${walk.path} never existed${named}`);
  }
  const lines = await shownLines(output, linesOf(walk, place));
  return { entries: walk.entries.toReversed().map((entry, i) => entryOf(entry, lines[i])) };
}

/** Returns lines of source, or says why there are none. */
const shownLines = (output: Output, finding: Promise<readonly StepLines[]>) =>
  finding.catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
    printWarnings(output, [`no lines of source are shown: ${error.message}`]);
    return [];
  });

/** The number of candidates whose lines are shown. */
const MOST_LINED = 20;

/** Returns the lines of source of steps, from another replay of the capture. Stdin is read once, so it has none. */
const linesIn = async (
  { capture, adapter: app }: Place,
  pairs: readonly { step: number; unlike?: number }[],
): Promise<readonly StepLines[]> =>
  capture === STDIN ? [] : sourceLines({ app, capture: { path: capture }, pairs });

/** Returns the lines of source of the newest changes, the newest first. The app of a store runs before its steps, so it runs once more. */
async function linesOf({ app, newest, entries }: ValueHistory, place: Place): Promise<readonly StepLines[]> {
  if (newest.length === 0) return [];
  if (app.describeRelease !== undefined) return linesIn(place, entries.slice(-newest.length).toReversed());
  return withBundle(place.adapter, async (bundle) => {
    const counted = await loadCountedApp(bundle);
    return newest
      .map(({ step, unlike }) => stepLines(counted.linesOf(step), unlike && counted.linesOf(unlike)))
      .toReversed();
  });
}
