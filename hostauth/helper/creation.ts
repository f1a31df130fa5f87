import { createAccounts } from './accounts/accounts.ts';
import { isAdministrator } from './accounts/adminGroup.ts';
import { CREATION_LIMITS } from './accounts/createAccount.ts';
import { HOST_TOOLS } from './accounts/hostTools.ts';
import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { CreationOptions } from '../http/routes/users.ts';

/** The creation of users on this host, as its settings have it. */
export const hostCreation = ({ users, adminGroup }: Config): CreationOptions => ({
  users,
  adminGroup,
  accounts: createAccounts({
    tools: HOST_TOOLS,
    clock: systemClock,
    ...CREATION_LIMITS,
  }),
  isAdministrator: (username) => isAdministrator(username, { tools: HOST_TOOLS, group: adminGroup }),
});
