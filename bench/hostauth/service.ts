/**
 * The host-auth service as it is shipped, but for one name that signs in without PAM so that there is a session to ask
 * for. Arguments: PAM's service, and the built `pamChild.js`. Prints its address; ends with its standard input.
 */
import { randomBytes } from 'node:crypto';
import { readConfig } from '#hostauth/config.ts';
import { createLogger } from '#hostauth/logger.ts';
import { createHostHelper } from '#hostauth/helper/hostHelper.ts';
import type { Helper } from '#hostauth/helper/helperProtocol.ts';
import { startServer } from '#hostauth/http/server.ts';

const [, , service = '', childPath = ''] = process.argv;

const { logger } = createLogger(false);
// Those who sign in all come from one address: the limits, which stay on, are out of their way.
const config = readConfig({
  HOSTAUTH_PORT: '0',
  HOSTAUTH_FAILURES: '1000000',
  HOSTAUTH_ADDRESS_FAILURES: '1000000',
  HOSTAUTH_PAM_SERVICE: service,
});
const host = createHostHelper({ config, key: randomBytes(32), pam: { childPath } });
const helper: Helper = {
  ...host,
  authenticate: async (credentials) =>
    credentials.username === 'bench' ? { kind: 'accepted', account: '' } : host.authenticate(credentials),
  checkAccount: async () => ({ state: 'same' }),
};
const server = await startServer({ config, helper, logger });
process.stdout.write(`${server.url}\n`);
process.stdin.resume().once('end', () => void server.close());
