import type { IpcMainEvent, IpcMainInvokeEvent, WebContents } from 'electron';
import type { Logger } from '#node/createLogger.ts';
import { MESSAGE_RATE, MESSAGE_VALUES } from '#shared/limits.ts';
import type { Clock } from '#shared/clock.ts';
import { isFromMessengerWindow } from '../window/messengerWindows.ts';
import { boundedSize } from './boundedSize.ts';
import { type TokenBucket, createTokenBucket } from '../base/tokenBucket.ts';

/** Returns whether a message of a page is accepted, and its arguments are to be validated. The caller logs a refusal. */
export type MessageFilter = (event: IpcMainEvent | IpcMainInvokeEvent, args: readonly unknown[]) => boolean;

/**
 * Creates the filter of all messages of pages except the actions of their state. It accepts a message from a messenger window, with no more values than a window
 * sends, within the window's rate (`MESSAGE_RATE`): captures contain what messages cause.
 */
export function createMessageFilter(clock: Clock, log: Logger): MessageFilter {
  const buckets = new WeakMap<WebContents, TokenBucket>();
  const bucketOf = (page: WebContents) => {
    const bucket = buckets.get(page) ?? createTokenBucket(MESSAGE_RATE, clock);
    buckets.set(page, bucket);
    return bucket;
  };
  return (event, args) => {
    if (!isFromMessengerWindow(event)) return false;
    if (!bucketOf(event.sender).take(1)) {
      log.warn('the messages of a window are over the limit');
      return false;
    }
    return boundedSize(args, MESSAGE_VALUES) !== undefined;
  };
}
