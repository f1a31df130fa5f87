import { Command } from '@commander-js/extra-typings';
import { APP, adapterError, replayedBy, type CommandMaker } from '../adapter/loadAdapter.ts';
import { LIFTED_LIMIT, liftedState } from '../convert/liftedState.ts';
import { preparedFor } from '../engine/replayFile.ts';
import { oneCapture } from '../read/findCaptures.ts';
import { readCapture } from '../read/readCapture.ts';
import { captureName } from '../read/stdin.ts';
import { UsageError } from '../base/errors.ts';
import { harText } from '../convert/harText.ts';
import { FORCE, openResult } from '../base/openResult.ts';
import { captureField, field, jsonDocument, jsonLine, outputField } from '../base/jsonDocument.ts';
import { leaveSignalsToSystem } from '../base/interruption.ts';
import { ONE_CAPTURE, oneOf, wholeNumber } from '../base/commandOptions.ts';
import { printWarnings } from '../base/output.ts';

const FORMATS = ['har', 'redux-devtools'] as const;

const exportSchema = jsonDocument('export', 'a capture in another format', {
  capture: captureField,
  output: outputField,
  to: field.choice(FORMATS, 'the format of the file'),
});

/** Creates the command `export`, which converts a capture to another tool's format (contract §7). */
export const exportCommand: CommandMaker = ({ output, own }) =>
  new Command('export')
    .description(
      'writes a capture as a HAR that Chrome imports, or as a state that Redux DevTools imports ' +
        `(up to ${LIFTED_LIMIT / 1024 / 1024} MB, because it contains each state completely)`,
    )
    .argument('<capture>', ONE_CAPTURE)
    .requiredOption('--to <format>', FORMATS.join(' or '), oneOf('--to', FORMATS))
    .option('-o, --output <file>', 'a file, gzipped if it ends in .gz; - is stdout', '-')
    .option('--until <updates>', 'redux-devtools: stops after this number of updates', wholeNumber('--until'))
    .option(...APP)
    .option(...FORCE)
    .option('--json', 'one JSON document on stdout')
    .action(async (given, { to, output: path, until, app, force, json }, command) => {
      const other = until === undefined ? '--app' : '--until';
      if (to === 'har' && command.getOptionValueSource(other.slice(2)) === 'cli')
        throw new UsageError(`${other} is for --to redux-devtools`);
      const replayed = await replayedBy(app, own);
      const log = app === undefined ? own.devTools : undefined;
      const result = await openResult({ path, force, json }, output);
      const capture = await oneCapture(given);
      const reader = await readCapture(capture);
      const lifted = async function* () {
        const { adapter, warnings } = await preparedFor(capture, replayed);
        printWarnings(output, warnings);
        yield* liftedState({ ...reader, until, adapter, log });
      };
      await write(result, to === 'har' ? harText(reader) : lifted()).catch((error: unknown) => {
        throw adapterError(app, error);
      });
      printWarnings(output, reader.warnings);
      const document = { capture: captureName(capture), output: result.name, to };
      if (json) result.print(jsonLine(exportSchema, document));
      else if (path !== '-') output.err(`${path}: written\n`);
    });

/** Writes the pieces. The first one is made before the file is created, because the app's code runs for it. */
async function write(
  result: Pick<Awaited<ReturnType<typeof openResult>>, 'write'>,
  pieces: AsyncGenerator<string, void>,
): Promise<void> {
  const first = await leaveSignalsToSystem(() => pieces.next());
  const all = async function* () {
    if (!first.done) yield first.value;
    yield* pieces;
  };
  await result.write(all());
}
