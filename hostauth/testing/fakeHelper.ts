import type { EndReason, Helper } from '../link/helperProtocol.ts';
import type { Authenticator } from '../helper/pam/pamAuthenticator.ts';

/** A helper whose accounts the test changes. */
export interface FakeHelper extends Helper {
  /** Accounts that have changed, and how. Their names are their proofs. */
  readonly ended: Map<string, EndReason>;
  /** Names of administrators. */
  readonly administrators: Set<string>;
  /** The accounts that were checked, in order. */
  readonly checked: readonly string[];
  /** Lets all later checks fail. */
  lose(): void;
}

/** Creates a helper whose accounts the test changes. */
export function fakeHelper(authenticator: Authenticator): FakeHelper {
  const ended = new Map<string, EndReason>();
  const administrators = new Set<string>();
  const checked: string[] = [];
  let isLost = false;
  const check: Helper['checkAccount'] = async (account) => {
    checked.push(account);
    const reason = ended.get(account);
    if (isLost) return { state: 'unknown', detail: 'lost' };
    return reason === undefined ? { state: 'same' } : { state: 'ended', reason };
  };
  return {
    ended,
    administrators,
    checked,
    async authenticate(credentials) {
      const outcome = await authenticator.authenticate(credentials);
      return outcome.kind === 'accepted' ? { kind: 'accepted', account: credentials.username } : outcome;
    },
    checkAccount: check,
    async isAdministrator(account) {
      const answer = await check(account);
      if (answer.state !== 'same') return answer;
      return { state: administrators.has(account) ? 'administrator' : 'other' };
    },
    createUser: async () => ({ kind: 'refused', reason: 'off' }),
    cancelWaiting: async () => undefined,
    close: async () => undefined,
    lose() {
      isLost = true;
    },
  };
}
