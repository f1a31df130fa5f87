import { Command } from 'commander';
import { UsageError, EXIT } from '../errors.ts';
import { isHar, readHarCapture } from '../har/readHarCapture.ts';
import { captureText } from '../har/captureText.ts';
import { writeOutput } from '../writeOutput.ts';
import type { CommandMaker } from '../replayTool.ts';
import { wholeNumber } from './options.ts';

interface ImportOptions {
  readonly output?: string;
  readonly socket?: number;
  readonly force?: true;
  readonly json?: true;
}

/** `import`: a WebSocket of a HAR becomes a capture (contract §7). */
export const importCommand: CommandMaker = (output, finish) =>
  new Command('import')
    .description('makes a capture of a HAR’s WebSocket messages (Chrome’s, Playwright’s or mitmproxy’s)')
    .argument('<file.har>', 'the HAR')
    .option('-o, --output <file>', 'the capture, gzipped if it ends in .gz (default: beside the HAR)')
    .option(
      '--socket <n>',
      'which of its WebSockets, from 1, when it has several',
      wholeNumber('--socket', 1),
    )
    .option('--force', 'writes over a file that is there')
    .option('--json', 'one JSON document on stdout')
    .action(async (har: string, options: ImportOptions) => {
      if (!isHar(har)) throw new UsageError(`${har}: is not a .har file`);
      const { header, records, warnings } = await readHarCapture(har, options.socket);
      const path = options.output ?? besideOf(har);
      const counts = { received: 0, sent: 0 };
      const pieces = captureText(header, records(), ({ type }) => {
        if (type === 'recv') counts.received++;
        if (type === 'send') counts.sent++;
      });
      await writeOutput({ path, pieces, force: options.force ?? false });
      for (const warning of warnings) output.err(`warning: ${warning}\n`);
      const document = { har, capture: path, frames: counts, warnings };
      output.out(options.json ? `${JSON.stringify(document)}\n` : summaryOf(document));
      finish(EXIT.fine);
    });

const besideOf = (har: string) => har.replace(/\.har(?:\.zip)?$/i, '.parley.jsonl');

const summaryOf = ({
  capture,
  frames,
}: {
  capture: string;
  frames: { received: number; sent: number };
}): string =>
  `${capture}: ${frames.received} received, ${frames.sent} sent\nReplay it with: npm run replay -- run ${capture}\n`;
