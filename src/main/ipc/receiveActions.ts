import type { Action } from '@reduxjs/toolkit';
import { ipcMain, type IpcMainEvent, type IpcMainInvokeEvent, type WebContents } from 'electron';
import type { Logger } from '#node/createLogger.ts';
import { isWindowStateAction, parseSentAction } from '#shared/actions/actionTable.ts';
import { sessionEnded } from '#shared/actions/sessionActions.ts';
import { stateReported } from '#shared/actions/windowActions.ts';
import { type Cancel, type Clock, every } from '#shared/clock.ts';
import { isOfType } from '#shared/isOfType.ts';
import {
  HEARTBEAT_MS,
  MESSAGE_RATE,
  MESSAGE_VALUES,
  WINDOW_STATE_ACTION_LENGTH,
  WINDOW_STATE_RATE,
} from '#shared/limits.ts';
import { createTokenBucket, perObject, type TokenBucket } from '../base/tokenBucket.ts';
import type { Listeners, MainStore } from '../store/mainStore.ts';
import { isFromMessengerWindow, sendTools, windowNumber } from '../window/messengerWindows.ts';

interface Options {
  readonly store: Pick<MainStore, 'dispatch'>;
  readonly listeners: Listeners;
  readonly clock: Clock;
  readonly log: Logger;
  readonly isAdmitted: MessageFilter;
}

/** Stands for the number of the next action of a page whose state has not arrived. */
const NONE = -1;

/** What is known about the state that a page sends. */
interface Sender {
  /** The number of the next action, or that only the page's state is accepted. */
  expected: number | 'state';
  readonly bucket: TokenBucket;
}

/**
 * Receives the actions that the messenger's windows send, and dispatches them with the window's number: user actions, whose effects listeners perform,
 * and actions of the windows' state. Only those that the table allows to windows are accepted, so a window sends no action of main or of another window.
 * User actions are limited as all messages are (`MESSAGE_RATE`), and the state by its length (`WINDOW_STATE_RATE`), because captures contain it. The state is numbered:
 *
 *     following ── the next number ──▶ following: dispatched
 *         │ ▲
 *         │ └── the window's state, with any number: dispatched ───┐
 *         ├──── another number: the state is requested ──▶ waiting ┤ other actions of the state are dropped;
 *         ├──── over the limit: refused ─────────────────▶ waiting ┤ each heartbeat requests the state, under the limit
 *         └──── the session ended: the state is requested ▶ waiting ┘
 *
 * Each heartbeat also sends a following window the number of its next action, so that the window notices that its last one was lost.
 * What is on its way when a session ends is dropped: the capture of the next session must not contain what was typed in this one.
 *
 * @returns a function that stops the heartbeat.
 */
export function receiveActions({ store, listeners, clock, log, isAdmitted }: Options): Cancel {
  const pages = createPages(clock);
  ipcMain.on('action', (event, ...args: unknown[]) => {
    if (isWindowStateAction(args[0])) return receiveState(event, args);
    const action = isAdmitted(event, args) && args.length === 1 ? parseSentAction(args[0]) : undefined;
    if (action !== undefined) store.dispatch(markSource(action, windowNumber(event.sender)));
    else log.warn({ channel: 'action' }, DROPPED);
  });
  const receiveState = (event: IpcMainEvent, args: readonly unknown[]) => {
    const { sender: page } = event;
    const window = windowNumber(page);
    if (window === undefined || !isFromMessengerWindow(event))
      return log.warn({ channel: 'action' }, DROPPED);
    const known = pages.of(page);
    const [sent, number] = args;
    if (known.expected === 'state' && !isOfType(sent, stateReported)) return;
    const size = boundedSize(args, MESSAGE_VALUES);
    const refuse = (reason: string) =>
      log.warn({ channel: 'action', type: isWindowStateAction(sent) ? sent.type : undefined }, reason);
    if (
      !known.bucket.take(size === undefined ? WINDOW_STATE_RATE.burst : size + WINDOW_STATE_ACTION_LENGTH)
    ) {
      if (known.expected !== 'state') refuse('the state that a window sends is over the limit');
      known.expected = 'state';
      return;
    }
    const action = size === undefined || args.length > 2 ? undefined : parseSentAction(sent);
    if (action === undefined || !isOrdinal(number)) return refuse('an action of a window was refused');
    if (!isOfType(action, stateReported) && known.expected !== number) {
      known.expected = 'state';
      sendTools(page, 'requestState');
      return;
    }
    known.expected = number + 1;
    store.dispatch(markSource(action, window));
  };
  // The windows have been notified of the sign-out, so their answers show the form.
  listeners.startListening({ actionCreator: sessionEnded, effect: pages.requestAll });
  return every(clock, HEARTBEAT_MS, pages.checkAll);
}

