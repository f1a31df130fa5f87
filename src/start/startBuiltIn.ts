import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createLogger } from '#log/createLogger.ts';
import { PLATFORM_FILE, startPlatform } from '#platform/startPlatform.ts';
import { systemClock } from '#shared/time/systemClock.ts';
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
