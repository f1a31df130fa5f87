import { type Config, ConfigError, readConfig } from './config.ts';
import { fail } from './fail.ts';

/** Reads the settings from the environment; a setting that is not valid ends the process. */
export function loadConfig(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) fail(error.message, 2);
    throw error;
  }
}
