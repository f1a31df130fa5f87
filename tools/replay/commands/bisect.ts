import { Command } from '@commander-js/extra-typings';
import { z } from 'zod';
import { systemClock } from '#shared/clock.ts';
import { APP, type CommandMaker } from '../adapter/loadAdapter.ts';
import { ONE_CAPTURE } from '../base/commandOptions.ts';
import { EXIT } from '../base/errors.ts';
import { field, jsonLine, optional } from '../base/jsonDocument.ts';
import { createProgress } from '../base/progress.ts';
import { bisectCapture } from '../changed/bisectCapture.ts';
import { rereadCapture } from '../read/findCaptures.ts';

export const bisectSchema = z.object({
  version: z.literal(1).describe('the version of the shape of this document'),
  capture: field.text('the path of the capture'),
  good: field.text('the revision whose result is expected, as it was given'),
  bad: field.text('the revision with another result, as it was given'),
  candidates: field.texts('the first commit with another result; several when others were skipped'),
  update: optional.number('the number of the first update that differs; missing when only the end differs'),
  paths: field.texts('the paths that differ first'),
  functions: field.list('what differs in the code that the capture reaches', {
    file: field.text('the source, relative to the repository'),
    line: field.number('the line, from 1; of a removed function, in the revision before'),
    name: field.text('the function or branch in its file, as a path of names; `top level` for the rest'),
    change: field.choice(['changed', 'added', 'removed'], 'what happened to its code'),
  }),
  skipped: field.list('revisions that could not be replayed', {
    commit: field.text('the hash'),
    reason: field.text('in one line'),
  }),
  tested: field.number('the number of revisions that were tried'),
});

/** Creates the command `bisect`, which finds the revision that changes the result of a capture (contract §7). */
export const bisectCommand: CommandMaker = ({ output, finish, own }) =>
  new Command('bisect')
    .description('finds the first git revision that changes the result of a capture')
    .argument('<capture>', ONE_CAPTURE.replace('; - is stdin', ''))
    .requiredOption('--good <rev>', 'the git revision whose result is expected')
    .requiredOption('--bad <rev>', 'a later one with another result')
    .option(...APP)
    .option('--json', 'one JSON document on stdout')
    .action(async (given, { good, bad, app: adapter, json }) => {
      const capture = await rereadCapture(given);
      const progress = createProgress(output, systemClock(globalThis), 'bisecting');
      const onTested = (tested: number, left: number) =>
        progress.show(`${tested} revisions tried, about ${left} left`);
      const found = await bisectCapture({ capture, good, bad, adapter, own, onTested }).finally(progress.end);
      const document = { version: 1 as const, capture, good, bad, ...found };
      output.out(json ? jsonLine(bisectSchema, document) : bisectText(document));
      finish(found.candidates.length === 1 ? EXIT.fine : EXIT.failed);
    });

/** Describes what was found, for people. */
function bisectText(document: z.infer<typeof bisectSchema>): string {
  const { candidates, paths, functions, skipped, update } = document;
  const several = 'one of these is the first, and those before the last could not be replayed:';
  const lines = [
    ...skipped.map(({ commit, reason }) => `skipped  ${commit.slice(0, 8)}: ${reason}`),
    ...(candidates.length === 1 ? candidates : [several, ...candidates.map((one) => `  ${one}`)]),
    update === undefined ? '  changes the end' : `  changes update ${update}`,
    ...paths.map((path) => `    ${path}`),
    ...(functions.length === 0 ? [] : ['  code that the capture reaches and that it changes']),
    ...functions.map(({ file, line, name, change }) => `    ${file}:${line} ${name} (${change})`),
  ];
  return `${lines.join('\n')}\n`;
}
