/*
 * A session ends with its account (contract §8). When it is used, and in any case every few seconds, the helper is asked
 * whether the account is still the one that signed in:
 *
 *   live ── same ─────▶ live (checked)
 *     ├──── ended ────▶ none   (session ended: the reason)
 *     └──── unknown ──▶ live, but the request gets 503
 */
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import type { AccountState, Helper } from '../../link/helperProtocol.ts';
import { sessionOf } from './bearer.ts';
import { Problem } from '../../api/problems.ts';
import type { Session, Sessions } from './sessions.ts';

/** A check counts for so long. */
const RECENT_MS = 3000;
/** Sessions that are not used are checked at this interval. */
const SWEEP_MS = 5000;
/** How many of them at once: some answers of a directory take seconds. */
const SWEEP_CONCURRENCY = 256;
/** The helper may start again, or a directory come back. */
const BUSY_RETRY_S = 5;

export interface AccountGuardOptions {
  readonly helper: Pick<Helper, 'checkAccount' | 'isAdministrator'>;
  readonly sessions: Sessions;
  readonly clock: Clock;
}

export interface AccountGuard {
  /** For a route's `onRequest`, after `bearer`: the account was the same a moment ago. Otherwise 401 or 503. */
  readonly recentAccount: onRequestHookHandler;
  /**
   * Checks the account now, and whether it is an administrator's.
   * @throws {Problem} `token` when the session has ended, `busy` when nothing could be asked.
   */
  isAdministrator(request: FastifyRequest): Promise<boolean>;
  /** Checks the sessions that are not used, from time to time; returns the function that stops it. */
  start(): () => void;
}

/** Continues a request when its check has ended. */
async function settleWith(check: Promise<void>, done: (error?: Error) => void): Promise<void> {
  let failure: Error | undefined;
  try {
    await check;
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
  }
  done(failure);
}

/** Checks sessions, several at once. */
async function checkAll(
  unchecked: IterableIterator<Session>,
  check: (session: Session) => Promise<void>,
): Promise<void> {
  const checkNext = async () => {
    for (const session of unchecked) {
      await check(session).catch((error: unknown) => {
        if (!(error instanceof Problem)) throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: SWEEP_CONCURRENCY }, checkNext));
}

/** Ends the sessions whose account is not the one that signed in. */
export function createAccountGuard({ helper, sessions, clock }: AccountGuardOptions): AccountGuard {
  const checks = new WeakMap<Session, Promise<void>>();

  /** @throws {Problem} when the session has ended, or it is not known whether it has. */
  function settle(session: Session, answer: Exclude<AccountState, { state: 'same' }>): never {
    if (answer.state === 'unknown') throw new Problem('busy', BUSY_RETRY_S);
    sessions.endSession(session, { reason: answer.reason });
    throw new Problem('token');
  }

  async function check(session: Session): Promise<void> {
    const startedAt = clock.monotonic();
    const answer = await helper.checkAccount(session.account);
    if (answer.state !== 'same') settle(session, answer);
    session.checkedAt = startedAt;
    // It may have ended in the meantime.
    if (!sessions.isLive(session)) throw new Problem('token');
  }

  /** Requests of one session at the same time share a check. */
  function checkOnce(session: Session): Promise<void> {
    const known = checks.get(session);
    if (known !== undefined) return known;
    const made = check(session).finally(() => checks.delete(session));
    checks.set(session, made);
    return made;
  }

  const isRecent = ({ checkedAt }: Session) => clock.monotonic() - checkedAt < RECENT_MS;
  const sweep = () =>
    checkAll(sessions.list(), async (session) => {
      if (!isRecent(session)) await checkOnce(session);
    });

  return {
    recentAccount: (request, _reply, done) => {
      const session = sessionOf(request);
      if (isRecent(session)) return done();
      void settleWith(checkOnce(session), done);
    },
    async isAdministrator(request) {
      const session = sessionOf(request);
      const answer = await helper.isAdministrator(session.account);
      if (answer.state === 'ended' || answer.state === 'unknown') return settle(session, answer);
      if (!sessions.isLive(session)) throw new Problem('token');
      return answer.state === 'administrator';
    },
    start() {
      let cancel = clock.after(SWEEP_MS, next);
      let isStopped = false;
      function next(): void {
        void sweepAndWait();
      }
      async function sweepAndWait(): Promise<void> {
        await sweep();
        if (!isStopped) cancel = clock.after(SWEEP_MS, next);
      }
      return () => {
        isStopped = true;
        cancel();
      };
    },
  };
}
