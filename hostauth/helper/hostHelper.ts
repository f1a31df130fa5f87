import { type Clock, systemClock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { createAccountCheck } from './accounts/accountCheck.ts';
import { createAccountProofs } from './accounts/accountProof.ts';
import { createCreationQueue } from './creation/creationQueue.ts';
import { isAdministrator } from './accounts/isAdministrator.ts';
import { CREATION_LIMITS } from './creation/createAccount.ts';
import { HOST_TOOLS, type HostTools } from './accounts/hostTools.ts';
import { lookUpAccount } from './accounts/lookUpAccount.ts';
import { createHelper } from './helper.ts';
import type { HelperLog } from './helperLog.ts';
import type { Helper } from '../link/helperProtocol.ts';
import { createLocalAccounts } from './accounts/localAccounts.ts';
import { createLookUpLimit } from './accounts/lookUpLimit.ts';
import { UNIX_CHKPWD, accountUse } from './pam/accountPhase.ts';
import { type PamAuthenticatorOptions, createPamAuthenticator } from './pam/pamAuthenticator.ts';

/** The options of `createHostHelper`. */
interface HostHelperOptions {
  readonly config: Pick<Config, 'pamService' | 'users' | 'adminGroup' | 'maxMs'>;
  /** The key of the account proofs: 32 random bytes. */
  readonly key: Buffer;
  /** Writes to the log of the helper's own process. */
  readonly log: HelperLog;
  /** Options of PAM that differ from the shipped ones. */
  readonly pam?: Partial<PamAuthenticatorOptions>;
  /** The host's own tools unless given. */
  readonly tools?: HostTools;
  readonly clock?: Clock;
}

/** Creates the helper of this host with its settings. */
export function createHostHelper(options: HostHelperOptions): Helper {
  const { config, key, log, pam, tools = HOST_TOOLS, clock = systemClock } = options;
  const chkpwd = pam?.helper ?? UNIX_CHKPWD;
  const limit = createLookUpLimit(clock);
  return createHelper({
    authenticator: createPamAuthenticator({ service: config.pamService, ...pam }),
    accountCheck: createAccountCheck({
      proofs: createAccountProofs(key),
      local: createLocalAccounts(),
      lookUpAccount: (username) => limit(() => lookUpAccount(username, tools)),
      accountUse: (username) => limit(() => accountUse(username, chkpwd)),
      clock,
      maxMs: config.maxMs,
    }),
    users: config.users,
    adminGroup: config.adminGroup,
    creations: createCreationQueue({ tools, clock, ...CREATION_LIMITS }),
    isAdministrator: (username) =>
      limit(() => isAdministrator(username, { tools, group: config.adminGroup })),
    onUserCreated: (username) => log('info', 'the helper created a user', { username }),
  });
}
