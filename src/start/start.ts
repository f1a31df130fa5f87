import { Command, CommanderError } from 'commander';
import { DataFolderError } from '#node/dataFolder.ts';
import { ENDPOINT_SETTINGS_HELP } from '#platform/endpoint/endpointSettings.ts';
import { ListenError } from '#platform/startPlatform.ts';
import { errorLine } from '#shared/formatText.ts';
import { type Settings, SettingsError } from '#shared/settings.ts';
import { canStart, electronRuntime, runElectron } from './electronHost.ts';
import {
  importMain,
  startBuiltIn,
  takeDataFolder,
  type AllSettings,
  readAllSettings,
} from './startBuiltIn.ts';

/**
 * `npm start`: starts the built-in platform unless the settings name another one, then the messenger in the host that the
 * settings select.
 */
const SETTINGS_HELP = `
Settings are environment variables:
  PARLEY_API_URL       the platform's HTTP address (default: the built-in platform)
  PARLEY_PLATFORM_URL  the platform's WebSocket address; set both or neither
  PARLEY_HOST          electron, web or auto (default: auto)
  PARLEY_PORT          the web host's port on 127.0.0.1; 0 takes any (default: 4310, or the next free one)
  PARLEY_OPEN          0: the web host opens no browser (default: 1)
  PARLEY_DATA_DIR      account, captures, logs, the built-in platform's conversations (default: the per-user folder)
  PARLEY_CAPTURE       1: each session is recorded (default: 0)
  PARLEY_AUDIO         1: the audio module starts with a session; 0: it never does
                       (default: the setting in the app)
  PARLEY_PLATFORM_HOSTAUTH
                       the address of hostauth: the users of this machine sign in to the built-in platform
                       (default: it has accounts of its own)
  PARLEY_PLATFORM_HOST_NAME
                       the part after the @ of their addresses (default: this machine’s name)
  PARLEY_PLATFORM_MESSAGES_PER_MINUTE
                       messages that an account can send to the built-in platform in a minute (default: 120)
  PARLEY_PLATFORM_MESSAGE_BYTES
                       the size of a message to it (default: 2000000)
  PARLEY_PLATFORM_WRONG_PASSWORDS
                       wrong passwords for an email before the first wait (default: 5)
  PARLEY_PLATFORM_REGISTRATIONS_PER_HOUR
                       registrations at it in an hour (default: 200)

The assistant of the built-in platform:
${ENDPOINT_SETTINGS_HELP}`;

/** Prints one line on why the messenger cannot start, and exits: with 2 when a setting is wrong, else with 1. */
function refuse(message: string, exitStatus: 1 | 2 = 2): never {
  process.stderr.write(errorLine(message));
  process.exit(exitStatus);
}

function parseArguments(): void {
  const command = new Command('npm start')
    .description('The messenger.')
    .addHelpText('after', SETTINGS_HELP)
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  try {
    command.parse();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) process.exit(0);
    refuse(error.message);
  }
}

function settingsOrRefuse(): AllSettings {
  try {
    return readAllSettings();
  } catch (error) {
    if (error instanceof SettingsError) refuse(error.message);
    throw error;
  }
}

/** Takes the data folder and starts the built-in platform in it, unless the settings name another platform. */
async function prepareOrRefuse(): Promise<void> {
  try {
    const folder = takeDataFolder(host);
    if (folder !== null && settings.platform === null) await startBuiltIn(folder, settings.builtIn);
  } catch (error) {
    if (error instanceof DataFolderError) refuse(error.message, error.exitStatus);
    if (error instanceof ListenError) refuse(error.message, 1);
    throw error;
  }
}

/**
 * Selects Electron when its runtime is installed and starts, and there is a display, else the web host (contract §2).
 */
function hostFor({ host }: Settings): 'electron' | 'web' {
  if (host !== 'auto') return host;
  const hasScreen =
    process.platform !== 'linux' || Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY);
  if (runtime === undefined || !hasScreen) return 'web';
  if (canStart(runtime)) return 'electron';
  process.stderr.write(
    errorLine(
      'Electron cannot start here, so Parley uses a browser: for the reason, set PARLEY_HOST=electron',
    ),
  );
  return 'web';
}

parseArguments();
const settings = settingsOrRefuse();
const runtime = electronRuntime();
const host = hostFor(settings);
if (host === 'electron' && runtime === undefined) {
  refuse(
    'Electron’s runtime is not installed: run `npm ci && npx install-electron` in packaging/, or set PARLEY_HOST=web',
  );
}
await prepareOrRefuse();
if (host === 'electron' && runtime !== undefined) runElectron(runtime);
else await importMain();
