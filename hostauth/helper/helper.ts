import { type AccountCheck, createAccountCheck } from './accounts/accountCheck.ts';
import { type CreationQueue, createCreationQueue, createUser } from './accounts/createUser.ts';
import {
  LookUpError,
  createLookUpLimit,
  groupsOf,
  isAdministrator,
  lookUpAccount,
} from './accounts/lookUp.ts';
import type { Config, UsersMode } from '../base/config.ts';
import type {
  AccountGroups,
  AdministratorState,
  Credentials,
  Helper,
  SignInOutcome,
} from '../link/helperProtocol.ts';
import {
  type Authenticator,
  type PamAuthenticatorOptions,
  createPamAuthenticator,
} from './pam/pamAuthenticator.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { createAccountProofs, createLocalAccounts, isLocked } from './accounts/localAccounts.ts';
import { CREATION_LIMITS } from './accounts/createAccount.ts';
import { HOST_TOOLS, type HostTools } from './accounts/runTool.ts';
import type { HelperLog } from '../base/stderrWriter.ts';
import { UNIX_CHKPWD, accountUse } from './pam/accountPhase.ts';

/** The options of `createHelper`. */
export interface HelperOptions {
  readonly authenticator: Authenticator;
  readonly accountCheck: AccountCheck;
  readonly users: UsersMode;
  /** The group whose members are administrators. */
  readonly adminGroup: string;
  readonly creations: CreationQueue;
  /**
   * Whether a user is in the administrators' group now.
   * @throws {LookUpError} when the name service does not answer.
   */
  readonly isAdministrator: (username: string) => Promise<boolean>;
  /**
   * The names of a user's groups now.
   * @throws {LookUpError} when the name service does not answer.
   */
  readonly groupsOf: (username: string) => Promise<string[]>;
  /**
   * Called for each user that exists after its creation, also when the creation failed. If the HTTP process has ended in the
   * meantime, its audit log does not have the creation.
   */
  readonly onUserCreated: (username: string) => void;
}

/** Creates the helper, which answers the calls of the HTTP process. It checks every input, also those checked before. */
export function createHelper(options: HelperOptions): Helper {
  const { authenticator, accountCheck, creations } = options;

  async function authenticate(credentials: Credentials): Promise<SignInOutcome> {
    const entry = accountCheck.localEntry(credentials.username);
    const outcome = await authenticator.authenticate(credentials);
    // PAM does not tell a locked account from a wrong password.
    if (outcome.kind === 'refused' && outcome.reason === 'credentials' && entry && isLocked(entry)) {
      return { ...outcome, reason: 'locked' };
    }
    if (outcome.kind !== 'accepted') return outcome;
    try {
      const account = await accountCheck.prove(credentials.username, entry);
      if (account !== undefined) return { kind: 'accepted', account };
      return { kind: 'refused', reason: 'account', detail: 'the name service does not know the account' };
    } catch (error) {
      if (!(error instanceof LookUpError)) throw error;
      return { kind: 'unavailable', reason: 'lookup', detail: error.message };
    }
  }

  async function administratorState(account: string): Promise<AdministratorState> {
    const { username, ...answer } = await accountCheck.check(account, { isFresh: true });
    if (answer.state !== 'same') return answer;
    try {
      return { state: (await options.isAdministrator(username ?? '')) ? 'administrator' : 'other' };
    } catch (error) {
      if (!(error instanceof LookUpError)) throw error;
      return { state: 'unknown', detail: error.message };
    }
  }

  async function accountGroups(account: string): Promise<AccountGroups> {
    const { username = '', ...answer } = await accountCheck.check(account);
    if (answer.state !== 'same') return answer;
    try {
      return { state: 'same', username, groups: await options.groupsOf(username) };
    } catch (error) {
      if (!(error instanceof LookUpError)) throw error;
      return { state: 'unknown', detail: error.message };
    }
  }

  return {
    authenticate,
    async checkAccount(account) {
      const { username: _, ...answer } = await accountCheck.check(account);
      return answer;
    },
    isAdministrator: administratorState,
    accountGroups,
    async createUser(user) {
      const creation = await createUser(user, { ...options, administratorState });
      const isLeft = creation.kind === 'failed' && creation.rolledBack === 'left';
      if (creation.kind === 'created' || isLeft) options.onUserCreated(user.username);
      return creation;
    },
    async cancelWaiting() {
      creations.cancelWaiting();
    },
    async close() {
      await Promise.all([authenticator.close(), creations.close()]);
    },
  };
}

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
  const limit = createLookUpLimit(clock);
  return createHelper({
    authenticator: createPamAuthenticator({ service: config.pamService, ...pam }),
    accountCheck: createAccountCheck({
      proofs: createAccountProofs(key),
      local: createLocalAccounts(),
      lookUpAccount: (username) => limit(() => lookUpAccount(username, tools)),
      accountUse: (username) => limit(() => accountUse(username, UNIX_CHKPWD)),
      clock,
      maxMs: config.maxMs,
    }),
    users: config.users,
    adminGroup: config.adminGroup,
    creations: createCreationQueue({ tools, clock, ...CREATION_LIMITS }),
    isAdministrator: (username) =>
      limit(() => isAdministrator(username, { tools, group: config.adminGroup })),
    groupsOf: (username) => limit(() => groupsOf(username, { tools })),
    onUserCreated: (username) => log('info', 'the helper created a user', { username }),
  });
}
