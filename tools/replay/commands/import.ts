import type { CommandMaker } from '../adapter/loadAdapter.ts';
import { Command } from '@commander-js/extra-typings';
import { z } from 'zod';
import { STDIN, captureName } from '../read/stdin.ts';
import { UsageError } from '../base/errors.ts';
import { isHar } from '../read/readBytes.ts';
import { readHarCapture } from '../read/readHarCapture.ts';
import { captureText } from '../convert/harText.ts';
import { FORCE, openResult, replayHint } from '../base/openResult.ts';
import { field, jsonDocument, jsonLine, outputField } from '../base/jsonDocument.ts';
import { wholeNumber } from '../base/commandOptions.ts';
import { printWarnings } from '../base/output.ts';

const importSchema = jsonDocument('import', 'the capture of a HAR', {
  har: field.text('the path of the HAR; `stdin` for `-`'),
  capture: outputField,
  connections: field.number('how often the WebSocket opened'),
  frames: z.object({
    received: field.number('the number of frames of the platform'),
    sent: field.number('the number of frames of the client'),
  }),
  warnings: field.texts('what of the HAR cannot be used'),
});

/** Creates the command `import`, which converts a WebSocket of a HAR to a capture (contract §7). */
export const importCommand: CommandMaker = ({ output }) =>
  new Command('import')
    .description(
      'converts the WebSocket messages of a HAR to a capture (HARs of Chrome, Playwright, mitmproxy or HTTP Toolkit)',
    )
    .argument('<file.har>', 'the HAR, plain, gzipped or in a zip; - is stdin')
    .option(
      '-o, --output <file>',
      'the capture, gzipped if it ends in .gz; - is stdout (default: beside the HAR)',
    )
    .option(
      '--socket <n>',
      'the number of the WebSocket, from 1, when the HAR has several',
      wholeNumber('--socket', 1),
    )
    .option(
      '--join',
      'makes the WebSockets of one client (of one address) a session with reconnects; --socket then selects the client',
    )
    .option(...FORCE)
    .option('--json', 'one JSON document on stdout')
    .action(async (har, options) => {
      if (har !== STDIN && !isHar(har)) throw new UsageError(`${har}: is not a .har, .har.gz or .zip file`);
      const { output: path = defaultOutput(har), force, json } = options;
      const result = await openResult({ path, force, json }, output);
      const { header, records, warnings } = await readHarCapture(har, options);
      const counts = { received: 0, sent: 0 };
      let connections = 0;
      const pieces = captureText(header, records(), ({ type }) => {
        if (type === 'recv') counts.received++;
        if (type === 'send') counts.sent++;
        if (type === 'open') connections++;
      });
      await result.write(pieces);
      printWarnings(output, warnings);
      const document = { har: captureName(har), capture: result.name, connections, frames: counts, warnings };
      const several = connections > 1 ? `${connections} connections, ` : '';
      const summary = `${result.name}: ${several}${counts.received} received, ${counts.sent} sent\n`;
      result.print(json ? jsonLine(importSchema, document) : `${summary}${replayHint(result.name)}`);
    });

function defaultOutput(har: string): string {
  if (har === STDIN) throw new UsageError('- (stdin) has no file beside it; name the result with -o');
  return `${har.replace(/\.har$|(?:\.har)?\.(?:gz|zip)$/i, '')}.parley.jsonl`;
}
