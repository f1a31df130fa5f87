import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { errorLine } from '#shared/formatText.ts';
import { CHECKS } from './checks.ts';

/** The command line of the suite. */
export interface ConformanceArguments {
  readonly apiUrl: string;
  readonly platformUrl: string;
  readonly login: { readonly email: string; readonly password: string } | null;
  readonly timeoutMs: number;
  readonly quietMs: number;
  readonly say: readonly string[];
  readonly only: readonly string[] | null;
  readonly json: boolean;
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

const TIMEOUT_S = 5;
const QUIET_S = 1.5;

const toAddress = (...protocols: readonly string[]) => {
  const words = `It takes an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
  return (text: string): string => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || !protocols.includes(url.protocol) || url.search + url.hash + url.username !== '')
      throw new InvalidArgumentError(`${words}.`);
    return text.replace(/\/+$/, '');
  };
};

function toSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0 && seconds <= 600)) throw new InvalidArgumentError('It takes seconds, at most 600.');
  return seconds;
}

function toIds(text: string): readonly string[] {
  const ids = text.split(',');
  const unknown = ids.find((wanted) => CHECKS.every(({ id }) => id !== wanted));
  if (unknown !== undefined)
    throw new InvalidArgumentError('It takes ids of checks, as the table shows them.');
  return ids;
}

const optionsSchema = z.object({
  platformUrl: z.string().optional(),
  email: z.string().optional(),
  password: z.string().optional(),
  timeout: z.number().default(TIMEOUT_S),
  quiet: z.number().default(QUIET_S),
  say: z.array(z.string()).default([]),
  only: z.array(z.string()).nullable().default(null),
  json: z.boolean().default(false),
});

const NOTES = `
It registers two accounts with random emails, which stay on the platform, sends texts and small files, and prints what the platform did. It prints no
identifier, email or password. Exit status: 0 every check is ok or not tested, 1 a check failed, 2 bad usage or an unreachable platform.

  npm run platform -- conformance http://127.0.0.1:4311 --say stream --say notify --quiet 5`;

const command = ({ out, err }: Outputs) =>
  new Command('parley-platform conformance')
    .description('Tests a running platform against each row of the specification’s platform side.')
    .argument('<url>', 'the platform’s {api_url}', toAddress('http:', 'https:'))
    .option(
      '--platform-url <url>',
      'its {platform_url} (default: the same address, as ws or wss)',
      toAddress('ws:', 'wss:'),
    )
    .option('--email <email>', 'logs in instead of registering; needs --password')
    .option('--password <password>', 'the password of this account')
    .option(
      '--say <text>',
      'sends a text more, which causes other updates (repeatable)',
      (text: string, all: string[] | undefined) => [...(all ?? []), text],
    )
    .option('--only <ids>', 'makes only these checks (ids with commas)', toIds)
    .option('--timeout <seconds>', `the longest wait for anything (default: ${TIMEOUT_S})`, toSeconds)
    .option('--quiet <seconds>', `the pause after which an answer has ended (default: ${QUIET_S})`, toSeconds)
    .option('--json', 'prints one JSON document')
    .addHelpText('after', NOTES)
    .allowExcessArguments(false)
    .showSuggestionAfterError(false)
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: (text) => err(errorLine(text)) });

/** Reads the command line after `conformance`. */
export function readConformanceOptions(
  argv: readonly string[],
  outputs: Outputs,
): ConformanceArguments | EarlyExit {
  const program = command(outputs);
  try {
    program.parse([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { exitCode: error.exitCode === 0 ? 0 : 2 };
  }
  const { platformUrl, email, password, timeout, quiet, ...rest } = optionsSchema.parse(program.opts());
  if ((email === undefined) !== (password === undefined)) {
    outputs.err(errorLine('--email and --password need each other'));
    return { exitCode: 2 };
  }
  const apiUrl = z.string().parse(program.processedArgs[0]);
  return {
    ...rest,
    apiUrl,
    platformUrl: platformUrl ?? apiUrl.replace(/^http/i, 'ws'),
    login: email === undefined || password === undefined ? null : { email, password },
    timeoutMs: timeout * 1000,
    quietMs: quiet * 1000,
  };
}
