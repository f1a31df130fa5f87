import { join } from 'node:path';
import type { Logger } from '#node/createLogger.ts';
import type { Environment, Settings } from '#shared/settings.ts';
import type { Clock } from '#shared/clock.ts';
import type { Encryption } from '../base/storedSecret.ts';
import { builtInPlatform } from '../data/builtInPlatform.ts';
import { assistantFile } from './assistantFile.ts';
import { assistantVariables } from './assistantVariables.ts';
import { type Assistant, createAssistant } from './createAssistant.ts';
import { giveToPlatform } from './giveToPlatform.ts';

interface Options {
  readonly dataDir: string;
  readonly settings: Settings;
  readonly environment: Environment;
  readonly encryption: Encryption;
  readonly clock: Clock;
  readonly log: Logger;
  /** Receives sentences for the person. */
  readonly notify: (text: string) => void;
}

/**
 * Loads the stored settings of the assistant and gives them to the built-in platform. Those of the environment win: then none are
 * loaded. It resolves before a session is launched, so that the first answer comes from the right assistant. It never rejects.
 * @returns `undefined` when another platform is in use.
 */
export async function setUpAssistant(options: Options): Promise<Assistant | undefined> {
  const platform = builtInPlatform(options.settings, options.environment);
  if (platform === undefined) return undefined;
  const file = assistantFile({ ...options, path: join(options.dataDir, 'assistant.json') });
  const fixed = assistantVariables(options.environment);
  const loaded = fixed === undefined ? await file.read() : null;
  if (loaded !== null) await giveToPlatform(loaded, { ...options, platform });
  return createAssistant({ ...options, platform, file, fixed, loaded });
}
