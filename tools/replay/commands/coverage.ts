import { Command } from '@commander-js/extra-typings';
import { APP, type CommandMaker } from '../adapter/loadAdapter.ts';
import { CAPTURES } from '../base/commandOptions.ts';
import { jsonLine } from '../base/jsonDocument.ts';
import { collectCoverage } from '../coverage/collectCoverage.ts';
import { coverageDocument, coverageSchema, coverageText } from '../coverage/coverageDocument.ts';
import { givenCaptures, pathsOf } from '../read/findCaptures.ts';
import { poolOptions, withWorkerOptions } from './comparisonOptions.ts';

/** Creates the command `coverage`, which prints the branches of the replayed code that no capture reaches (contract §7). */
export const coverageCommand: CommandMaker = ({ output, finish }) =>
  withWorkerOptions(
    new Command('coverage')
      .description('prints the branches of the replayed code that no capture reaches')
      .argument('[captures...]', CAPTURES)
      .option(...APP)
      .option('--json', 'one JSON document on stdout'),
  ).action(async (given, options) => {
    const reached = new Set<number>();
    let captures = 0;
    const end = await collectCoverage(output, {
      ...poolOptions(options),
      adapter: options.app,
      captures: pathsOf(givenCaptures({ given, ...options })),
      onCovered(_capture, numbers) {
        captures++;
        for (const number of numbers) reached.add(number);
      },
    });
    const document = coverageDocument({ ...end, reached, captures });
    if (options.json) output.out(jsonLine(coverageSchema, document));
    // Without a capture, each branch would be listed, and the problem is not in the code.
    else if (captures > 0 || end.interruptedBy !== undefined)
      output.out(coverageText(document, end.interruptedBy));
    finish(end.status);
  });
