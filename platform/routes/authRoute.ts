import { Mutex } from 'async-mutex';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Credentials } from '#shared/protocol/credentials.ts';
import { pluralize } from '#shared/formatText.ts';
import type { Clock } from '#shared/clock.ts';
import { type Accounts, type SignInResult, NO_MATCH, normalizeEmail } from '../accounts/accounts.ts';
import type { HostEntrance } from '../hostSignIn/hostEntrance.ts';
import type { PlatformMetrics } from './platformMetrics.ts';
import {
  type PasswordLimit,
  type PlatformLimits,
  createPasswordLimit,
  createRateLimit,
} from './platformLimits.ts';
import type { IsOwner } from './ownerRoutes.ts';

const HOUR_MS = 3_600_000;

/** The body of spec §2.1. A name that is null, empty or missing means a login. */
const bodySchema = z.object({
  email: z.string(),
  password: z.string(),
  name: z
    .string()
    .nullish()
    .transform((name) => name ?? ''),
});

export interface AuthOptions {
  readonly accounts: Accounts;
  /** The sign-in with the users of this machine, if it replaces that of the platform's own accounts. */
  readonly host?: Pick<HostEntrance, 'enter'> | undefined;
  readonly metrics: Pick<PlatformMetrics, 'signedIn' | 'signInRefused'>;
  readonly limits: PlatformLimits;
  /** Only the owner may register in the platform's own accounts; `undefined`: everyone may. */
  readonly isOwner?: IsOwner | undefined;
  /** The clock of the limits of wrong passwords and of registrations. */
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Adds `POST /auth` (spec §4.1): the body of the response is the account identifier, or a sentence about the error. */
export async function authRoute(app: FastifyInstance, options: AuthOptions): Promise<void> {
  const { host, logger, metrics } = options;
  // The service has its own limit of wrong passwords, and nobody registers there.
  const enter = host?.enter ?? createEnter(options);
  app.post('/auth', async (request, reply) => {
    const credentials = bodySchema.safeParse(request.body);
    if (!credentials.success) {
      metrics.signInRefused(400);
      return reply.code(400).send('Email, password and name are needed, each a text.');
    }
    const isNew = credentials.data.name !== '';
    const entry = await enter(credentials.data, request);
    if ('refused' in entry) {
      metrics.signInRefused(entry.refused.status);
      logger.info({ isNew, status: entry.refused.status }, 'credentials refused');
      return reply.code(entry.refused.status).send(entry.refused.error + damageOf(entry, options));
    }
    metrics.signedIn();
    logger.info({ isNew }, 'signed in');
    return reply.type('text/plain; charset=utf-8').send(entry.id);
  });
}

/** Returns what to add to a refusal when the account may be in a damaged file; the same for every email and password. */
function damageOf(entry: SignInResult, { accounts }: AuthOptions): string {
  const name = entry === NO_MATCH ? accounts.quarantined() : null;
  return name === null
    ? ''
    : ` The platform’s file was damaged: it is kept as ${name}, and its accounts must register again.`;
}

/** Enters the platform's own accounts: sign-ins with a limit of wrong passwords, registrations with one of their number. */
function createEnter({ accounts, limits, isOwner, clock }: AuthOptions) {
  const logIn = createLogIn(accounts, createPasswordLimit(clock, limits.wrongPasswords));
  const registrations = createRateLimit(clock, { max: limits.registrationsPerHour, windowMs: HOUR_MS });
  return async (credentials: Credentials, request: FastifyRequest): Promise<SignInResult> => {
    if (credentials.name === '') return logIn(credentials);
    if (isOwner?.(request) === false) return OWNER_ONLY;
    const waitMs = registrations.take('');
    return waitMs === 0 ? accounts.enter(credentials) : tooMany('registrations', waitMs);
  };
}

/** Returns the sign-in with a limit of wrong passwords. Passwords are checked one after another, so that each one is counted. */
function createLogIn(accounts: Accounts, limit: PasswordLimit): Accounts['enter'] {
  const mutex = new Mutex();
  const logIn = async (credentials: Credentials): Promise<SignInResult> => {
    const email = normalizeEmail(credentials.email);
    const waitMs = limit.waitFor(email);
    if (waitMs > 0) return tooMany('wrong passwords', waitMs);
    const entry = await accounts.enter(credentials);
    if (entry === NO_MATCH) limit.failed(email);
    else if ('id' in entry) limit.succeeded(email);
    return entry;
  };
  return (credentials) => mutex.runExclusive(() => logIn(credentials));
}

function tooMany(what: string, waitMs: number): SignInResult {
  const seconds = Math.ceil(waitMs / 1000);
  const time = seconds < 120 ? pluralize(seconds, 'second') : pluralize(Math.ceil(seconds / 60), 'minute');
  return { refused: { status: 429, error: `Too many ${what}. Try again in ${time}.` } };
}

const OWNER_ONLY: SignInResult = {
  refused: {
    status: 403,
    error: 'Only the person who started this Parley can register here. Start a Parley of your own.',
  },
};
