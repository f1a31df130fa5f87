import type { ParleyBridge } from '#shared/ipc/channels.ts';
import { type Cell, cell } from '../base/cell.ts';

/**
 * What the window shows (spec §3.1):
 *
 *     splash ── false ──▶ login ◀── false ──┐
 *        │                  │               │
 *        │            an identifier         │
 *        │                  ▼               │
 *        └─ an identifier ▶ conversation ───┘
 */
export type View = 'splash' | 'login' | 'conversation';

/**
 * Follows the `account` channel. A reason that comes with `false` is alerted; a notification like the one before
 * changes nothing.
 */
export function followAccount(parley: Pick<ParleyBridge, 'on'>, alert: (words: string) => void): Cell<View> {
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
