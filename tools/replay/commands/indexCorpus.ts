import { statSync } from 'node:fs';
import { Command } from '@commander-js/extra-typings';
import { errorLine, pluralize } from '#shared/formatText.ts';
import { APP, type CommandMaker } from '../adapter/loadAdapter.ts';
import { field, jsonDocument, jsonLine } from '../base/jsonDocument.ts';
import { EXIT, UsageError } from '../base/errors.ts';
import { listenForInterruption } from '../base/interruption.ts';
import { buildIndex } from '../changed/buildIndex.ts';
import { WHOLE, parseShard } from '../verify/resultsFile.ts';
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
export const indexCommand: CommandMaker = ({ output, finish, own }) =>
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
  ).action(async (folder, options) => {
    const { shard = WHOLE, app: adapter, json } = options;
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
      throw new UsageError(`${folder}: is not a folder; an index is about a folder of captures on a disk`);
    const { signal, received, statusOr } = listenForInterruption();
    const building = { ...poolOptions(options), own, signal, folder, shard, adapter };
    const { captures, replayed, indexed, problems } = await buildIndex(output, building);
    const built = { interrupted: received() !== undefined, folder, captures, replayed, indexed, problems };
    const text = `${pluralize(captures, 'capture')}: ${replayed} replayed, ${indexed} in the index\n`;
    if (!json) for (const problem of problems) output.err(errorLine(problem));
    output.out(json ? jsonLine(indexSchema, built) : text);
    finish(statusOr(problems.length > 0 ? EXIT.unusable : EXIT.fine));
  });
