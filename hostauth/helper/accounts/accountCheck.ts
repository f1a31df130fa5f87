/*
 * Whether an account is still the one that signed in:
 *
 *   proof ── not ours, too old ────────────────────────────────▶ ended: proof
 *     └─ account now ── none ──────────────────────────────────▶ ended: deleted
 *              ├── another uid ────────────────────────────────▶ ended: replaced
 *              ├── another password ── with `!` or `*` ────────▶ ended: locked
 *              │            └──────────────────────────────────▶ ended: password
 *              ├── something else differs ── not usable now ───▶ ended: expired
 *              │            └──────────────────────────────────▶ ended: changed
 *              └── the same ── not usable today ───────────────▶ ended: expired
 *                     └────────────────────────────────────────▶ same
 *   the name service or unix_chkpwd cannot be asked ───────────▶ unknown
 */
import type { Clock } from '../../base/clock.ts';
import type { AccountEntry, AccountProof, AccountProofs } from './accountProof.ts';
import type { AccountState } from '../../link/helperProtocol.ts';
import type { LocalAccounts } from './localAccounts.ts';
import type { AccountUse } from '../pam/accountPhase.ts';
import { errorMessage } from '../../base/errorMessage.ts';
import { isPlainlyUsable } from '../pam/plainAccount.ts';

const DAY_MS = 86_400_000;
/** How long an answer of the name service, or of unix_chkpwd about its accounts, counts. */
const CACHE_MS = 3000;
/** The answers to keep at once. */
const CACHED = 4096;
/** A session begins a moment after its proof, and clocks are set. */
const SLACK_MS = 60_000;

export interface AccountCheckOptions {
  readonly proofs: AccountProofs;
  readonly local: LocalAccounts;
  /**
   * Looks up an account that the host's files do not have.
   * @throws {LookUpError} when the name service cannot be asked.
   */
  readonly lookUpAccount: (username: string) => Promise<AccountEntry | undefined>;
  /** Asks unix_chkpwd. */
  readonly accountUse: (username: string) => Promise<AccountUse>;
  readonly clock: Pick<Clock, 'monotonic' | 'wall'>;
  /** The greatest age of a session, in milliseconds: older proofs are not valid. */
  readonly maxMs: number;
}

export interface CheckOptions {
  /** Asks the name service again, whatever it answered a moment ago. */
  readonly isFresh?: boolean;
}

/** What is still to be said about an account: the checks of the helper. */
export interface AccountCheck {
  /** The entry in the host's files, taken before PAM is asked: a change during the call ends the session. */
  localEntry(username: string): AccountEntry | undefined;
  /** Makes the proof of an account that PAM has accepted. @param entry what `localEntry` gave. */
  prove(username: string, entry: AccountEntry | undefined): Promise<string | undefined>;
  /** Whether the account is still the same; `username` is given when it is. */
  check(proof: string, options?: CheckOptions): Promise<AccountState & { readonly username?: string }>;
}

/** Creates the checks of accounts. */
export function createAccountCheck(options: AccountCheckOptions): AccountCheck {
  const { proofs, local, clock, maxMs } = options;
  const entries = createCache<AccountEntry | undefined>(clock);
  const uses = createCache<AccountUse>(clock, ({ kind }) => kind === 'unknown');

  async function find(username: string, isFresh: boolean): Promise<AccountEntry | undefined> {
    const entry = local.find(username);
    if (entry !== undefined) return entry;
    return entries.get(username, { isFresh, key: '', load: () => options.lookUpAccount(username) });
  }

  /** For a local account the answer depends on its shadow line and the day only. */
  function use({ username, identity }: AccountEntry, isFresh: boolean): Promise<AccountUse> {
    const line = local.shadowLine(username);
    const today = Math.floor(clock.wall() / DAY_MS);
    if (isPlainlyUsable(line, username, today)) return Promise.resolve({ kind: 'usable' });
    const key = line === '' ? identity : `${line} ${today}`;
    return uses.get(username, {
      isFresh: isFresh && line === '',
      isLasting: line !== '',
      key,
      load: () => options.accountUse(username),
    });
  }

  async function compare(proof: AccountProof, isFresh: boolean): Promise<AccountState> {
    const entry = await find(proof.username, isFresh);
    if (entry === undefined) return { state: 'ended', reason: 'deleted' };
    const difference = proofs.compare(proof, entry);
    if (difference === 'uid') return { state: 'ended', reason: 'replaced' };
    if (difference === 'password') {
      return { state: 'ended', reason: /^[!*]/.test(entry.password) ? 'locked' : 'password' };
    }
    const answer = await use(entry, isFresh);
    if (answer.kind === 'expired' || answer.kind === 'must-change') {
      return { state: 'ended', reason: 'expired' };
    }
    if (difference === 'changed') return { state: 'ended', reason: 'changed' };
    return answer.kind === 'unknown' ? { state: 'unknown', detail: answer.detail } : { state: 'same' };
  }

  return {
    localEntry: (username) => local.find(username),
    async prove(username, entry) {
      const proven = entry ?? (await find(username, true));
      return proven && proofs.issue(proven, Math.floor(clock.wall() / 1000));
    },
    async check(text, { isFresh = false } = {}) {
      const proof = proofs.open(text);
      const isValid = proof !== undefined && clock.wall() - proof.at * 1000 <= maxMs + SLACK_MS;
      if (!isValid) return { state: 'ended', reason: 'proof' };
      try {
        const state = await compare(proof, isFresh);
        return state.state === 'same' ? { ...state, username: proof.username } : state;
      } catch (error) {
        return { state: 'unknown', detail: errorMessage(error) };
      }
    },
  };
}

interface CacheQuery<T> {
  /** An answer for another key does not count. */
  readonly key: string;
  readonly isFresh: boolean;
  /** Counts as long as the key is the same. */
  readonly isLasting?: boolean;
  readonly load: () => Promise<T>;
}

interface CachedAnswer<T> {
  readonly key: string;
  readonly answer: Promise<T>;
  readonly endsAt: number;
}

/** Answers about usernames. Calls at the same time share one answer; a failure is not kept. */
function createCache<T>(clock: Pick<Clock, 'monotonic'>, isFailure: (answer: T) => boolean = () => false) {
  const answers = new Map<string, CachedAnswer<T>>();
  return {
    get(username: string, { key, isFresh, isLasting = false, load }: CacheQuery<T>): Promise<T> {
      const known = answers.get(username);
      if (!isFresh && known?.key === key && clock.monotonic() < known.endsAt) return known.answer;
      if (answers.size >= CACHED) answers.clear();
      const answer = load();
      const endsAt = isLasting ? Number.POSITIVE_INFINITY : clock.monotonic() + CACHE_MS;
      answers.set(username, { key, answer, endsAt });
      const forget = () => {
        if (answers.get(username)?.answer === answer) answers.delete(username);
      };
      answer.then((value) => isFailure(value) && forget(), forget);
      return answer;
    },
  };
}
