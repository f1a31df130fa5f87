/*
 * Whether an account is still the one that signed in:
 *
 *   proof ── not valid, too old ───────────────────────────────▶ ended: proof
 *     └─ account now ── none ──────────────────────────────────▶ ended: deleted
 *              ├── another uid ────────────────────────────────▶ ended: replaced
 *              ├── another password ── with `!` or `*` ────────▶ ended: locked
 *              │            └──────────────────────────────────▶ ended: password
 *              ├── something else differs ── not usable now ───▶ ended: expired
 *              │            └──────────────────────────────────▶ ended: changed
 *              └── the same ── not usable today ───────────────▶ ended: expired
 *                     └────────────────────────────────────────▶ same
 *   the name service or unix_chkpwd does not answer ───────────▶ unknown
 */
import type { Clock } from '../../base/clock.ts';
import {
  type AccountEntry,
  type AccountProof,
  type AccountProofs,
  type LocalAccounts,
  isLocked,
} from './localAccounts.ts';
import type { AccountState } from '../../link/helperProtocol.ts';
import { type AccountUse, isPlainlyUsable } from '../pam/accountPhase.ts';
import { errorMessage } from '../../base/errors.ts';

const DAY_MS = 86_400_000;
/** A session begins a moment after its proof, and clocks are adjusted. */
const SLACK_MS = 60_000;

/** The options of `createAccountCheck`. */
interface AccountCheckOptions {
  readonly proofs: AccountProofs;
  readonly local: LocalAccounts;
  /**
   * Looks up an account that the host's files do not have.
   * @throws {LookUpError} when the name service does not answer.
   */
  readonly lookUpAccount: (username: string) => Promise<AccountEntry | undefined>;
  /** Asks unix_chkpwd. */
  readonly accountUse: (username: string) => Promise<AccountUse>;
  readonly clock: Pick<Clock, 'monotonic' | 'wall'>;
  /** The greatest age of a session, in milliseconds: older proofs are not valid. */
  readonly maxMs: number;
}

/** The options of one check. */
interface CheckOptions {
  /** Whether cached answers of the name service do not count. */
  readonly isFresh?: boolean;
}

/** The checks of accounts. */
export interface AccountCheck {
  /** Returns the entry in the host's files. Read before PAM is asked, so that a change during the call ends the session. */
  localEntry(username: string): AccountEntry | undefined;
  /** Issues the proof of an account that PAM has accepted. @param entry the result of `localEntry`. */
  prove(username: string, entry: AccountEntry | undefined): Promise<string | undefined>;
  /** Checks whether the account is still the same; the result then has its `username`. */
  check(proof: string, options?: CheckOptions): Promise<AccountState & { readonly username?: string }>;
}

/** Finds accounts and whether they may be used: the host's files first, then cached answers of other programs. */
function createLookups({ local, clock, ...options }: AccountCheckOptions) {
  const entries = createAnswerCache<AccountEntry | undefined>(clock);
  const uses = createAnswerCache<AccountUse>(clock, ({ kind }) => kind === 'unknown');
  return {
    async find(username: string, isFresh: boolean): Promise<AccountEntry | undefined> {
      const entry = local.find(username);
      if (entry !== undefined) return entry;
      return entries.get(username, { isFresh, key: '', load: () => options.lookUpAccount(username) });
    },
    /** For a local account the answer depends only on its shadow line and the day. */
    use({ username, identity }: AccountEntry, isFresh: boolean): Promise<AccountUse> {
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
    },
  };
}

/** Creates the checks of accounts. */
export function createAccountCheck(options: AccountCheckOptions): AccountCheck {
  const { proofs, local, clock, maxMs } = options;
  const { find, use } = createLookups(options);

  async function compare(proof: AccountProof, isFresh: boolean): Promise<AccountState> {
    const entry = await find(proof.username, isFresh);
    if (entry === undefined) return { state: 'ended', reason: 'deleted' };
    const difference = proofs.compare(proof, entry);
    if (difference === 'uid') return { state: 'ended', reason: 'replaced' };
    if (difference === 'password') {
      return { state: 'ended', reason: isLocked(entry) ? 'locked' : 'password' };
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

/** How long an answer counts, unless it is lasting. */
const CACHE_MS = 3000;
/** The most answers to keep. */
const CAPACITY = 4096;

/** A question to the cache. */
interface CacheQuery<T> {
  /** An answer for another key does not count. */
  readonly key: string;
  /** Whether a cached answer does not count. */
  readonly isFresh: boolean;
  /** Whether the answer counts as long as the key is the same. */
  readonly isLasting?: boolean;
  readonly load: () => Promise<T>;
}

interface CachedAnswer<T> {
  readonly key: string;
  readonly answer: Promise<T>;
  readonly endsAt: number;
}

/** Creates a cache of answers about usernames. Calls at the same time share an answer. Failures are not kept. */
function createAnswerCache<T>(
  clock: Pick<Clock, 'monotonic'>,
  isFailure: (answer: T) => boolean = () => false,
) {
  const answers = new Map<string, CachedAnswer<T>>();
  return {
    get(username: string, { key, isFresh, isLasting = false, load }: CacheQuery<T>): Promise<T> {
      const cached = answers.get(username);
      if (!isFresh && cached?.key === key && clock.monotonic() < cached.endsAt) return cached.answer;
      if (answers.size >= CAPACITY) answers.clear();
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
