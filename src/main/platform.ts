import { type Environment, type Settings, SettingsError } from '#shared/settings.ts';
import type { Platform } from './messenger.ts';

/**
 * The platform in use. The built-in one is started by `npm start`, which says where it listens in two variables of
 * its own; its name stays the same whatever the port, so the next start is still signed in.
 * @throws {SettingsError} when it is not running.
 */
export function platformOf({ platform }: Settings, environment: Environment): Platform {
  if (platform !== null) return { name: platform.platformUrl, ...platform };
  const { PARLEY_BUILT_IN_API_URL: apiUrl, PARLEY_BUILT_IN_PLATFORM_URL: platformUrl } = environment;
  if (apiUrl === undefined || platformUrl === undefined) {
    throw new SettingsError('The built-in platform is not running: start Parley with `npm start`.');
  }
  return { name: 'built-in', apiUrl, platformUrl };
}
