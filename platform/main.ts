import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { claimDataFolder, watchDataFolder } from '#node/claimDataFolder.ts';
import { DataFolderError, prepareDataFolder } from '#node/dataFolder.ts';
import { createLogger } from '#node/createLogger.ts';
import { errorLine } from '#shared/formatText.ts';
import { systemClock } from '#shared/clock.ts';
import { HostSettingsError, readHostSettings } from './hostSignIn/hostSettings.ts';
import { conformanceCommand } from './conformance/conformanceCommand.ts';
import { EndpointSettingsError, readEndpointSettings } from './endpoint/endpointSettings.ts';
import {
  ADMIN_HELP,
  type AdminCommand,
  AdminError,
  type NoCommand,
  readAdminCommand,
  runAdminCommand,
} from './adminCommand.ts';
import { type Options, readOptions } from './options.ts';
import { ListenError, PLATFORM_FILE, type RunningPlatform, startPlatform } from './startPlatform.ts';

/** The process exits after this time, whatever still runs (contract §1 allows 2 s). */
const END_MS = 1800;

/** Resolves at the first SIGINT or SIGTERM. Later signals are ignored: npm forwards signals that the terminal has sent already. */
const signalled = new Promise<'SIGINT' | 'SIGTERM'>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve(signal));
});

const clock = systemClock(globalThis);
const { log, flush } = createLogger({ base: { name: 'platform' }, clock });

const outputs = {
  out: (text: string) => void process.stdout.write(text),
  err: (text: string) => void process.stderr.write(text),
};

/** Runs the built-in platform as a program (contract §1). Resolves to the exit code. */
async function main(): Promise<number> {
  const argv = process.argv.slice(2);
  if (argv[0] === 'conformance') return testPlatform(argv.slice(1));
  const command = readAdminCommand(argv);
  if (command !== null) return runCommand(command);
  const options = readOptions(argv, { environment: process.env, ...outputs });
  if ('exitCode' in options) return options.exitCode;
  const platform = await start(options);
  if (typeof platform === 'number') return platform;
  process.stdout.write(`The platform is ready at ${platform.apiUrl}\n`);
  await signalled;
  setTimeout(() => process.exit(0), END_MS).unref();
  await platform.close();
  flush();
  return 0;
}

/** Runs a command of an administrator; resolves to the exit code. */
async function runCommand(command: AdminCommand | NoCommand): Promise<number> {
  if (command === 'help') return (outputs.out(`${ADMIN_HELP}\n`), 0);
  if ('message' in command) return (outputs.err(errorLine(command.message)), 2);
  try {
    outputs.out(await runAdminCommand(command, clock));
    return 0;
  } catch (error) {
    if (!(error instanceof DataFolderError || error instanceof AdminError)) throw error;
    outputs.err(errorLine(error.message));
    return error instanceof DataFolderError ? error.exitStatus : 1;
  }
}

/** Runs the suite for a platform (docs/platform.md). A signal ends it with a report of what was tested, and with 130 or 143. */
async function testPlatform(argv: readonly string[]): Promise<number> {
  const interruption = new AbortController();
  void signalled.then((signal) => interruption.abort(signal === 'SIGINT' ? 130 : 143));
  // A request that is not answered must not delay the end.
  interruption.signal.addEventListener('abort', () => setTimeout(() => process.exit(), END_MS).unref());
  return conformanceCommand(argv, {
    ...outputs,
    clock,
    isOutColored: process.stdout.isTTY && (process.env.NO_COLOR ?? '') === '',
    isErrTerminal: process.stderr.isTTY,
    signal: interruption.signal,
  });
}

/** Starts the platform, or prints one line and resolves to the exit code: 2 for an unusable folder or setting, 1 for a port. */
async function start({
  dataDir,
  port,
  registration,
  limits,
  host: given,
}: Options): Promise<RunningPlatform | number> {
  try {
    const host = readHostSettings(process.env, given);
    const assistant = readEndpointSettings(process.env);
    const path = prepareDataFolder(dataDir);
    const folder = claimDataFolder(path, 'platform');
    const platform = await startPlatform({
      dataFile: join(path, PLATFORM_FILE),
      port,
      limits,
      registration,
      ownerSecret: randomBytes(32).toString('base64url'),
      host,
      assistant,
      logger: log,
      clock,
    });
    const stopWatching = watchDataFolder({ folder, clock, log });
    return { ...platform, close: () => (stopWatching(), platform.close()) };
  } catch (error) {
    if (error instanceof HostSettingsError || error instanceof EndpointSettingsError) {
      process.stderr.write(errorLine(error.message));
      return 2;
    }
    if (!(error instanceof DataFolderError || error instanceof ListenError)) throw error;
    const words =
      dataDir === null ? error.message : error.message.replaceAll('PARLEY_DATA_DIR', '--data-dir');
    process.stderr.write(errorLine(words));
    return error instanceof DataFolderError ? error.exitStatus : 1;
  }
}

process.exitCode = await main();
