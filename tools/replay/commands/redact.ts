import { Command } from '@commander-js/extra-typings';
import { APP, replayedBy, type CommandMaker } from '../adapter/loadAdapter.ts';
import { oneCapture } from '../read/findCaptures.ts';
import { readCapture } from '../read/readCapture.ts';
import { FORCE, openResult, refuseSameFile } from '../base/openResult.ts';
import { captureName } from '../read/stdin.ts';
import { fileProgress } from '../base/progress.ts';
import { REVIEW_OUTPUT, redactedText } from '../convert/redactCapture.ts';
import { createAliases } from '../convert/redaction.ts';
import { ONE_CAPTURE } from '../base/commandOptions.ts';
import { captureField, field, jsonDocument, jsonLine, outputField } from '../base/jsonDocument.ts';
import { printWarnings } from '../base/output.ts';

const redactSchema = jsonDocument('redact', 'the capture without personal data', {
  capture: captureField,
  output: outputField,
  records: field.number('the number of records'),
  aliases: field.counts('the number of different values that were replaced, by the name of their aliases'),
});

/** Creates the command `redact`, which replaces personal data in a capture, so that it can be shared (contract §7). */
export const redactCommand: CommandMaker = ({ output, own }) =>
  new Command('redact')
    .description(
      'replaces personal data with stable aliases (text-0, person-0 …); the replay keeps its trace',
    )
    .argument('<capture>', ONE_CAPTURE)
    .requiredOption('-o, --output <file>', 'the redacted capture, gzipped if it ends in .gz; - is stdout')
    .option(...FORCE)
    .option('--keep-time', 'keeps the time at which the session started (otherwise it becomes 1970)')
    .option(...APP)
    .option('--json', 'one JSON document on stdout')
    .action(async (given, options) => {
      const capture = await oneCapture(given);
      const { output: target, keepTime: keepsTime, app, force, json } = options;
      await refuseSameFile(capture, target);
      const { redact: rules } = (await replayedBy(app, own)).adapter;
      const result = await openResult({ path: target, force, json }, output);
      const progress = await fileProgress(output, capture);
      const aliases = createAliases();
      let records = 0;
      const onRecords = (count: number) => void (records += count);
      const reader = await readCapture(capture, progress);
      await result
        .write(redactedText(reader, { aliases, keepsTime, rules, onRecords }))
        .finally(progress.end);
      printWarnings(output, reader.warnings);
      const counts = aliases.counts();
      const document = { capture: captureName(capture), output: result.name, records, aliases: counts };
      result.print(json ? jsonLine(redactSchema, document) : summarize(result.name, records, counts));
    });

function summarize(output: string, records: number, aliases: Readonly<Record<string, number>>): string {
  const lines = Object.entries(aliases).map(([kind, count]) => `  ${kind.padEnd(10)} ${count}\n`);
  const replaced = lines.length > 0 ? `\n${lines.join('')}` : ' nothing\n';
  return `${output}: ${records} records\n\nreplaced${replaced}\n${REVIEW_OUTPUT}`;
}
