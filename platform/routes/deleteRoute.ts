import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Accounts } from '../accounts/accounts.ts';
import { requireOwner } from './requireOwner.ts';

interface Options {
  readonly accounts: Accounts;
  readonly ownerSecret: string;
  readonly logger: Logger;
}

const REFUSAL = 'Only the program that started the platform may delete accounts.';

/**
 * Adds `DELETE /accounts`, for the program that started the platform: deletes every account with its conversation, and the
 * file. The response is 204, or 403 without the secret.
 */
export async function deleteRoute(
  app: FastifyInstance,
  { accounts, ownerSecret, logger }: Options,
): Promise<void> {
  app.delete('/accounts', { onRequest: requireOwner(ownerSecret, REFUSAL) }, async (_request, reply) => {
    await accounts.deleteAll();
    logger.info('every account was deleted');
    return reply.code(204).send();
  });
}
