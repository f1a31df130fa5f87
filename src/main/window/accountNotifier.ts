import type { BrowserWindow } from 'electron';
import type { Received } from '#shared/ipc/channels.ts';
import { sendToWindows } from './sendToWindows.ts';

/** Sends the `account` channel (spec §6.3) to every window on a change, and to each page when it has loaded. */
interface AccountNotifier {
  notify(account: string | false, reason?: string): void;
  sendTo(window: BrowserWindow, account: string | false): void;
}

/** Creates the notifier. A reason that is given before any page has loaded is kept for the first page. */
export function createAccountNotifier(): AccountNotifier {
  let hasAnyPageLoaded = false;
  let pending: string | undefined;
  return {
    notify(account, reason) {
      sendToWindows('account', ...withReason(account, reason));
      pending = hasAnyPageLoaded ? undefined : reason;
    },
    sendTo({ webContents }, account) {
      hasAnyPageLoaded = true;
      webContents.send('account', ...withReason(account, pending));
      pending = undefined;
    },
  };
}

const withReason = (account: string | false, reason: string | undefined): Received['account'] =>
  reason === undefined ? [account] : [account, reason];
