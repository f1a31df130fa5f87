/*
 * A PAM process. One sign-in at a time is in PAM, so that the end of the process costs at most one:
 *
 *            ask            started           answer
 *   idle ───────────▶ asked ───────▶ in PAM ───────────▶ idle
 *    │                  │  ▲            │ accepted, with a next one
 *    │                  │  └────────────┤
 *    │ exit             │ exit (unread) │ exit (died), or its limit (timeout): killed
 *    └──────▶ ended ◀───┴───────────────┘
 *
 * The next sign-in can be handed over while one is in progress: the process begins it without waiting for the helper. It
 * is unread when it was withdrawn, when the one before it was not accepted, and when the process ended before it began.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import type { Credentials } from '../../link/helperProtocol.ts';
import { createLineChannel } from '../../link/lineChannel.ts';
import type { PamOutcome } from './authenticator.ts';
import { MAX_PAM_LINE_BYTES, type PamRequest, pamAnswer } from './pamMessages.ts';

export interface PamProcessOptions {
  /** The built `child.ts`. */
  readonly path: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The longest that an answer may take, in milliseconds. */
  readonly timeoutMs: number;
  readonly clock: Pick<Clock, 'after'>;
}

/** PAM has not seen the request, and this process will not ask it. */
export interface Unread {
  readonly kind: 'unread';
  /** How the process ended, if it did. */
  readonly detail?: string;
}

export interface PamProcess {
  /** Checks a sign-in. Call it only while the process is idle. Never rejects. */
  ask(credentials: Credentials): Promise<PamOutcome | Unread>;
  /** Checks a sign-in after the one in progress. Call it only when `canAskNext()`. Never rejects. */
  askNext(credentials: Credentials): Promise<PamOutcome | Unread>;
  /** Takes the next sign-in back: it becomes unread, unless it begins first. */
  withdrawNext(): void;
  /** Whether a next sign-in can be handed over. */
  canAskNext(): boolean;
  hasEnded(): boolean;
  /** Kills it; resolves when it has ended. */
  end(): Promise<void>;
}

/** A sign-in that the process has. It does not contain the credentials. */
interface Pending {
  readonly resolve: (outcome: PamOutcome | Unread) => void;
  hasStarted: boolean;
  /** Cancels its time limit, which begins when the one before it has ended. */
  cancel: () => void;
}

/** Starts a PAM process. */
export function startPamProcess({ timeoutMs, clock, ...options }: PamProcessOptions): PamProcess {
  const { child, stream } = start(options);
  let hasEnded = false;
  let current: Pending | undefined;
  let next: Pending | undefined;

  const kill = () => {
    hasEnded = true;
    child.kill('SIGKILL');
  };

  function makeCurrent(pending: Pending | undefined): void {
    current = pending;
    if (pending === undefined) return;
    pending.cancel = clock.after(timeoutMs, () => {
      kill();
      settle({ kind: 'unavailable', reason: 'timeout' });
    });
  }

  function returnNext(detail?: string): void {
    const returned = next;
    next = undefined;
    returned?.resolve({ kind: 'unread', ...(detail !== undefined && { detail }) });
  }

  /** Ends the sign-in in progress. The process begins the next one only after a success. */
  function settle(outcome: PamOutcome | Unread): void {
    const ended = current;
    ended?.cancel();
    if (outcome.kind === 'accepted') {
      makeCurrent(next);
      next = undefined;
    } else {
      makeCurrent(undefined);
      returnNext(outcome.kind === 'unread' ? outcome.detail : undefined);
    }
    ended?.resolve(outcome);
  }

  const channel = createLineChannel({
    stream,
    maxBytes: MAX_PAM_LINE_BYTES,
    onValue(value) {
      const message = pamAnswer.parse(value);
      if (message.kind === 'withdrawn') returnNext();
      else if (message.kind !== 'started') settle(message);
      else if (current !== undefined) current.hasStarted = true;
    },
    // Also when a message was not valid.
    onClose: kill,
  });
  const send = (request: PamRequest) => channel.send(request);
  const closed = new Promise<void>((resolve) => stream.once('close', () => resolve()));
  const end = (async () => {
    const detail = await describeEnd(child);
    hasEnded = true;
    // Messages that it sent before its end are read first.
    await closed;
    settle(current?.hasStarted ? { kind: 'unavailable', reason: 'died', detail } : { kind: 'unread', detail });
  })();

  /** When the message does not arrive, the process exits. */
  const handOver = (kind: 'ask' | 'next', { username, password }: Credentials) =>
    new Promise<PamOutcome | Unread>((resolve) => {
      const pending: Pending = { resolve, hasStarted: false, cancel: () => undefined };
      if (kind === 'ask') makeCurrent(pending);
      else next = pending;
      send({ kind, username, password });
    });

  return {
    canAskNext: () => !hasEnded && current !== undefined && next === undefined,
    hasEnded: () => hasEnded,
    ask: (credentials) => handOver('ask', credentials),
    askNext: (credentials) => handOver('next', credentials),
    withdrawNext: () => send({ kind: 'withdraw' }),
    async end() {
      kill();
      await end;
    },
  };
}

/** Starts the program. What modules print must not reach a log, and options of Node (an inspector, a hook) not the process. */
function start({ path, args, environment }: Pick<PamProcessOptions, 'path' | 'args' | 'environment'>) {
  const child = spawn(process.execPath, [path, ...args], {
    env: { ...environment },
    cwd: '/',
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const stream = child.stdio[3];
  if (!(stream instanceof Socket)) throw new Error('a PAM process without a socket');
  return { child, stream };
}

/** Resolves to how a process ended, or why it could not start. */
const describeEnd = (child: ChildProcess) =>
  new Promise<string>((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit ${code}`));
  });
