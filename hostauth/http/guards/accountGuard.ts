/*
 * A session ends with its account (contract §8). The helper is asked whether the account is still the one that signed in:
 * when the session is used, and every few seconds when it is not.
 *
 *   live ── same ─────▶ live (checked)
 *     ├──── ended ────▶ none   (session ended: the reason)
 *     └──── unknown ──▶ live, but the request gets 503
 */
import type {
  FastifyInstance,
  FastifyRequest,
  onRequestAsyncHookHandler,
  onRequestHookHandler,
} from 'fastify';
import { Problem, type ProblemName } from '../../api/problems.ts';
import type { Clock } from '../../base/clock.ts';
import type { AccountGroups, AccountState, Helper } from '../../link/helperProtocol.ts';
import type { Audit, AuditEvent, AuditFields } from './audit.ts';
import type { Session, Sessions } from './sessions.ts';
import { clientAddress } from './hostCheck.ts';

/** A check is valid for this long. */
const RECENT_MS = 3000;
/** The helper may restart, or a directory become available again. */
const BUSY_RETRY_S = 5;

/** The options of `createAccountGuard`. */
interface AccountGuardOptions {
  readonly helper: Pick<Helper, 'checkAccount' | 'isAdministrator' | 'accountGroups'>;
  readonly sessions: Sessions;
  readonly clock: Clock;
}

/** The name of a session's account, as the name service spells it, and its groups. */
type Identity = Extract<AccountGroups, { state: 'same' }>;

/** The hooks that check the account of a session. */
export interface AccountGuard {
  /** For a route's `onRequest`, after `bearer`: answers 401 when the account has changed, and 503 when that is not known. A check of a moment ago counts. */
  readonly recentAccount: onRequestHookHandler;
  /**
   * Checks the account now, and whether it is an administrator's.
   * @throws {Problem} `token` when the session has ended, `busy` when the account could not be checked.
   */
  isAdministrator(request: FastifyRequest): Promise<boolean>;
  /**
   * Checks the account and looks up its groups. An answer of a moment ago counts.
   * @throws {Problem} as `isAdministrator`.
   */
  identity(request: FastifyRequest): Promise<Identity>;
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

  const identities = new WeakMap<Session, { readonly at: number; readonly identity: Promise<Identity> }>();

  async function askIdentity(session: Session, at: number): Promise<Identity> {
    const answer = await helper.accountGroups(session.account);
    if (answer.state !== 'same') return endOrFail(session, answer);
    session.checkedAt = at;
    if (!sessions.isLive(session)) throw new Problem('token');
    return answer;
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
    identity(request) {
      const session = requestSession(request);
      const at = clock.monotonic();
      const known = identities.get(session);
      if (known !== undefined && at - known.at < RECENT_MS) return known.identity;
      const identity = askIdentity(session, at);
      identities.set(session, { at, identity });
      identity.catch(() => identities.delete(session));
      return identity;
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

declare module 'fastify' {
  interface FastifyRequest {
    /** The session of a request; `null` where the route requires no token. Read it with `requestSession`. */
    session: Session | null;
  }
}

const BEARER = /^bearer +(\S+)$/i;

/** Returns the token of an `Authorization` header; `undefined` when it has none. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];

/** Creates an `onRequest` hook that admits requests with the token of a live session; others get 401 (contract §8). */
export const bearer =
  (sessions: Sessions): onRequestHookHandler =>
  (request, _reply, done) => {
    const token = bearerToken(request.headers.authorization);
    request.session = (token === undefined ? undefined : sessions.find(token)) ?? null;
    if (request.session === null) done(new Problem('token'));
    else done();
  };

/** Returns the session that `bearer` has found. @throws {Problem} `token` when there is none. */
export function requestSession(request: FastifyRequest): Session {
  if (request.session === null) throw new Problem('token');
  return request.session;
}

const WINDOW_MS = 60_000;

/** Returns who sent a request, for the audit log. */
export const requesterFields = (request: FastifyRequest): AuditFields => ({
  address: clientAddress(request),
  ...(request.session === null ? {} : { by: request.session.username }),
});

interface RequestLimitOptions {
  /** The calls that share the limit: the first part of its key. */
  readonly name: string;
  readonly max: number;
  readonly problem: ProblemName;
  /** Called for each request over the limit. */
  readonly onExceeded: (request: FastifyRequest) => void;
}

/** Limits the requests of one caller in a minute. It comes before the lookup of groups, which starts two processes. */
export function requestLimit(
  fastify: FastifyInstance,
  { name, max, problem, onExceeded }: RequestLimitOptions,
): onRequestAsyncHookHandler {
  const count = fastify.createRateLimit({
    max,
    timeWindow: WINDOW_MS,
    keyGenerator: (request: FastifyRequest) =>
      `${name} ${request.session?.username ?? clientAddress(request)}`,
  });
  return async (request) => {
    const counted = await count(request);
    if (counted.isAllowed || !counted.isExceeded) return;
    onExceeded(request);
    throw new Problem(problem, counted.ttlInSeconds);
  };
}

/** The options of `administratorsOnly`. */
interface AdministratorOptions {
  readonly guard: AccountGuard;
  readonly audit: Audit;
  /** The audit event of a refused request. */
  readonly event: AuditEvent;
}

/** Creates an `onRequest` hook, for use after `bearer`, that admits callers who are administrators now and whose account is unchanged. */
export function administratorsOnly({ guard, audit, event }: AdministratorOptions): onRequestAsyncHookHandler {
  return async (request) => {
    const isAdministrator = await guard.isAdministrator(request).catch((error: unknown) => {
      if (error instanceof Problem && error.problem === 'busy') {
        audit(event, { ...requesterFields(request), reason: 'lookup' });
      }
      throw error;
    });
    if (isAdministrator) return;
    audit(event, { ...requesterFields(request), reason: 'not-administrator' });
    throw new Problem('not-administrator');
  };
}
