/*
 * A session ends with its account (contract §8). The helper is asked whether the account is still the one that signed in:
 * when the session is used, and every few seconds when it is not.
 *
 *   live ── same ─────▶ live (checked)
 *     ├──── ended ────▶ none   (session ended: the reason)
 *     └──── unknown ──▶ live, but the request gets 503
 */
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import type { AccountState, Helper } from '../../link/helperProtocol.ts';
import { requestSession } from './bearer.ts';
import { Problem } from '../../api/problems.ts';
import type { Session, Sessions } from './sessions.ts';

/** A check is valid for this long. */
const RECENT_MS = 3000;
/** The helper may restart, or a directory become available again. */
const BUSY_RETRY_S = 5;

/** The options of `createAccountGuard`. */
interface AccountGuardOptions {
  readonly helper: Pick<Helper, 'checkAccount' | 'isAdministrator'>;
  readonly sessions: Sessions;
  readonly clock: Clock;
}

/** The hooks that check the account of a session. */
export interface AccountGuard {
  /** For a route's `onRequest`, after `bearer`: admits requests whose account was the same a moment ago; else 401 or 503. */
  readonly recentAccount: onRequestHookHandler;
  /**
   * Checks the account now, and whether it is an administrator's.
   * @throws {Problem} `token` when the session has ended, `busy` when the account could not be checked.
   */
  isAdministrator(request: FastifyRequest): Promise<boolean>;
  /** Starts to check the sessions that are not used; returns the function that stops it. */
  start(): () => void;
}

/** Continues a request when its check has ended. */
async function continueAfter(check: Promise<void>, done: (error?: Error) => void): Promise<void> {
  let failure: Error | undefined;
  try {
    await check;
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
  }
  done(failure);
}

/** Creates the guard that ends sessions whose account has changed. */
export function createAccountGuard({ helper, sessions, clock }: AccountGuardOptions): AccountGuard {
  const checks = new WeakMap<Session, Promise<void>>();

  /** @throws {Problem} when the session has ended, or its account could not be checked. */
  function endOrFail(session: Session, answer: Exclude<AccountState, { state: 'same' }>): never {
    if (answer.state === 'unknown') throw new Problem('busy', BUSY_RETRY_S);
    sessions.endSession(session, { reason: answer.reason });
    throw new Problem('token');
  }

  async function check(session: Session): Promise<void> {
    const startedAt = clock.monotonic();
    const answer = await helper.checkAccount(session.account);
    if (answer.state !== 'same') endOrFail(session, answer);
    session.checkedAt = startedAt;
    // It may have ended in the meantime.
    if (!sessions.isLive(session)) throw new Problem('token');
  }

  /** Requests of one session at the same time share a check. */
  function checkOnce(session: Session): Promise<void> {
    const running = checks.get(session);
    if (running !== undefined) return running;
    const started = check(session).finally(() => checks.delete(session));
    checks.set(session, started);
    return started;
  }

  const isRecent = ({ checkedAt }: Session) => clock.monotonic() - checkedAt < RECENT_MS;

  return {
    recentAccount: (request, _reply, done) => {
      const session = requestSession(request);
      if (isRecent(session)) return done();
      void continueAfter(checkOnce(session), done);
    },
    async isAdministrator(request) {
      const session = requestSession(request);
      const answer = await helper.isAdministrator(session.account);
      if (answer.state === 'ended' || answer.state === 'unknown') return endOrFail(session, answer);
      if (!sessions.isLive(session)) throw new Problem('token');
      return answer.state === 'administrator';
    },
    start: () =>
      startSweep(clock, sessions, async (session) => {
        if (!isRecent(session)) await checkOnce(session);
      }),
  };
}

/** The pause between two rounds. */
const INTERVAL_MS = 5000;
/** The most checks at once: a directory may take seconds for some of them. */
const CONCURRENCY = 256;

type Check = (session: Session) => Promise<void>;

/**
 * Checks all live sessions, again and again with a pause.
 * @param check may reject with a `Problem`, which is ignored.
 * @returns the function that stops it.
 */
function startSweep(clock: Pick<Clock, 'after'>, sessions: Pick<Sessions, 'list'>, check: Check): () => void {
  let isStopped = false;
  let cancel = clock.after(INTERVAL_MS, next);
  function next(): void {
    void checkAndWait();
  }
  async function checkAndWait(): Promise<void> {
    await checkAll(sessions.list(), check);
    if (!isStopped) cancel = clock.after(INTERVAL_MS, next);
  }
  return () => {
    isStopped = true;
    cancel();
  };
}

async function checkAll(unchecked: IterableIterator<Session>, check: Check): Promise<void> {
  // They share the iterator: each takes the next session when its check has ended.
  const checkNext = async () => {
    for (const session of unchecked) {
      await check(session).catch((error: unknown) => {
        if (!(error instanceof Problem)) throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, checkNext));
}
