import type { AccountCheck } from './accounts/accountCheck.ts';
import type { CreationQueue } from './creation/creationQueue.ts';
import { createUser } from './creation/createUser.ts';
import { LookUpError } from './accounts/lookUp.ts';
import type { UsersMode } from '../base/config.ts';
import type { AdministratorState, Credentials, Helper, SignInOutcome } from '../link/helperProtocol.ts';
import type { Authenticator } from './pam/pamAuthenticator.ts';

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

  return {
    authenticate,
    async checkAccount(account) {
      const { username: _, ...answer } = await accountCheck.check(account);
      return answer;
    },
    isAdministrator: administratorState,
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
