import closeWithGrace from 'close-with-grace';
import { Command } from 'commander';
import { type Config, ConfigError, readConfig, settingsHelp } from './config.ts';
import { installCommand } from './install/installCommand.ts';
import { createLogger } from './logger.ts';
import { checkPam } from './helper/pam/checkPam.ts';
import { createPamAuthenticator } from './helper/pam/pamAuthenticator.ts';
import { ListenError, type RunningServer, startServer } from './http/server.ts';

/** What has begun may take so long to end (contract §1). */
const DRAIN_MS = 30_000;

/** Ends the process after one line on what is wrong. */
function fail(message: string, exitCode: 1 | 2): never {
  process.stderr.write(`${message}\n`);
  process.exit(exitCode);
}

/** 2 for a setting of no use, 1 for a port. */
function failBy(error: unknown): never {
  if (error instanceof ConfigError) fail(error.message, 2);
  if (error instanceof ListenError) fail(error.message, 1);
  throw error;
}

function settings(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    return failBy(error);
  }
}

async function start(): Promise<void> {
  const config = settings();
  const missing = checkPam(config.pamService);
  if (missing !== undefined) fail(missing, 2);
  const { logger, flush } = createLogger(process.stderr.isTTY);
  process.on('exit', flush);
  if (config.users === 'open') {
    logger.warn('HOSTAUTH_USERS=open: any program on this machine may create users');
  }
  const authenticator = createPamAuthenticator({ service: config.pamService });
  const starting = startServer({ config, authenticator, logger }).catch(failBy);
  endWithGrace(starting, logger);
  const { url } = await starting;
  process.stdout.write(`hostauth is ready at ${url}\n`);
}

/** Ends the process with 0 at a signal, when what has begun is answered. */
function endWithGrace(starting: Promise<RunningServer>, logger: closeWithGrace.Logger): void {
  closeWithGrace({ delay: DRAIN_MS, logger }, async ({ err }) => {
    // npm passes on what the terminal has sent already: a second signal says nothing new.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.removeAllListeners(signal);
      process.on(signal, () => undefined);
    }
    if (err !== undefined) logger.error(err);
    const server = await starting;
    await server.close();
  });
}

const program = new Command('hostauth')
  .description('Sessions for the accounts of this host, on 127.0.0.1:4320 unless the settings say otherwise.')
  .addHelpText('after', `\nSettings are environment variables:\n${settingsHelp()}`)
  .allowExcessArguments(false)
  .showSuggestionAfterError(false)
  // Like our other programs: without a prefix.
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, '')) })
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .action(start);

await program.addCommand(installCommand().copyInheritedSettings(program)).parseAsync();
