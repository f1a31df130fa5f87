import { type Clock, systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { createAccountCheck } from './accountCheck.ts';
import { type AccountEntry, createAccountProofs } from './accountProof.ts';
import { createAccounts } from './accounts/accounts.ts';
import { isAdministrator } from './accounts/adminGroup.ts';
import { CREATION_LIMITS } from './accounts/createAccount.ts';
import { HOST_TOOLS } from './accounts/hostTools.ts';
import { lookUp } from './accounts/lookUp.ts';
import { createHelper } from './helper.ts';
import type { HelperLog } from './helperLog.ts';
import type { Helper } from './helperProtocol.ts';
import { createLocalAccounts, entryOf } from './localAccounts.ts';
import { createLookUpLimit } from './lookUpLimit.ts';
import { UNIX_CHKPWD, accountUse } from './pam/accountPhase.ts';
import { type PamAuthenticatorOptions, createPamAuthenticator } from './pam/pamAuthenticator.ts';

/** A directory that is away must not hold a request for long. */
const LOOK_UP_MS = 5000;

export interface HostHelperOptions {
  readonly config: Pick<Config, 'pamService' | 'users' | 'adminGroup' | 'maxMs'>;
  /** The key of the account proofs: 32 random bytes. */
  readonly key: Buffer;
  /** Writes what the helper did to the log of its own process. */
  readonly log: HelperLog;
  /** How PAM is asked, where it is not as shipped. */
  readonly pam?: Partial<PamAuthenticatorOptions>;
  readonly clock?: Clock;
}

/** The helper of this host, as its settings say. */
export function createHostHelper(options: HostHelperOptions): Helper {
  const { config, key, log, pam, clock = systemClock } = options;
  const limit = createLookUpLimit(clock);
  return createHelper({
    authenticator: createPamAuthenticator({ service: config.pamService, ...pam }),
    accountCheck: createAccountCheck({
      proofs: createAccountProofs(key),
      local: createLocalAccounts(),
      lookUpAccount: (username) => limit(() => lookUpAccount(username)),
      accountUse: (username) => limit(() => accountUse(username, UNIX_CHKPWD)),
      clock,
      maxMs: config.maxMs,
    }),
    users: config.users,
    adminGroup: config.adminGroup,
    accounts: createAccounts({ tools: HOST_TOOLS, clock, ...CREATION_LIMITS }),
    isAdministrator: (username) =>
      limit(() => isAdministrator(username, { tools: HOST_TOOLS, group: config.adminGroup })),
    onUserCreated: (username) => log('info', 'the helper created a user', { username }),
  });
}

/** An account of a directory. getent would take a number for a uid and a `-` for an option: neither is a name here. */
async function lookUpAccount(username: string): Promise<AccountEntry | undefined> {
  if (/^(-|\d+$)/.test(username)) return undefined;
  const fields = await lookUp({
    tools: HOST_TOOLS,
    database: 'passwd',
    name: username,
    limitMs: LOOK_UP_MS,
  });
  return fields && entryOf(fields);
}
