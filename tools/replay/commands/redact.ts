import { Command } from 'commander';
import { APP, replayedBy, type CommandMaker } from '../adapter/loadAdapter.ts';
import { oneCapture } from '../read/findCaptures.ts';
import { readCapture } from '../read/readCapture.ts';
import { FORCE, isSameFile, openResult } from '../base/openResult.ts';
import { captureName } from '../read/stdin.ts';
import { EXIT, UsageError } from '../base/errors.ts';
import { fileProgress } from '../base/progress.ts';
import { REVIEW_OUTPUT, codesOf, redactedText } from '../convert/redactCapture.ts';
import { createAliases } from '../convert/redactValue.ts';
import { ONE_CAPTURE } from '../base/commandOptions.ts';
import { printWarnings } from '../base/output.ts';

interface RedactOptions {
  readonly output: string;
  readonly keepTime?: true;
  readonly app?: string;
  readonly force?: true;
  readonly json?: true;
}

/** Creates the command `redact`, which replaces personal data in a capture, so that it can be shared (contract §7). */
export const redactCommand: CommandMaker = ({ output, finish }) =>
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
    .action(async (given: string, options: RedactOptions) => {
      const capture = await oneCapture(given);
      const { output: target, force, json } = options;
      if (await isSameFile(capture, target))
        throw new UsageError(`${target}: is the capture itself; name another file with -o`);
      const codes = options.app === undefined ? undefined : codesOf((await replayedBy(options.app)).adapter);
      const result = await openResult({ path: target, force, json }, output);
      const progress = await fileProgress(output, capture);
      const aliases = createAliases();
      const redacted = { aliases, keepsTime: options.keepTime ?? false, codes, records: 0 };
      const reader = await readCapture(capture, progress);
      try {
        await result.write(redactedText(reader, redacted));
      } finally {
        progress.end();
      }
      printWarnings(output, reader.warnings);
      const document = {
        capture: captureName(capture),
        output: result.name,
        records: redacted.records,
        aliases: aliases.counts(),
      };
      result.print(json ? `${JSON.stringify(document)}\n` : summarize(document));
      finish(EXIT.fine);
    });

interface RedactDocument {
  readonly output: string;
  readonly records: number;
  readonly aliases: Readonly<Record<string, number>>;
}

function summarize({ output, records, aliases }: RedactDocument): string {
  const lines = Object.entries(aliases).map(([kind, count]) => `  ${kind.padEnd(10)} ${count}\n`);
  return (
    `${output}: ${records} records\n\nreplaced${lines.length > 0 ? `\n${lines.join('')}` : ' nothing\n'}\n` +
    REVIEW_OUTPUT
  );
}
