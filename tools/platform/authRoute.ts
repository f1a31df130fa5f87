import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Accounts } from './accounts.ts';

/** Spec §2.1. The name may be null, empty or missing: a login. */
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
  /** Resolves when what has changed is on the disk, or could not be written. */
  readonly saved: () => Promise<void>;
  readonly logger: Logger;
}

/** `POST /auth` (spec §4.1): the body of the answer is the account identifier, or a sentence on what is wrong. */
export async function authRoute(
  app: FastifyInstance,
  { accounts, saved, logger }: AuthOptions,
): Promise<void> {
  app.post('/auth', async ({ body }, reply) => {
    const credentials = bodySchema.safeParse(body);
    if (!credentials.success)
      return reply.code(400).send('Email, password and name are needed, each a text.');
    const isNew = credentials.data.name !== '';
    const entry = await accounts.enter(credentials.data);
    if ('refused' in entry) {
      logger.info({ isNew, status: entry.refused.status }, 'credentials refused');
      return reply.code(entry.refused.status).send(entry.refused.error);
    }
    // Whoever has been told of an account finds it again, even if this process is killed now.
    if (isNew) await saved();
    logger.info({ isNew }, 'signed in');
    return reply.type('text/plain; charset=utf-8').send(entry.account.id);
  });
}
