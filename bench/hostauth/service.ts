/**
 * The host-auth service as it is shipped, but for one name that signs in without PAM so that there is a session to ask
 * for. Arguments: PAM's service, and the built `pamChild.js`. Prints its address; ends with its standard input.
 */
import { readConfig } from '#hostauth/config.ts';
import { createLogger } from '#hostauth/logger.ts';
import type { Authenticator } from '#hostauth/helper/pam/authenticator.ts';
import { createPamAuthenticator } from '#hostauth/helper/pam/pamAuthenticator.ts';
import { startServer } from '#hostauth/http/server.ts';

const [, , service = '', childPath = ''] = process.argv;

const pam = createPamAuthenticator({ service, childPath });
const authenticator: Authenticator = {
  authenticate: async (credentials) =>
    credentials.username === 'bench' ? { kind: 'accepted' } : pam.authenticate(credentials),
  close: () => pam.close(),
};

const { logger } = createLogger(false);
// Those who sign in all come from one address: the limits, which stay on, are out of their way.
const config = readConfig({
  HOSTAUTH_PORT: '0',
  HOSTAUTH_FAILURES: '1000000',
  HOSTAUTH_ADDRESS_FAILURES: '1000000',
});
const server = await startServer({ config, authenticator, logger });
process.stdout.write(`${server.url}\n`);
process.stdin.resume().once('end', () => void server.close());
