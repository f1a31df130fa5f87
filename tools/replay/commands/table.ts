import { Command } from 'commander';
import { APP } from '../adapter/appOption.ts';
import { adapterOf } from '../adapter/bundleAdapter.ts';
import { pluralize } from '#shared/pluralize.ts';
import { systemClock } from '#shared/time/systemClock.ts';
import type { CommandMaker } from '../base/command.ts';
import { CAPTURES, FILES_FROM } from '../base/commandOptions.ts';
import { EXIT, UsageError } from '../base/errors.ts';
import { listenForInterruption } from '../base/interruption.ts';
import { FORCE } from '../base/openResult.ts';
import { printWarnings } from '../base/printWarnings.ts';
import { createProgress } from '../base/progress.ts';
import { EXISTS, isReplaced } from '../base/writeOutput.ts';
import { givenCaptures, pathsOf } from '../read/givenCaptures.ts';
import { replayWith } from '../table/tabulatedReplays.ts';
import { sessionsPath, writeTable } from '../table/writeTable.ts';

interface TableCommandOptions {
  readonly output: string;
  readonly filesFrom?: string;
  readonly force?: boolean;
  readonly json?: true;
  readonly app?: string;
}

/** Creates the command `table`, which writes one row for each update and one for each session, for SQL (contract §7). */
export const tableCommand: CommandMaker = (output, finish) =>
  new Command('table')
    .description('writes a row for each update, and a row for each session, as Parquet files for SQL')
    .argument('[captures...]', CAPTURES)
    .option(...FILES_FROM)
    .option(...APP)
    .requiredOption(
      '-o, --output <x.parquet>',
      'the table of updates; that of sessions is x-sessions.parquet beside it',
    )
    .option(...FORCE)
    .option('--json', 'one JSON document on stdout')
    .action(async (given: readonly string[], options: TableCommandOptions) => {
      const { output: path, force = false, json, app } = options;
      const interruption = listenForInterruption();
      await checkOutput(path, force);
      const replay = app === undefined ? undefined : replayWith(await adapterOf(app));
      const progress = createProgress(output, systemClock(globalThis), 'reading');
      let unusable = 0;
      const size = await writeTable({
        captures: pathsOf(givenCaptures({ given, ...options })),
        path,
        force,
        ...(replay && { replay }),
        signal: interruption.signal,
        onSession: ({ sessions }) => progress.show(pluralize(sessions, 'capture')),
        onWarnings(warnings) {
          if (warnings.length > 0) progress.end();
          printWarnings(output, warnings);
        },
        onProblem(problem) {
          unusable++;
          progress.end();
          output.err(`unusable ${problem}\n`);
        },
      }).finally(() => progress.end());
      if (size === undefined) output.err('interrupted; nothing was written\n');
      else {
        const document = { updatesFile: path, sessionsFile: sessionsPath(path), ...size, unusable };
        output.out(json ? `${JSON.stringify(document)}\n` : summarize(document));
      }
      finish(interruption.statusOr(unusable > 0 ? EXIT.unusable : EXIT.fine));
    });

async function checkOutput(path: string, force: boolean): Promise<void> {
  if (!path.endsWith('.parquet'))
    throw new UsageError('-o takes a file that ends in .parquet; the tables are two files');
  for (const file of [path, sessionsPath(path)])
    if (!force && (await isReplaced(file))) throw new UsageError(`${file}: ${EXISTS}`);
}

interface Summary {
  readonly updatesFile: string;
  readonly sessionsFile: string;
  readonly updates: number;
  readonly sessions: number;
  readonly unusable: number;
}

const summarize = ({ updatesFile, sessionsFile, updates, sessions, unusable }: Summary): string =>
  `${updatesFile}: ${pluralize(updates, 'row')}, one for each update\n` +
  `${sessionsFile}: ${pluralize(sessions, 'row')}, one for each session${unusable > 0 ? `; ${unusable} with a problem` : ''}\n`;
