/**
 * The program in which PAM runs: `pamChild.js <service> <unix_chkpwd>`, with a socket (`pamMessages.ts`). It checks one
 * sign-in at a time, and may have the next one waiting. Credentials arrive through the socket only, never as arguments or
 * in the environment.
 */
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Credentials } from '../../link/helperProtocol.ts';
import { createLineChannel } from '../../link/lineChannel.ts';
import { accountPhase } from './accountPhase.ts';
import type { PamOutcome } from './authenticator.ts';
import { keepModulesLoaded } from './keepModulesLoaded.ts';
import { loadPamBinding } from './pamBinding.ts';
import { MAX_PAM_LINE_BYTES, PAM_CHANNEL, type PamNotice, pamRequest } from './pamMessages.ts';

const [service = '', helper = ''] = process.argv.slice(2);
const pam = loadPamBinding();
keepModulesLoaded();

let isBusy = false;
let next: Credentials | undefined;
/** Whether the last sign-in was accepted, so that the next one may begin at once. */
let wasAccepted = false;

/** Sends messages in one write. It is synchronous: the helper has `started` before PAM has the credentials. */
const send = (...messages: readonly (PamNotice | PamOutcome)[]): void => {
  writeSync(PAM_CHANNEL, messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
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

/** Begins a sign-in. @param last the result of the one before it, if it was not sent yet. */
function begin(credentials: Credentials, ...last: readonly PamOutcome[]): void {
  isBusy = true;
  send(...last, { kind: 'started' });
  void check(credentials).then(end);
}

function end(outcome: PamOutcome): void {
  wasAccepted = outcome.kind === 'accepted';
  const following = wasAccepted ? next : undefined;
  next = undefined;
  if (following !== undefined) return begin(following, outcome);
  isBusy = false;
  send(outcome);
}

function receive(value: unknown): void {
  const request = pamRequest.parse(value);
  if (request.kind === 'ask') return begin(request);
  if (request.kind === 'next') {
    if (isBusy) next = request;
    // The helper sent it before the result of the last one arrived.
    else if (wasAccepted) begin(request);
  } else if (next !== undefined) {
    next = undefined;
    send({ kind: 'withdrawn' });
  }
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
