import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { errorLine } from '#shared/formatText.ts';
import type { GivenHostSettings } from './hostSignIn/hostSettings.ts';
import { ENDPOINT_SETTINGS_HELP } from './endpoint/endpointSettings.ts';
import { SettingsError } from '#shared/settings.ts';
import {
  LIMIT_SETTINGS,
  type PlatformLimits,
  limitRange,
  parseLimit,
  readPlatformLimits,
} from './routes/platformLimits.ts';
import type { Registration } from './startPlatform.ts';
import { ADMIN_HELP } from './adminCommand.ts';

/** The options of the command line. */
export interface Options {
  /** `null`: 4311, or the next free one. */
  readonly port: number | null;
  /** `null`: `PARLEY_DATA_DIR`, else the system's folder for the user. */
  readonly dataDir: string | null;
  readonly registration: Registration;
  /** The settings of the sign-in with the users of this machine; the environment has those that are missing. */
  readonly host: GivenHostSettings;
  /** Of the options, else of the environment. */
  readonly limits: PlatformLimits;
}

/** The program ends: help was requested (0), or the command line is wrong (2). */
interface EarlyExit {
  readonly exitCode: 0 | 2;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The parser writes help to `out`, and one line about a mistake to `err`. */
interface Outputs {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

const optionsSchema = z.object({
  port: z.number().optional(),
  dataDir: z.string().optional(),
  registration: z.enum(['open', 'owner']),
  hostauth: z.string().optional(),
  hostName: z.string().optional(),
  messagesPerMinute: z.number().exactOptional(),
  messageBytes: z.number().exactOptional(),
  wrongPasswords: z.number().exactOptional(),
  registrationsPerHour: z.number().exactOptional(),
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

const toLimit = (name: keyof PlatformLimits) => (text: string) => {
  const limit = parseLimit(name, text);
  if (limit === null) throw new InvalidArgumentError(`It takes ${limitRange(name)}.`);
  return limit;
};

/** Returns an option of a limit, with its variable and default. */
function limitOption(name: keyof PlatformLimits, flag: string, words: string): Option {
  const { variable, value } = LIMIT_SETTINGS[name];
  return new Option(`--${flag} <n>`, `${words} (default: ${variable}, or ${value})`).argParser(toLimit(name));
}

const PASSWORDS =
  'After the limit of wrong passwords for an email, sign-in for it is refused for 1 s, then 2 s, up to 16 s; after six times as ' +
  'many in total, for every email up to 4 s. A right password is never counted.';

const CONFORMANCE =
  '`conformance <url>` tests any running platform against the specification; see `conformance --help`.';

const command = ({ out, err }: Outputs) =>
  new Command('parley-platform')
    .description('The built-in platform: accounts, conversations and an assistant, on this machine only.')
    .option('--port <n>', 'port on 127.0.0.1; 0 takes any (default: 4311, or the next free one)', toPort)
    .option(
      '--data-dir <dir>',
      'the folder of its files (default: PARLEY_DATA_DIR, or the messenger’s data folder)',
      toFolder,
    )
    .addOption(
      new Option(
        '--registration <who>',
        'who may register: everyone who reaches the port, or only who has the secret in platform-owner.json',
      )
        .choices(['open', 'owner'])
        .default('open'),
    )
    .option(
      '--hostauth <url>',
      'sign in with the users of this machine, which hostauth checks at this address (default: PARLEY_PLATFORM_HOSTAUTH)',
    )
    .option(
      '--host-name <name>',
      'the part after the @ of their addresses (default: PARLEY_PLATFORM_HOST_NAME, or this machine’s name)',
    )
    .addOption(limitOption('messagesPerMinute', 'messages-per-minute', 'messages of an account in a minute'))
    .addOption(limitOption('messageBytes', 'message-bytes', 'size of a message, with its file in base64'))
    .addOption(limitOption('wrongPasswords', 'wrong-passwords', 'wrong passwords for an email before a wait'))
    .addOption(limitOption('registrationsPerHour', 'registrations-per-hour', 'registrations in an hour'))
    .addHelpText(
      'after',
      `\n${PASSWORDS}\n\n${ADMIN_HELP}\n\n${CONFORMANCE}\n\nThe assistant’s settings are environment variables:\n${ENDPOINT_SETTINGS_HELP}`,
    )
    .allowExcessArguments(false)
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: (text) => err(errorLine(text)) });

/** Reads the command line, without the program's own name. */
export function readOptions(
  argv: readonly string[],
  { environment, ...outputs }: Outputs & { readonly environment: Environment },
): Options | EarlyExit {
  const program = command(outputs);
  try {
    program.parse([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { exitCode: error.exitCode === 0 ? 0 : 2 };
  }
  const given = optionsSchema.parse(program.opts());
  const { port = null, dataDir = null, registration, hostauth, hostName, ...limits } = given;
  const host = {
    ...(hostauth === undefined ? {} : { hostauth }),
    ...(hostName === undefined ? {} : { hostName }),
  };
  try {
    return { port, dataDir, registration, host, limits: { ...readPlatformLimits(environment), ...limits } };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    outputs.err(errorLine(error.message));
    return { exitCode: 2 };
  }
}
