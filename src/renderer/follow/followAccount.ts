import type { ParleyBridge } from '#shared/ipc/channels.ts';
import { alertShown, viewChanged } from '#shared/actions/windowActions.ts';
import type { OwnAction } from '#shared/actions/actionTable.ts';

interface Deps {
  readonly parley: Pick<ParleyBridge, 'on'>;
  readonly dispatch: (action: OwnAction) => void;
}

/**
 * Follows the `account` channel: changes the view, and shows an alert with the reason of a sign-out. Ignores a repeated message.
 * @param onChanged is called with the account before the view changes.
 */
export function followAccount(
  { parley, dispatch }: Deps,
  onChanged: (account: string | false) => void,
): void {
  let last: readonly [account: string | false, reason: string] | undefined;
  parley.on('account', (account, reason = '') => {
    if (last?.[0] === account && last[1] === reason) return;
    last = [account, reason];
    onChanged(account);
    dispatch(viewChanged({ view: account ? 'conversation' : 'login' }));
    if (!account && reason !== '') dispatch(alertShown({ text: reason }));
  });
}
