/**
 * The program in which PAM runs: `pamChild.js <service> <unix_chkpwd>`, with an IPC channel. It answers one question at
 * a time; the credentials come through the channel only, never as arguments or in the environment.
 */
import { accountPhase } from './accountPhase.ts';
import type { Credentials } from '../../link/helperProtocol.ts';
import type { PamOutcome } from './authenticator.ts';
import { loadPamBinding } from './pamBinding.ts';
import { type PamBegun, pamQuestion } from './pamMessages.ts';

const [service = '', helper = ''] = process.argv.slice(2);
const pam = loadPamBinding();

const askPam = ({ username, password }: Credentials) =>
  new Promise<string | undefined>((resolve) => {
    pam.authenticate(username, password, resolve, { serviceName: service, remoteHost: '' });
  });

async function answerTo(credentials: Credentials): Promise<PamOutcome> {
  const detail = await askPam(credentials);
  if (detail !== undefined) return { kind: 'refused', reason: 'credentials', detail };
  return accountPhase(credentials.username, helper);
}

process.on('message', (message) => {
  const credentials = pamQuestion.parse(message);
  process.send?.({ kind: 'begun' } satisfies PamBegun);
  void answerTo(credentials).then((outcome) => process.send?.(outcome));
});

// A signal to the whole group, such as a terminal's, is the service's to answer: it lets us finish first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

// Not an exit, which would wait for a thread that hangs in PAM.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
