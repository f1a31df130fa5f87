/**
 * The program in which PAM runs: `pamChild.js <service> <unix_chkpwd>`, with an IPC channel. It checks one sign-in at a time.
 * Credentials arrive through the channel only, never as arguments or in the environment.
 */
import { accountPhase } from './accountPhase.ts';
import type { Credentials } from '../../link/helperProtocol.ts';
import type { PamOutcome } from './authenticator.ts';
import { loadPamBinding } from './pamBinding.ts';
import { type PamStarted, pamRequest } from './pamMessages.ts';

const [service = '', helper = ''] = process.argv.slice(2);
const pam = loadPamBinding();

const askPam = ({ username, password }: Credentials) =>
  new Promise<string | undefined>((resolve) => {
    pam.authenticate(username, password, resolve, { serviceName: service, remoteHost: '' });
  });

async function check(credentials: Credentials): Promise<PamOutcome> {
  const detail = await askPam(credentials);
  if (detail !== undefined) return { kind: 'refused', reason: 'credentials', detail };
  return accountPhase(credentials.username, helper);
}

process.on('message', (message) => {
  const credentials = pamRequest.parse(message);
  process.send?.({ kind: 'started' } satisfies PamStarted);
  void check(credentials).then((outcome) => process.send?.(outcome));
});

// At a signal to the whole group, such as that of a terminal, the service lets this process finish first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

// process.exit() would wait for a thread that hangs in PAM.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
