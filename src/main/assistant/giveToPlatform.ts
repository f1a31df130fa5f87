import type { Logger } from '#node/createLogger.ts';
import type { AssistantSettings } from '#shared/protocol/assistantSettings.ts';
import type { Clock } from '#shared/clock.ts';
import type { BuiltInPlatform } from '../data/builtInPlatform.ts';

interface Options {
  readonly platform: Pick<BuiltInPlatform, 'setAssistant'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Receives a sentence for the person. */
  readonly notify: (text: string) => void;
}

const TRIES = 3;
const RETRY_MS = 500;

const NOT_GIVEN =
  'The built-in platform did not accept the assistant’s settings. Open Settings, then Assistant, and save them again.';

/** Gives the stored settings to the platform at the start, and tries again after an error. Never rejects. */
export async function giveToPlatform(
  settings: AssistantSettings,
  { platform, clock, log, notify }: Options,
): Promise<void> {
  for (let left = TRIES; left > 0; left--) {
    try {
      await platform.setAssistant(settings);
      return;
    } catch {
      if (left > 1) await new Promise<void>((resolve) => clock.after(RETRY_MS, resolve));
    }
  }
  log.error('the platform did not accept the assistant’s settings');
  notify(NOT_GIVEN);
}
