/**
 * The program in which PAM runs: `pamChild.js <service>`, with a socket (`pamMessages.ts`). It checks one
 * sign-in at a time. Credentials arrive through the socket only, never as arguments or in the environment.
 */
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Credentials } from '../../link/helperProtocol.ts';
import { createLineChannel } from '../../link/lineChannel.ts';
import { type PamResult, keepModulesLoaded, loadPamBinding, outcomeOf } from './pamBinding.ts';
import {
  MAX_PAM_LINE_BYTES,
  PAM_CHANNEL,
  type PamAnswer,
  type PamOutcome,
  pamRequest,
} from './pamMessages.ts';

const [service = ''] = process.argv.slice(2);
const pam = loadPamBinding();
keepModulesLoaded();

/** Sends a message. The write is synchronous: the helper has `started` before PAM has the credentials. */
const send = (message: PamAnswer): void => {
  writeSync(PAM_CHANNEL, `${JSON.stringify(message)}\n`);
};

const check = ({ username, password }: Credentials) =>
  new Promise<PamOutcome>((resolve) => {
    const done = (error: string | undefined, result: PamResult) =>
      resolve(outcomeOf(result, { error, password }));
    pam.authenticate(username, password, done, { serviceName: service, remoteHost: '' });
  });

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
