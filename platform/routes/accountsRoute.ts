import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Accounts } from '../accounts/accounts.ts';
import { requireOwner } from './requireOwner.ts';

interface Options {
  readonly accounts: Accounts;
  readonly ownerSecret: string;
  readonly logger: Logger;
}

const bodySchema = z.object({ email: z.string(), isRevoked: z.boolean() });

const REFUSAL = 'Only an administrator on this machine may manage accounts.';

/**
 * Adds the routes of `npm run platform -- accounts`, `revoke` and `restore`: `GET /accounts` answers with the list of accounts,
 * and `POST /accounts/revoked` with 204, or 404 for an unknown email. Both answer 403 without the owner's secret.
 */
export async function accountsRoute(
  app: FastifyInstance,
  { accounts, ownerSecret, logger }: Options,
): Promise<void> {
  const onRequest = requireOwner(ownerSecret, REFUSAL);
  app.get('/accounts', { onRequest }, async () => accounts.list());
  app.post('/accounts/revoked', { onRequest }, async ({ body }, reply) => {
    const change = bodySchema.safeParse(body);
    if (!change.success) return reply.code(400).send('An email, and whether it is revoked, are needed.');
    const { email, isRevoked } = change.data;
    const result = await accounts.setRevoked(email, isRevoked);
    if (result === 'unknown') return reply.code(404).send('There is no account with that email.');
    if (result === 'notStored') return reply.code(503).send('The platform cannot write to its disk.');
    logger.info({ isRevoked }, 'an account was revoked or restored');
    return reply.code(204).send();
  });
}
