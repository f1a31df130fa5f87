import { ConfigError, type Config, readConfig } from './config.ts';

/** Ends the process after one line on what is wrong: 2 for a setting or option, 1 for anything else. */
export function fail(message: string, exitCode: 1 | 2): never {
  process.stderr.write(`${message}\n`);
  process.exit(exitCode);
}

/** The settings; a bad one ends the process. */
export function settings(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) fail(error.message, 2);
    throw error;
  }
}
