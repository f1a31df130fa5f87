import { type WebContents, ipcMain } from 'electron';
import type { Logger } from '#log/createLogger.ts';
import { toolsValidators } from '#shared/ipc/validators.ts';
import { OWN_ACTIONS, parseOwnAction } from '#shared/window/ownActions.ts';
import { stateReported } from '#shared/window/ownReducer.ts';
import { ofWindow } from '#shared/window/windows.ts';
import type { MainStore } from '../store/mainStore.ts';
import { isFromMessengerWindow } from '../window/messengerWindows.ts';
import { sendTools } from '../window/sendToWindows.ts';
import { windowNumber } from '../window/windowNumbers.ts';

/** What is known about the reports of a page: the number of the next one, or that the page's state was requested. */
type Expected = number | 'state';

/**
 * Receives what the messenger's windows report about themselves, and dispatches it with the window's number. Only actions of the allow-list
 * are accepted, so a window reports neither a shared fact nor an act of another window.
 *
 *     following ── the next number ──▶ following: dispatched
 *         │ ▲
 *         │ └── the window's state, with any number: dispatched ───┐
 *         └──── another number: the state is requested ──▶ waiting ┘ other reports are dropped
 */
export function receiveReports(store: Pick<MainStore, 'dispatch'>, log: Logger): void {
  const expected = new WeakMap<WebContents, Expected>();

  /** Returns whether a report is in order; requests the page's state when reports are missing. */
  const isInOrder = (page: WebContents, number: number): boolean => {
    const next = expected.get(page);
    if (next === number) return true;
    if (next !== 'state') sendTools(page, 'reportState');
    expected.set(page, 'state');
    return false;
  };

  ipcMain.on('report', (event, ...args: unknown[]) => {
    const checked = toolsValidators.report.safeParse(args);
    const window = windowNumber(event.sender);
    if (!checked.success || window === undefined || !isFromMessengerWindow(event)) {
      log.warn({ channel: 'report' }, 'a message that no window of ours sends was dropped');
      return;
    }
    const [number, reported] = checked.data;
    const action = parseOwnAction(reported);
    if (action === undefined) {
      log.warn({ channel: 'report', type: knownType(reported) }, 'a report of a window was refused');
      return;
    }
    if (!stateReported.match(action) && !isInOrder(event.sender, number)) return;
    expected.set(event.sender, number + 1);
    store.dispatch(ofWindow(action, window));
  });
}

/** Returns the type of a refused report if it is on the allow-list: another one may contain anything. */
const knownType = (reported: unknown): string | undefined =>
  typeof reported === 'object' &&
  reported !== null &&
  'type' in reported &&
  typeof reported.type === 'string' &&
  OWN_ACTIONS.has(reported.type)
    ? reported.type
    : undefined;
