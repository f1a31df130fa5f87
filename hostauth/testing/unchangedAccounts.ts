import type { AccountCheck } from '../helper/accounts/accountCheck.ts';

/** Accounts that never change; a name is the proof of its account. */
export const unchangedAccounts: AccountCheck = {
  localEntry: () => undefined,
  prove: async (username) => username,
  check: async (username) => ({ state: 'same', username }),
};
