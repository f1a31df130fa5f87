import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Clock } from '../../base/clock.ts';
import type { DelayFailure, FailureLimit } from '../guards/failureLimit.ts';
import type { Audit } from '../guards/audit.ts';
import { clientAddress } from '../guards/hostCheck.ts';
import type { Helper, SignInOutcome } from '../../link/helperProtocol.ts';
import { Problem } from '../../api/problems.ts';
import {
  type Credentials,
  type Token,
  credentialsSchema,
  problemResponses,
  tokenSchema,
} from '../../api/schemas.ts';
import type { NewSession, Sessions } from '../guards/sessions.ts';

/** A logout may free a slot much earlier than the next session expires. */
const MAX_RETRY_S = 60;
const BUSY_RETRY_S = 1;

/** The options of `auth` and `signIn`. */
export interface AuthOptions {
  readonly helper: Pick<Helper, 'authenticate'>;
  readonly sessions: Sessions;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly delayFailure: DelayFailure;
  readonly failureLimit: FailureLimit;
}

/** One attempt to sign in. */
interface Attempt {
  readonly username: string;
  readonly host: string | undefined;
  readonly address: string;
  readonly startedAt: number;
}

/** Adds `POST /auth`: exchanges the credentials of a host account for a session (spec §3.4, §4.3). */
export async function auth(fastify: FastifyInstance, options: AuthOptions): Promise<void> {
  const schema = {
    summary: 'Sign in with a host account',
    body: credentialsSchema,
    response: { 200: tokenSchema, ...problemResponses(400, 401, 403, 413, 415, 429, 503) },
  };
  fastify
    .withTypeProvider<ZodTypeProvider>()
    .post('/auth', { schema }, async (request, _reply): Promise<Token> =>
      tokenOf(await signIn(options, request, request.body)),
    );
}

/**
 * Checks credentials, with its limits, delays and audit lines, and creates a session.
 * @param request whose body has the username, for the limits.
 * @param host the app whose cookie the token will be.
 * @throws {Problem} when there is no session.
 */
export async function signIn(
  options: AuthOptions,
  request: FastifyRequest,
  { username, password, host }: Credentials & { readonly host?: string },
): Promise<NewSession> {
  const { clock, failureLimit, helper } = options;
  const attempt = { username, host, address: clientAddress(request), startedAt: clock.monotonic() };
  checkCapacity(options, attempt);
  const settle = await begin(options, attempt, () => failureLimit.enter(request));
  const outcome = await helper.authenticate({ username, password });
  await settle(outcome.kind === 'refused');
  if (outcome.kind !== 'accepted') return refuse(options, attempt, outcome);
  return createSession(options, attempt, outcome.account);
}

/** Refuses a sign-in before PAM is asked when all slots are in use. */
function checkCapacity({ sessions, audit }: AuthOptions, { username, address }: Attempt): void {
  if (!sessions.isFull()) return;
  audit('capacity reached', { username, address, reason: 'full' });
  throw new Problem('sessions-full', Math.min(sessions.secondsToFree(), MAX_RETRY_S));
}

async function begin<T>(
  { audit }: AuthOptions,
  { username, address }: Attempt,
  enter: () => Promise<T>,
): Promise<T> {
  try {
    return await enter();
  } catch (error) {
    if (error instanceof Problem) audit('sign-in throttled', { username, address, reason: error.problem });
    throw error;
  }
}

/** Writes the reason to the log; the answer has none. */
async function refuse(
  options: AuthOptions,
  { username, address, startedAt }: Attempt,
  outcome: Exclude<SignInOutcome, { kind: 'accepted' }>,
): Promise<never> {
  const { reason, detail } = outcome;
  const fields = { username, address, reason, ...(detail === undefined ? {} : { detail }) };
  if (outcome.kind === 'unavailable') {
    options.audit('sign-in unavailable', fields);
    throw new Problem('busy', BUSY_RETRY_S);
  }
  options.audit('sign-in failed', fields);
  await options.delayFailure(startedAt);
  throw new Problem('credentials');
}

async function createSession(
  options: AuthOptions,
  { username, host, address, startedAt }: Attempt,
  account: string,
): Promise<NewSession> {
  const { sessions, audit } = options;
  audit('sign-in succeeded', { username, address });
  const session = await sessions.create({ username, account, address, host, checkedAt: startedAt });
  if (typeof session !== 'string') {
    audit('session created', { username, address, session: session.number });
    return session;
  }
  audit('capacity reached', { username, address, reason: session });
  throw new Problem(
    session === 'full' ? 'sessions-full' : 'user-sessions-full',
    Math.min(sessions.secondsToFree(), MAX_RETRY_S),
  );
}

const tokenOf = ({ token, username, expiresAt }: NewSession): Token => ({
  token,
  token_type: 'Bearer',
  username,
  expires_at: new Date(expiresAt).toISOString(),
});
