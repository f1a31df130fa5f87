import type { BrowserWindow } from 'electron';
import type { Heard } from '#shared/ipc/channels.ts';
import { sendToWindows } from './sendToWindows.ts';

/** The `account` channel (spec §6.3): who is signed in, told to every window at a change and to each page once it is there. */
export interface AccountNotifier {
  tell(account: string | false, reason?: string): void;
  greet(window: BrowserWindow, account: string | false): void;
}

/** A reason that was told before any page was there to hear it is kept for the first one. */
export function createAccountNotifier(): AccountNotifier {
  let isAnyPageThere = false;
  let untold: string | undefined;
  return {
    tell(account, reason) {
      sendToWindows('account', ...withReason(account, reason));
      untold = isAnyPageThere ? undefined : reason;
    },
    greet({ webContents }, account) {
      isAnyPageThere = true;
      webContents.send('account', ...withReason(account, untold));
      untold = undefined;
    },
  };
}

const withReason = (account: string | false, reason: string | undefined): Heard['account'] =>
  reason === undefined ? [account] : [account, reason];
