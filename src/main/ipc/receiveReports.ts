import { type WebContents, ipcMain } from 'electron';
import type { Logger } from '#log/createLogger.ts';
import { toolsValidators } from '#shared/ipc/validators.ts';
import { HEARTBEAT_MS, MESSAGE_VALUES, REPORT_LENGTH, REPORT_RATE } from '#shared/limits.ts';
import { sessionEnded } from '#shared/actions/sessionActions.ts';
import { type Cancel, type Clock, every } from '#shared/time/clock.ts';
import { isOwnAction, parseOwnAction } from '#shared/actions/actionTable.ts';
import { ofWindow } from '#shared/window/windows.ts';
import type { Listeners } from '../store/listeners.ts';
import type { MainStore } from '../store/mainStore.ts';
import { isFromMessengerWindow } from '../window/messengerWindows.ts';
import { sendTools } from '../window/sendToWindows.ts';
import { windowNumber } from '../window/windowNumbers.ts';
import { boundedSize } from './boundedSize.ts';
import { type TokenBucket, createTokenBucket } from '../base/tokenBucket.ts';
import { stateReported } from '#shared/actions/windowActions.ts';

interface Options {
  readonly store: Pick<MainStore, 'dispatch'>;
  readonly listeners: Listeners;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Stands for the number of the next report of a page whose state has not arrived. */
const NONE = -1;

/** What is known about the reports of a page. */
interface Reports {
  /** The number of the next report, or that only the page's state is accepted. */
  expected: number | 'state';
  readonly bucket: TokenBucket;
}

/**
 * Receives what the messenger's windows report about themselves, and dispatches it with the window's number. Only actions of the allow-list
 * are accepted, so a window reports neither a shared fact nor an act of another window. A window's reports are limited (`REPORT_RATE`), because captures
 * contain them.
 *
 *     following ── the next number ──▶ following: dispatched
 *         │ ▲
 *         │ └── the window's state, with any number: dispatched ───┐
 *         ├──── another number: the state is requested ──▶ waiting ┤ other reports are dropped;
 *         ├──── over the limit: refused ─────────────────▶ waiting ┤ each heartbeat requests the state, under the limit
 *         └──── the session ended: the state is requested ▶ waiting ┘
 *
 * Each heartbeat also sends a following window the number of its next report, so that the window notices that its last one was lost.
 * What is on its way when a session ends is dropped: the capture of the next session must not contain what was typed in this one.
 *
 * @returns a function that stops the heartbeat.
 */
export function receiveReports({ store, listeners, clock, log }: Options): Cancel {
  const pages = createPages(clock);

  ipcMain.on('report', (event, ...args: unknown[]) => {
    const { sender: page } = event;
    const [, reported] = args;
    const window = windowNumber(page);
    if (window === undefined || !isFromMessengerWindow(event)) {
      log.warn({ channel: 'report' }, 'a message that no window of ours sends was dropped');
      return;
    }
    const reports = pages.of(page);
    if (reports.expected === 'state' && !isOfType(reported, stateReported.type)) return;
    const size = boundedSize(args, MESSAGE_VALUES);
    const refuse = (reason: string) => log.warn({ channel: 'report', type: knownType(reported) }, reason);
    if (!reports.bucket.take(size === undefined ? REPORT_RATE.burst : size + REPORT_LENGTH)) {
      if (reports.expected !== 'state') refuse('the reports of a window are over the limit');
      reports.expected = 'state';
      return;
    }
    const checked = size === undefined ? undefined : toolsValidators.report.safeParse(args).data;
    const action = checked && parseOwnAction(checked[1]);
    if (checked === undefined || action === undefined) return refuse('a report of a window was refused');
    if (!stateReported.match(action) && reports.expected !== checked[0]) {
      reports.expected = 'state';
      sendTools(page, 'reportState');
      return;
    }
    reports.expected = checked[0] + 1;
    store.dispatch(ofWindow(action, window));
  });
  // The windows have been notified of the sign-out, so their answers show the form.
  listeners.startListening({ actionCreator: sessionEnded, effect: pages.requestAll });
  return every(clock, HEARTBEAT_MS, pages.checkAll);
}

/** Creates the pages that have reported, with what is known about their reports. */
function createPages(clock: Clock) {
  const known = new Map<WebContents, Reports>();
  return {
    of(page: WebContents): Reports {
      const reports = known.get(page) ?? { expected: NONE, bucket: createTokenBucket(REPORT_RATE, clock) };
      known.set(page, reports);
      return reports;
    },
    /** Requests the state of each page, and accepts nothing else from it. */
    requestAll(): void {
      for (const [page, reports] of known) {
        reports.expected = 'state';
        if (!page.isDestroyed()) sendTools(page, 'reportState');
      }
    },
    /** Sends each page the number of its next report, or requests its state. */
    checkAll(): void {
      for (const [page, { expected, bucket }] of known) {
        if (page.isDestroyed()) known.delete(page);
        else if (expected !== 'state') sendTools(page, 'reportState', expected);
        else if (!bucket.isEmpty()) sendTools(page, 'reportState');
      }
    },
  };
}

const isOfType = (reported: unknown, type: string): boolean => knownType(reported) === type;

/** Returns the type of a refused report if it is on the allow-list: another one may contain anything. */
const knownType = (reported: unknown): string | undefined =>
  isOwnAction(reported) ? reported.type : undefined;
