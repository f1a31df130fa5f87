import type { CommandMaker } from '../adapter/loadAdapter.ts';
import { access, constants, mkdir } from 'node:fs/promises';
import { Command } from '@commander-js/extra-typings';
import { errorCode } from '#shared/formatText.ts';
import { systemClock } from '#shared/clock.ts';
import { isInstalled } from '../base/command.ts';
import { UsageError } from '../base/errors.ts';
import { writeErrorReason } from '../base/openResult.ts';
import { field, jsonDocument, jsonLine } from '../base/jsonDocument.ts';
import { waitForSignal } from '../base/interruption.ts';
import { portOption } from '../base/commandOptions.ts';

/** Parses an address and removes a slash at its end, for commander. */
const address =
  (name: string, protocols: readonly string[]) =>
  (text: string): string => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || !protocols.includes(url.protocol) || url.search !== '' || url.hash !== '')
      throw new UsageError(`${name} takes a ${protocols.map((one) => `${one}//`).join(' or ')} address`);
    return text.replace(/\/+$/, '');
  };

const recordingSchema = jsonDocument('record', 'where the recording proxy listens', {
  folder: field.text('the folder of the captures'),
  apiUrl: field.text('the HTTP address for the client'),
  platformUrl: field.text('the WebSocket address for the client'),
});

/** Creates the command `record`, which runs a recording proxy between any client and the platform (contract §7). */
export const recordCommand: CommandMaker = ({ output }) =>
  new Command('record')
    .description('runs a recording proxy between any client and the platform, until SIGINT or SIGTERM')
    .requiredOption('--listen <port>', 'port on 127.0.0.1; 0 selects any free port', portOption('--listen'))
    .requiredOption(
      '--upstream <url>',
      'the platform’s WebSocket address',
      address('--upstream', ['ws:', 'wss:']),
    )
    .option(
      '--api <url>',
      'the platform’s HTTP address (default: the host of --upstream)',
      address('--api', ['http:', 'https:']),
    )
    .option(
      '-o, --output <folder>',
      'the folder of the captures, one capture for each connection',
      'captures',
    )
    .option('--join', 'records the connections of one client (of one path) as one session with reconnects')
    .option('--json', 'one JSON document on stdout: the folder and the addresses')
    .action(async ({ listen, upstream, api, output: folder, join, json }) => {
      if (folder === '-')
        throw new UsageError('record writes a capture for each connection; name a folder with -o');
      await makeFolder(folder);
      // As `open` does: only what serves loads Fastify.
      const { startRecorder } = await import('../net/startRecorder.ts');
      const recorder = await startRecorder({
        port: listen,
        platformUrl: upstream,
        apiUrl: api ?? upstream.replace(/^ws/i, 'http'),
        folder,
        joins: join,
        clock: systemClock(globalThis),
        today: Date.now,
        print: (line) => output.err(`record: ${line}\n`),
      });
      const { apiUrl, platformUrl } = recorder;
      const signaled = waitForSignal();
      output.out(
        json
          ? jsonLine(recordingSchema, { folder, apiUrl, platformUrl })
          : readyLine(`Recording to ${folder}`, recorder),
      );
      await signaled;
      await recorder.stop();
    });

/** Returns the ready line with the addresses: for Parley as settings, which can be pasted before a command. */
export const readyLine = (what: string, { apiUrl, platformUrl }: Record<'apiUrl' | 'platformUrl', string>) =>
  isInstalled
    ? `${what}: connect your app to ${platformUrl}, and its HTTP requests to ${apiUrl}\n`
    : `${what}: PARLEY_API_URL=${apiUrl} PARLEY_PLATFORM_URL=${platformUrl}\n`;

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
  } catch (error) {
    const reason = errorCode(error) === 'EEXIST' ? 'is a file' : writeErrorReason(error);
    throw new UsageError(`${folder}: ${reason ?? 'cannot be written'}; name another with -o`, {
      cause: error,
    });
  }
}
