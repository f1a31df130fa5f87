import { Command } from '@commander-js/extra-typings';
import type { z } from 'zod';
import { APP, type CommandMaker } from '../adapter/loadAdapter.ts';
import { rereadCapture } from '../read/findCaptures.ts';
import { captureName } from '../read/stdin.ts';
import { UsageError } from '../base/errors.ts';
import { fileProgress } from '../base/progress.ts';
import { captureReport } from '../inspector/serve/captureReport.ts';
import { readAppPage } from '../inspector/serve/appPage.ts';
import { REVIEW_OUTPUT } from '../convert/redactCapture.ts';
import { startOf, withStartOptions } from './startOptions.ts';
import { ONE_CAPTURE } from '../base/commandOptions.ts';
import { captureField, field, jsonDocument, jsonLine, outputField } from '../base/jsonDocument.ts';
import { FORCE, openResult } from '../base/openResult.ts';

const MEGABYTE = 1e6;
/** A browser needs noticeable time to open a larger file. */
const LARGE = 50 * MEGABYTE;

const reportSchema = jsonDocument('report', 'the inspector as one file', {
  capture: captureField,
  output: outputField,
  bytes: field.number('the size of the file'),
  redacted: field.flag('whether personal data was replaced'),
});

/** Creates the command `report`, which writes the inspector as one file that opens offline (contract §7). */
export const reportCommand: CommandMaker = ({ output, own }) =>
  withStartOptions(new Command('report'))
    .description(
      'writes the inspector with the capture as one HTML file, which opens from disk without a network',
    )
    .argument('<capture>', ONE_CAPTURE)
    .requiredOption('-o, --output <file.html>', 'the report; - is stdout')
    .option(...FORCE)
    .option('--redact', 'replaces personal data, like `redact`')
    .option('--json', 'one JSON document on stdout')
    .option(...APP)
    .action(async (given, options) => {
      const { output: target, redact = false, force, json } = options;
      if (target !== '-' && !/\.html?$/i.test(target))
        throw new UsageError(`${target}: a report’s name ends in .html`);
      const result = await openResult({ path: target, force, json, isWhole: true }, output);
      const path = await rereadCapture(given);
      const { files, adapter } = await readAppPage(options.app);
      const { redact: rules } = adapter ?? own.adapter;
      const { onRead, end } = await fileProgress(output, path);
      const onWarning = (text: string) => output.err(`warning: ${text}\n`);
      const shown = { path, files, rules, start: startOf(options), redact };
      const pieces = captureReport({ ...shown, onRead, onWarning });
      let size = 0;
      const counted = counting(pieces, (bytes) => (size += bytes));
      await result.write(counted).finally(end);
      if (size > LARGE)
        output.err(`warning: ${target}: browsers need time to open ${inMegabytes(size)} MB\n`);
      const document = { capture: captureName(path), output: result.name, bytes: size, redacted: redact };
      result.print(json ? jsonLine(reportSchema, document) : summarize(document));
    });

async function* counting(pieces: AsyncIterable<string>, onBytes: (bytes: number) => void) {
  for await (const piece of pieces) {
    onBytes(Buffer.byteLength(piece));
    yield piece;
  }
}

const inMegabytes = (bytes: number) => (bytes / MEGABYTE).toFixed(1);

const summarize = ({ output, bytes, redacted }: z.input<typeof reportSchema>) =>
  `${output}: ${inMegabytes(bytes)} MB; it opens from disk, without a network\n` +
  (redacted ? REVIEW_OUTPUT : 'It contains the capture unchanged: --redact replaces personal data.\n');