/**
 * Returns a user action with its source in `meta`.
 * @param window the number of the window that is the source; `undefined` for a menu, the tray or a shortcut.
 */
export const markSource = <A extends Action>(action: A, window: number | undefined) => ({
  ...action,
  meta: {
    ...('meta' in action && typeof action.meta === 'object' && action.meta),
    ...(window !== undefined && { window }),
  },
});

const DROPPED = 'a message was dropped: it is not valid, or not from a window of Parley';

const isOrdinal = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Creates the pages that have sent their state, with what is known about it. */
function createPages(clock: Clock) {
  const known = new Map<WebContents, Sender>();
  return {
    of(page: WebContents): Sender {
      const sender = known.get(page) ?? {
        expected: NONE,
        bucket: createTokenBucket(WINDOW_STATE_RATE, clock),
      };
      known.set(page, sender);
      return sender;
    },
    /** Requests the state of each page, and accepts nothing else from it. */
    requestAll(): void {
      for (const [page, sender] of known) {
        sender.expected = 'state';
        if (!page.isDestroyed()) sendTools(page, 'requestState');
      }
    },
    /** Sends each page the number of its next action, or requests its state. */
    checkAll(): void {
      for (const [page, { expected, bucket }] of known) {
        if (page.isDestroyed()) known.delete(page);
        else if (expected !== 'state') sendTools(page, 'requestState', expected);
        else if (!bucket.isEmpty()) sendTools(page, 'requestState');
      }
    },
  };
}

/** Returns whether a message of a page is accepted, and its arguments are to be validated. The caller logs a refusal. */
export type MessageFilter = (event: IpcMainEvent | IpcMainInvokeEvent, args: readonly unknown[]) => boolean;

/**
 * Creates the filter of all messages of pages except the actions of their state. It accepts a message from a messenger window, with no more values than a window
 * sends, within the window's rate (`MESSAGE_RATE`): captures contain what messages cause.
 */
export function createMessageFilter(clock: Clock, log: Logger): MessageFilter {
  const bucketOf = perObject(() => createTokenBucket(MESSAGE_RATE, clock));
  return (event, args) => {
    if (!isFromMessengerWindow(event)) return false;
    if (!bucketOf(event.sender).take(1)) {
      log.warn('the messages of a window are over the limit');
      return false;
    }
    return boundedSize(args, MESSAGE_VALUES) !== undefined;
  };
}

/**
 * Returns the size of a page's message in characters: its texts and names. Returns `undefined` when it contains more than `mostValues`
 * values, or binary views, which have a name for each byte. Reads no more than that, so it costs little for any message: a schema would first read
 * and report every unknown key.
 */
export function boundedSize(message: unknown, mostValues: number): number | undefined {
  const waiting: unknown[] = [message];
  let values = 0;
  let size = 0;
  while (waiting.length > 0) {
    const value = waiting.pop();
    values += 1;
    if (typeof value === 'string') size += value.length;
    if (typeof value !== 'object' || value === null) continue;
    if (ArrayBuffer.isView(value) || (Array.isArray(value) && value.length > mostValues)) return undefined;
    for (const name in value) {
      if (values + waiting.length >= mostValues) return undefined;
      size += name.length;
      waiting.push(Reflect.get(value, name));
    }
  }
  return size;
}
