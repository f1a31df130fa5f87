import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createLogger } from '#node/createLogger.ts';
import { PLATFORM_FILE, startPlatform } from '#platform/startPlatform.ts';
import { systemClock } from '#shared/clock.ts';
import { FolderInUseError, claimDataFolder } from '#node/claimDataFolder.ts';
import { prepareDataFolder } from '#node/dataFolder.ts';
import type { BuiltInSettings } from './readAllSettings.ts';

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
