import { type PlatformLimits, readPlatformLimits } from '#platform/routes/platformLimits.ts';
import {
  type EndpointSettings,
  EndpointSettingsError,
  readEndpointSettings,
} from '#platform/endpoint/endpointSettings.ts';
import { type HostSettings, HostSettingsError, readHostSettings } from '#platform/hostSignIn/hostSettings.ts';
import { type Settings, SettingsError, readSettings } from '#shared/settings.ts';

/** The settings of the built-in platform. */
export interface BuiltInSettings {
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
