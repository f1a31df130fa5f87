import { Mutex } from 'async-mutex';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Credentials } from '#shared/protocol/credentials.ts';
import { pluralize } from '#shared/pluralize.ts';
import type { Clock } from '#shared/time/clock.ts';
import { type Accounts, type SignInResult, NO_MATCH, normalizeEmail } from '../accounts/accounts.ts';
import type { HostEntrance } from '../hostSignIn/hostEntrance.ts';
import type { PlatformMetrics } from '../metrics/platformMetrics.ts';
import type { PlatformLimits } from '../accounts/platformLimits.ts';
import { type PasswordLimit, createPasswordLimit } from '../accounts/passwordLimit.ts';

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
  /** The clock of the limit of wrong passwords. */
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Adds `POST /auth` (spec §4.1): the body of the response is the account identifier, or a sentence about the error. */
export async function authRoute(
  app: FastifyInstance,
  { accounts, limits, host, clock, logger, metrics }: AuthOptions,
): Promise<void> {
  // The service has its own limit of wrong passwords.
  const enter = host?.enter ?? limitedEnter(accounts, createPasswordLimit(clock, limits.wrongPasswords));
  app.post('/auth', async ({ body }, reply) => {
    const credentials = bodySchema.safeParse(body);
    if (!credentials.success) {
      metrics.signInRefused(400);
      return reply.code(400).send('Email, password and name are needed, each a text.');
    }
    const isNew = credentials.data.name !== '';
    const entry = await enter(credentials.data);
    if ('refused' in entry) {
      metrics.signInRefused(entry.refused.status);
      logger.info({ isNew, status: entry.refused.status }, 'credentials refused');
      return reply.code(entry.refused.status).send(entry.refused.error);
    }
    metrics.signedIn();
    logger.info({ isNew }, 'signed in');
    return reply.type('text/plain; charset=utf-8').send(entry.id);
  });
}

/** Returns `enter` with a limit of wrong passwords. Passwords are checked one after another, so that each one is counted. */
function limitedEnter(accounts: Accounts, limit: PasswordLimit): Accounts['enter'] {
  const mutex = new Mutex();
  const logIn = async (credentials: Credentials): Promise<SignInResult> => {
    const email = normalizeEmail(credentials.email);
    const waitMs = limit.waitFor(email);
    if (waitMs > 0) return tooMany(Math.ceil(waitMs / 1000));
    const entry = await accounts.enter(credentials);
    if (entry === NO_MATCH) limit.failed(email);
    else if ('id' in entry) limit.succeeded(email);
    return entry;
  };
  return (credentials) =>
    credentials.name === '' ? mutex.runExclusive(() => logIn(credentials)) : accounts.enter(credentials);
}

const tooMany = (seconds: number): SignInResult => ({
  refused: {
    status: 429,
    error: `Too many wrong passwords. Try again in ${pluralize(seconds, 'second')}.`,
  },
});
