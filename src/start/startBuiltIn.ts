import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '#platform/logger.ts';
import { PLATFORM_FILE, startPlatform } from '#platform/startPlatform.ts';
import { dataDir } from '#shared/dataDir.ts';

/**
 * Starts the built-in platform in this process, and says in three variables where it is and how its owner deletes it.
 * @throws {PlatformFileError} when its file cannot be used.
 * @throws {ListenError} when it finds no port.
 */
export async function startBuiltIn(): Promise<void> {
  const dataFile = join(dataDir(process.env, process.platform, homedir()), PLATFORM_FILE);
  const ownerSecret = randomBytes(32).toString('base64url');
  const { apiUrl, platformUrl } = await startPlatform({
    dataFile,
    logger: createLogger(process.stderr.isTTY),
    ownerSecret,
  });
  process.env.PARLEY_BUILT_IN_API_URL = apiUrl;
  process.env.PARLEY_BUILT_IN_PLATFORM_URL = platformUrl;
  process.env.PARLEY_BUILT_IN_SECRET = ownerSecret;
}
