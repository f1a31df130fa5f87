import type { ParleyBridge } from '#shared/ipc/channels.ts';
import { type Cell, cell } from '../base/cell.ts';

/**
 * The view that the window shows (spec §3.1):
 *
 *     splash ── false ──▶ login ◀── false ──┐
 *        │                  │               │
 *        │            an identifier         │
 *        │                  ▼               │
 *        └─ an identifier ▶ conversation ───┘
 */
export type View = 'splash' | 'login' | 'conversation';

/**
 * Follows the `account` channel; returns a cell with the view. Shows an alert with the reason of a sign-out. Ignores a repeated message.
 */
export function followAccount(parley: Pick<ParleyBridge, 'on'>, alert: (text: string) => void): Cell<View> {
  const view = cell<View>('splash');
  let last: readonly [account: string | false, reason: string] | undefined;
  parley.on('account', (account, reason = '') => {
    if (last?.[0] === account && last[1] === reason) return;
    last = [account, reason];
    view.set(account ? 'conversation' : 'login');
    if (!account && reason !== '') alert(reason);
  });
  return view;
}
