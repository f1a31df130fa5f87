import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FolderInUseError, claimDataFolder } from '#node/claimDataFolder.ts';
import { createLogger } from '#node/createLogger.ts';
import { prepareDataFolder } from '#node/dataFolder.ts';
import {
  type EndpointSettings,
  EndpointSettingsError,
  readEndpointSettings,
} from '#platform/endpoint/endpointSettings.ts';
import { type HostSettings, HostSettingsError, readHostSettings } from '#platform/hostSignIn/hostSettings.ts';
import { type PlatformLimits, readPlatformLimits } from '#platform/routes/platformLimits.ts';
import { PLATFORM_FILE, startPlatform } from '#platform/startPlatform.ts';
import { systemClock } from '#shared/clock.ts';
import { type Settings, SettingsError, readSettings } from '#shared/settings.ts';

/**
 * Starts the built-in platform in this process, and sets three environment variables: its two addresses and its owner's
 * secret.
 * @param folder the data folder, which this process owns.
 * @param settings the built-in platform's settings.
 * @throws {DataFolderError} when its file cannot be used.
 * @throws {ListenError} when no port is free.
 */
export async function startBuiltIn(
  folder: string,
  { assistant, host, limits }: BuiltInSettings,
): Promise<void> {
  const ownerSecret = randomBytes(32).toString('base64url');
  const { apiUrl, platformUrl } = await startPlatform({
    dataFile: join(folder, PLATFORM_FILE),
    logger: createLogger({ base: { name: 'platform' }, clock: systemClock(globalThis) }).log,
    ownerSecret,
    // Other users of this machine reach the port too.
    registration: 'owner',
    assistant,
    host,
    limits,
  });
  process.env.PARLEY_BUILT_IN_API_URL = apiUrl;
  process.env.PARLEY_BUILT_IN_PLATFORM_URL = platformUrl;
  process.env.PARLEY_BUILT_IN_SECRET = ownerSecret;
}

/**
 * Makes this process the owner of the data folder and returns its path. Returns `null` when a messenger in the same host has
 * the folder: this start is then handed over to it.
 * @throws {DataFolderError} when the folder cannot be used, or another program has it.
 */
export function takeDataFolder(host: 'electron' | 'web'): string | null {
  const path = prepareDataFolder(null);
  try {
    claimDataFolder(path, host);
    return path;
  } catch (error) {
    if (error instanceof FolderInUseError && error.holder.program === host) return null;
    throw error;
  }
}

/**
 * Runs main, which is beside this program, in this process. The path becomes a URL first: in a path, `#`, `%` and `C:` have
 * another meaning.
 */
export async function importMain(): Promise<void> {
  await import(/* @vite-ignore */ pathToFileURL(join(import.meta.dirname, 'main.js')).href);
}

/** The settings of the built-in platform. */
interface BuiltInSettings {
  /** The endpoint of the assistant; `null`: the app's settings decide. */
  readonly assistant: EndpointSettings | null;
  /** Where people sign in; `null`: the platform has accounts of its own. */
  readonly host: HostSettings | null;
  readonly limits: PlatformLimits;
}

/** The messenger's settings with those of the built-in platform. */
export interface AllSettings extends Settings {
  readonly builtIn: BuiltInSettings;
}

/**
 * Reads all settings from the environment of this process. Removes the assistant's key from it: other processes inherit the
 * environment.
 * @throws {SettingsError} for the first invalid value.
 */
export function readAllSettings(): AllSettings {
  const settings = readSettings(process.env);
  try {
    const assistant = readEndpointSettings(process.env);
    const host = readHostSettings(process.env);
    return { ...settings, builtIn: { assistant, host, limits: readPlatformLimits(process.env) } };
  } catch (error) {
    if (error instanceof EndpointSettingsError || error instanceof HostSettingsError)
      throw new SettingsError(error.message, { cause: error });
    throw error;
  } finally {
    delete process.env.PARLEY_ASSISTANT_KEY;
  }
}
