import { Command } from 'commander';
import { STDIN, captureName } from '../read/stdin.ts';
import { UsageError, EXIT } from '../base/errors.ts';
import { isHar, readHarCapture } from '../read/readHarCapture.ts';
import { captureText } from '../convert/captureText.ts';
import { FORCE, openResult, replayHint } from '../base/openResult.ts';
import type { CommandMaker } from '../base/command.ts';
import { printWarnings } from '../base/printWarnings.ts';
import { wholeNumber } from '../base/commandOptions.ts';

interface ImportOptions {
  readonly output?: string;
  readonly socket?: number;
  readonly force?: true;
  readonly json?: true;
}

/** Creates the command `import`, which converts a WebSocket of a HAR to a capture (contract §7). */
export const importCommand: CommandMaker = (output, finish) =>
  new Command('import')
    .description(
      'converts the WebSocket messages of a HAR to a capture (HARs of Chrome, Playwright or mitmproxy)',
    )
    .argument('<file.har>', 'the HAR; - is stdin')
    .option(
      '-o, --output <file>',
      'the capture, gzipped if it ends in .gz; - is stdout (default: beside the HAR)',
    )
    .option(
      '--socket <n>',
      'the number of the WebSocket, from 1, when the HAR has several',
      wholeNumber('--socket', 1),
    )
    .option(...FORCE)
    .option('--json', 'one JSON document on stdout')
    .action(async (har: string, options: ImportOptions) => {
      if (har !== STDIN && !isHar(har)) throw new UsageError(`${har}: is not a .har file`);
      const { output: path = defaultOutput(har), force, json } = options;
      const result = await openResult({ path, force, json }, output);
      const { header, records, warnings } = await readHarCapture(har, { socket: options.socket });
      const counts = { received: 0, sent: 0 };
      const pieces = captureText(header, records(), ({ type }) => {
        if (type === 'recv') counts.received++;
        if (type === 'send') counts.sent++;
      });
      await result.write(pieces);
      printWarnings(output, warnings);
      const document = { har: captureName(har), capture: result.name, frames: counts, warnings };
      result.print(json ? `${JSON.stringify(document)}\n` : summarize(document));
      finish(EXIT.fine);
    });

function defaultOutput(har: string): string {
  if (har === STDIN) throw new UsageError('- (stdin) has no file beside it; name the result with -o');
  return har.replace(/\.har(?:\.zip)?$/i, '.parley.jsonl');
}

const summarize = ({
  capture,
  frames,
}: {
  capture: string;
  frames: { received: number; sent: number };
}): string => `${capture}: ${frames.received} received, ${frames.sent} sent\n${replayHint(capture)}`;
