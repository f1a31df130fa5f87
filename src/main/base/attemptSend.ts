import { errorFields } from './errorFields.ts';
import type { Logger } from '#node/createLogger.ts';

/**
 * Runs a function that sends to windows. Electron throws for a value that the structured clone refuses: that message is
 * logged with its channel, and the caller continues.
 */
export function attemptSend(log: Logger, channel: string, send: () => void): void {
  try {
    send();
  } catch (error) {
    log.error({ channel, ...errorFields(error) }, 'a message to the windows could not be sent');
  }
}
