/**
 * The program in which PAM runs: `pamChild.js <service> <unix_chkpwd>`, with a socket (`pamMessages.ts`). It checks one
 * sign-in at a time. Credentials arrive through the socket only, never as arguments or in the environment.
 */
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Credentials } from '../../link/helperProtocol.ts';
import { createLineChannel } from '../../link/lineChannel.ts';
import { accountPhase } from './accountPhase.ts';
import { keepModulesLoaded, loadPamBinding } from './pamBinding.ts';
import {
  MAX_PAM_LINE_BYTES,
  PAM_CHANNEL,
  type PamAnswer,
  type PamOutcome,
  pamRequest,
} from './pamMessages.ts';

const [service = '', helper = ''] = process.argv.slice(2);
const pam = loadPamBinding();
keepModulesLoaded();

/** Sends a message. The write is synchronous: the helper has `started` before PAM has the credentials. */
const send = (message: PamAnswer): void => {
  writeSync(PAM_CHANNEL, `${JSON.stringify(message)}\n`);
};

const askPam = ({ username, password }: Credentials) =>
  new Promise<string | undefined>((resolve) => {
    pam.authenticate(username, password, resolve, { serviceName: service, remoteHost: '' });
  });

async function check(credentials: Credentials): Promise<PamOutcome> {
  const detail = await askPam(credentials);
  if (detail !== undefined) return { kind: 'refused', reason: 'credentials', detail };
  return accountPhase(credentials.username, helper);
}

function receive(value: unknown): void {
  const credentials = pamRequest.parse(value);
  send({ kind: 'started' });
  void check(credentials).then(send);
}

createLineChannel({
  stream: new Socket({ fd: PAM_CHANNEL }),
  maxBytes: MAX_PAM_LINE_BYTES,
  onValue: receive,
  // process.exit() would wait for a thread that hangs in PAM.
  onClose: () => process.kill(process.pid, 'SIGKILL'),
});

// At a signal to the whole group, such as that of a terminal, the service lets this process finish first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
