import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Accounts } from '../accounts/accounts.ts';
import type { PlatformFile } from '../storage/platformFile.ts';

interface Options {
  readonly accounts: Accounts;
  readonly file: PlatformFile;
  readonly ownerSecret: string;
  readonly logger: Logger;
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Adds `DELETE /accounts`, for the program that started the platform: deletes every account with its conversation, and the
 * file. The response is 204, or 403 without the secret.
 */
export async function deleteRoute(
  app: FastifyInstance,
  { accounts, file, ownerSecret, logger }: Options,
): Promise<void> {
  const expected = digest(`Bearer ${ownerSecret}`);
  app.delete('/accounts', async ({ headers: { authorization = '' } }, reply) => {
    if (!timingSafeEqual(digest(authorization), expected)) {
      return reply.code(403).send('Only the program that started the platform may delete accounts.');
    }
    accounts.deleteAll();
    await file.remove();
    logger.info('every account was deleted');
    return reply.code(204).send();
  });
}
