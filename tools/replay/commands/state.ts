import { stringifyChunked } from '@discoveryjs/json-ext';
import { Command } from '@commander-js/extra-typings';
import { z } from 'zod';
import { APP, type CommandMaker } from '../adapter/loadAdapter.ts';
import { ONE_CAPTURE, type StepOrTime, stepOrTime } from '../base/commandOptions.ts';
import { UsageError } from '../base/errors.ts';
import {
  jsonDocument,
  jsonPieces,
  optional,
  sessionFields,
  stepField,
  timeField,
} from '../base/jsonDocument.ts';
import { writePieces } from '../base/output.ts';
import { visibleJson } from '../base/visibleText.ts';
import { isPath } from '../diff/valueDiff.ts';
import { type StateAfter, stateReader, valuesAfter } from '../inspector/model/trace/stateReader.ts';
import { valueIn } from '../inspector/model/trace/stateTree.ts';
import { type Trace, countWhile, lastStep, stepOf } from '../inspector/model/trace/trace.ts';
import { loadTrace, withInspectedApp } from '../why/withInspectedApp.ts';
import { nearestPaths } from '../why/nearPaths.ts';

/** The value can be large, so it is not parsed. */
const stateSchema = jsonDocument('state', 'the state after a step, or the value at a path of it', {
  ...sessionFields,
  step: stepField,
  t: timeField,
  path: optional.text('the path; missing for the whole state'),
  value: z.unknown().describe('the value after the step, with the names that the inspector shows'),
});

/** Creates the command `state`, which prints the state after a step, or the value at a path of it (contract §7). */
export const stateCommand: CommandMaker = ({ output, own }) =>
  new Command('state')
    .description('prints the state after a step, or the value at a path of it, as the inspector shows it')
    .argument('<capture>', ONE_CAPTURE)
    .argument('[path]', 'such as messages[3].content[0].text (default: the whole state)')
    .option('--at <step>', 'a step, or a time such as 2:03.400 (default: the end)', stepOrTime('--at'))
    .option(...APP)
    .option('--json', 'one JSON document on stdout')
    .action(async (given, path, { at, app: adapter, json }) => {
      const document = await withInspectedApp({ given, adapter, own }, async (inspected) => {
        const trace = await loadTrace(inspected, output);
        const step = stepAt(trace, at);
        const after = { step, state: stateReader(trace)(step) };
        const value = path === undefined ? valuesAfter(trace, after) : valueAt(trace, path, after);
        return { ...inspected.about, step, t: stepOf(trace, step).t, path, value };
      });
      await writePieces(output, json ? jsonPieces(stateSchema, document) : indented(document.value));
    });

function* indented(value: unknown): Generator<string, void> {
  for (const piece of stringifyChunked(value, null, 2)) yield visibleJson(piece);
  yield '\n';
}

/** Returns the step that a moment names; the last one by default. @throws {UsageError} when there is no such step. */
function stepAt(trace: Trace, at: StepOrTime | undefined): number {
  const last = lastStep(trace);
  if (at === undefined) return last;
  // A time as it is shown, to the millisecond.
  if ('time' in at) return Math.max(0, countWhile(trace.steps, ({ t }) => t < at.time + 0.5) - 1);
  if (at.step > last) throw new UsageError(`--at ${at.step}: ${trace.name} ends with step ${last}`);
  return at.step;
}

/** Returns the value at a path. @throws {UsageError} when there is none: it names the nearest paths. */
function valueAt(trace: Trace, path: string, after: StateAfter): unknown {
  if (!isPath(path))
    throw new UsageError(`“${path}” is not a path; a path is written like messages[3].content[0].text`);
  const value = valueIn(valuesAfter(trace, after), path);
  if (value !== undefined) return value;
  const nearest = nearestPaths(trace.app, path, after.state).join(', ');
  throw new UsageError(`there is nothing at ${path} at this step; the nearest paths are ${nearest}`);
}
