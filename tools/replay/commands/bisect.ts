import { Command } from '@commander-js/extra-typings';
import type { z } from 'zod';
import { systemClock } from '#shared/clock.ts';
import { APP, type CommandMaker } from '../adapter/loadAdapter.ts';
import { ONE_CAPTURE } from '../base/commandOptions.ts';
import { EXIT } from '../base/errors.ts';
import { createProgress } from '../base/progress.ts';
import { bisectCapture } from '../changed/bisectCapture.ts';
import { bisectDocument } from '../changed/bisectDocument.ts';
import { rereadCapture } from '../read/findCaptures.ts';

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
      const document = bisectDocument.parse({ version: 1, capture, good, bad, ...found });
      output.out(json ? `${JSON.stringify(document)}\n` : bisectText(document));
      finish(found.candidates.length === 1 ? EXIT.fine : EXIT.failed);
    });

/** Describes what was found, for people. */
function bisectText({
  candidates,
  paths,
  functions,
  skipped,
  update,
}: z.infer<typeof bisectDocument>): string {
  const [first = '', ...others] = candidates;
  const lines = [
    ...skipped.map(({ commit, reason }) => `skipped  ${commit.slice(0, 8)}: ${reason}`),
    ...(others.length === 0
      ? [first]
      : [
          'one of these is the first, and those before the last could not be replayed:',
          ...candidates.map((one) => `  ${one}`),
        ]),
    update === undefined ? '  changes the end' : `  changes update ${update}`,
    ...paths.map((path) => `    ${path}`),
    ...(functions.length === 0 ? [] : ['  code that the capture reaches and that it changes']),
    ...functions.map(({ file, line, name, change }) => `    ${file}:${line} ${name} (${change})`),
  ];
  return `${lines.join('\n')}\n`;
}
