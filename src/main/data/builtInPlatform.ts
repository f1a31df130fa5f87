import axios from 'axios';
import type { Environment, Settings } from '#shared/settings.ts';

/** The acts of the built-in platform's owner. */
export interface BuiltInPlatform {
  /**
   * Deletes every account with its conversation, and the platform's file.
   * @throws an error without a secret in it.
   */
  deleteAll(): Promise<void>;
}

/** The platform responds at once, except with a slow disk. */
const TIMEOUT_MS = 10_000;

/** Returns the built-in platform that `npm start` runs on this data folder; `undefined` when another one is in use. */
export function builtInPlatform(
  { platform }: Settings,
  environment: Environment,
): BuiltInPlatform | undefined {
  const { PARLEY_BUILT_IN_API_URL: apiUrl, PARLEY_BUILT_IN_SECRET: secret } = environment;
  if (platform !== null || apiUrl === undefined || secret === undefined) return undefined;
  return {
    async deleteAll() {
      const { status } = await axios.delete(`${apiUrl}/accounts`, {
        headers: { authorization: `Bearer ${secret}` },
        timeout: TIMEOUT_MS,
        maxRedirects: 0,
        proxy: false,
        validateStatus: null,
      });
      if (status !== 204) throw new Error(`the platform answered with status ${status}`);
    },
  };
}
