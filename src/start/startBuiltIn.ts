import { homedir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '#platform/logger.ts';
import { PLATFORM_FILE, startPlatform } from '#platform/startPlatform.ts';
import { dataDir } from '#shared/dataDir.ts';

/**
 * Starts the built-in platform in this process, and says in two variables where it is.
 * @throws {PlatformFileError} when its file cannot be used.
 * @throws {ListenError} when it finds no port.
 */
export async function startBuiltIn(): Promise<void> {
  const dataFile = join(dataDir(process.env, process.platform, homedir()), PLATFORM_FILE);
  const { apiUrl, platformUrl } = await startPlatform({
    dataFile,
    logger: createLogger(process.stderr.isTTY),
  });
  process.env.PARLEY_BUILT_IN_API_URL = apiUrl;
  process.env.PARLEY_BUILT_IN_PLATFORM_URL = platformUrl;
}
