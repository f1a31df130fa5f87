import { Command } from 'commander';
import { LIFTED_LIMIT, liftedState } from '../devtools/liftedState.ts';
import { readCapture } from '../engine/readCapture.ts';
import { EXIT, UsageError } from '../errors.ts';
import { harText } from '../har/harText.ts';
import { writeOutput } from '../writeOutput.ts';
import type { CommandMaker } from '../replayTool.ts';
import { oneOf, wholeNumber } from './options.ts';

const FORMATS = ['har', 'redux-devtools'] as const;

interface ExportOptions {
  readonly to: (typeof FORMATS)[number];
  readonly output?: string;
  readonly until?: number;
  readonly force?: boolean;
}

/** `export`: a capture in another tool's format (contract §7). */
export const exportCommand: CommandMaker = (output, finish) =>
  new Command('export')
    .description(
      'writes a capture as a HAR that Chrome imports, or as a state that Redux DevTools imports ' +
        `(there up to ${LIFTED_LIMIT / 1024 / 1024} MB: each state stands whole in it)`,
    )
    .argument('<capture>')
    .requiredOption('--to <format>', FORMATS.join(' or '), oneOf('--to', FORMATS))
    .option('-o, --output <file>', 'a file, gzipped if it ends in .gz (default: stdout)')
    .option('--until <updates>', 'redux-devtools: stops after so many updates', wholeNumber('--until'))
    .option('--force', 'writes over a file that is there')
    .action(async (capture: string, { to, output: path, until, force = false }: ExportOptions) => {
      if (to === 'har' && until !== undefined) throw new UsageError('--until is for --to redux-devtools');
      const reader = await readCapture(capture);
      const pieces = to === 'har' ? harText(reader) : liftedState({ ...reader, until });
      if (path === undefined) for await (const piece of pieces) output.out(piece);
      else await writeOutput({ path, pieces, force });
      for (const warning of reader.warnings) output.err(`warning: ${warning}\n`);
      if (path !== undefined) output.err(`${path}: written\n`);
      finish(EXIT.fine);
    });
