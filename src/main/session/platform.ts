import { type Environment, type Settings, SettingsError } from '#shared/settings.ts';

/** The platform in use. The stored account is valid only for the platform with the same `name`. */
export interface Platform {
  readonly name: string;
  readonly apiUrl: string;
  readonly platformUrl: string;
  /** The secret of the platform that this data folder started: its owner may register there. Other platforms never get one. */
  readonly ownerSecret?: string | undefined;
}

/**
 * Returns the addresses of the platform in use. `npm start` starts the built-in platform and passes its addresses and
 * its owner's secret in environment variables. Its name does not depend on its port, so that a person stays signed in over a restart.
 * @throws {SettingsError} when the built-in platform is not running.
 */
export function findPlatform({ platform }: Settings, environment: Environment): Platform {
  if (platform !== null) return { name: platform.platformUrl, ...platform };
  const {
    PARLEY_BUILT_IN_API_URL: apiUrl,
    PARLEY_BUILT_IN_PLATFORM_URL: platformUrl,
    PARLEY_BUILT_IN_SECRET: ownerSecret,
  } = environment;
  if (apiUrl === undefined || platformUrl === undefined) {
    throw new SettingsError('The built-in platform is not running: start Parley with `npm start`.');
  }
  return { name: 'built-in', apiUrl, platformUrl, ownerSecret };
}
