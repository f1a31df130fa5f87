import { Command } from '@commander-js/extra-typings';
import { errorLine, pluralize } from '#shared/formatText.ts';
import { APP, type CommandMaker } from '../adapter/loadAdapter.ts';
import { field, jsonDocument, jsonLine } from '../base/jsonDocument.ts';
import { EXIT } from '../base/errors.ts';
import { listenForInterruption } from '../base/interruption.ts';
import { buildIndex, compileApp, folderOf } from '../changed/buildIndex.ts';
import { indexedApp } from '../changed/indexedApp.ts';
import { parseShard } from '../verify/resultsFile.ts';
import { poolOptions, withLimitOptions } from './comparisonOptions.ts';

const indexSchema = jsonDocument('index', 'what the index of a corpus contains', {
  interrupted: field.flag('whether a signal ended it: the index then contains what was found so far'),
  folder: field.text('the folder of the captures, as it was given. The index is in `.parley-index` in it'),
  captures: field.number('the number of captures in the folder, or in the given shard of it'),
  replayed: field.number('how many were replayed: they, or the code that they reach, are new or changed'),
  indexed: field.number('the number of captures in the index. One that follows another capture is not in it'),
  problems: field.texts('one line for each capture that cannot be used or whose replay was stopped'),
});

/** Creates the command `index`, which finds out for `verify --changed` which code each capture reaches (contract §7). */
export const indexCommand: CommandMaker = ({ output, finish }) =>
  withLimitOptions(
    new Command('index')
      .description('finds out which code each capture of a folder reaches, for verify --changed')
      .argument('<folder>', 'a folder of captures; the index is in .parley-index in it')
      .option(
        '--shard <i/n>',
        'only the i-th of n parts of the captures, which has an index of its own',
        parseShard,
      )
      .option(...APP)
      .option('--json', 'one JSON document on stdout'),
  ).action(async (given, options) => {
    const { signal, received, statusOr } = listenForInterruption();
    const folder = folderOf(given);
    const { shard = { index: 1, of: 1 }, app } = options;
    const code = await compileApp(await indexedApp(app));
    const built = await buildIndex(output, code, { ...poolOptions(options), folder, shard, signal });
    const { captures, replayed, indexed, problems } = built;
    if (options.json) {
      output.out(jsonLine(indexSchema, { interrupted: received() !== undefined, ...built }));
    } else {
      for (const problem of problems) output.err(errorLine(problem));
      output.out(`${pluralize(captures, 'capture')}: ${replayed} replayed, ${indexed} in the index\n`);
    }
    finish(statusOr(problems.length > 0 ? EXIT.unusable : EXIT.fine));
  });
