import type { IpcMainEvent, IpcMainInvokeEvent, WebContents } from 'electron';
import type { Logger } from '#log/createLogger.ts';
import { MESSAGE_RATE, MESSAGE_VALUES } from '#shared/limits.ts';
import type { Clock } from '#shared/time/clock.ts';
import { isFromMessengerWindow } from '../window/messengerWindows.ts';
import { boundedSize } from './boundedSize.ts';
import { type TokenBucket, createTokenBucket } from '../base/tokenBucket.ts';

/** Returns whether a message of a page is validated further. The caller logs that it is not. */
export type MessageGate = (event: IpcMainEvent | IpcMainInvokeEvent, args: readonly unknown[]) => boolean;

/**
 * Creates the gate through which every message of a page goes, except its reports: from a messenger window, without more values than a window sends, and
 * within the window's rate (`MESSAGE_RATE`), because captures contain what it causes.
 */
export function createMessageGate(clock: Clock, log: Logger): MessageGate {
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
