import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { errorLine } from '#shared/errorLine.ts';
import type { GivenHostSettings } from './hostSignIn/hostSettings.ts';
import { ENDPOINT_SETTINGS_HELP } from './endpoint/endpointSettings.ts';

/** The options of the command line. */
export interface Options {
  /** `null`: 4311, or the next free one. */
  readonly port: number | null;
  /** `null`: `PARLEY_DATA_DIR`, else the system's folder for the user. */
  readonly dataDir: string | null;
  /** The settings of the sign-in with the users of this machine; the environment has those that are missing. */
  readonly host: GivenHostSettings;
}

/** The program ends: help was requested (0), or the command line is wrong (2). */
interface EarlyExit {
  readonly exitCode: 0 | 2;
}

/** The parser writes help to `out`, and one line about a mistake to `err`. */
interface Outputs {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

const optionsSchema = z.object({
  port: z.number().optional(),
  dataDir: z.string().optional(),
  hostauth: z.string().optional(),
  hostName: z.string().optional(),
});

function toPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError('It takes a port, 0 to 65535.');
  return port;
}

function toFolder(text: string): string {
  if (text === '') throw new InvalidArgumentError('It takes a folder.');
  return text;
}

const PASSWORDS =
  'After 5 wrong passwords for an email, sign-in for it is refused for 1 s, then 2 s, up to 16 s; after 30 in total, for every ' +
  'email up to 4 s. A right password is never counted.';

const CONFORMANCE =
  '`conformance <url>` tests any running platform against the specification; see `conformance --help`.';

const command = ({ out, err }: Outputs) =>
  new Command('parley-platform')
    .description('The built-in platform: accounts, conversations and an assistant, on this machine only.')
    .option('--port <n>', 'port on 127.0.0.1; 0 takes any (default: 4311, or the next free one)', toPort)
    .option('--data-dir <dir>', 'the folder of its file (default: the messenger’s data folder)', toFolder)
    .option(
      '--hostauth <url>',
      'sign in with the users of this machine, which hostauth checks at this address',
    )
    .option('--host-name <name>', 'the part after the @ of their addresses (default: this machine’s name)')
    .addHelpText(
      'after',
      `\n${PASSWORDS}\n\n${CONFORMANCE}\n\nThe assistant’s settings are environment variables:\n${ENDPOINT_SETTINGS_HELP}`,
    )
    .allowExcessArguments(false)
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: (text) => err(errorLine(text)) });

/** Reads the command line, without the program's own name. */
export function readOptions(argv: readonly string[], outputs: Outputs): Options | EarlyExit {
  const program = command(outputs);
  try {
    program.parse([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { exitCode: error.exitCode === 0 ? 0 : 2 };
  }
  const { port = null, dataDir = null, ...host } = optionsSchema.parse(program.opts());
  return { port, dataDir, host };
}
