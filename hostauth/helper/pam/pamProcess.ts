/*
 * A PAM process. It gets one request at a time, so that its end costs at most one sign-in:
 *
 *            ask            started           answer
 *   idle ───────────▶ asked ───────▶ in PAM ───────────▶ idle
 *    │                  │               │
 *    │ exit             │ exit (unread) │ exit (died), or its limit (timeout): killed
 *    └──────▶ ended ◀───┴───────────────┘
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Clock } from '../../base/clock.ts';
import type { Credentials } from '../../link/helperProtocol.ts';
import type { PamOutcome } from './authenticator.ts';
import { pamAnswer } from './pamMessages.ts';

export interface PamProcessOptions {
  /** The built `child.ts`. */
  readonly path: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The longest that an answer may take, in milliseconds. */
  readonly timeoutMs: number;
  readonly clock: Pick<Clock, 'after'>;
}

/** The process ended before it read the request: PAM has not seen it. */
export interface Unread {
  readonly kind: 'unread';
  /** How it ended. */
  readonly detail: string;
}

export interface PamProcess {
  /** Checks a sign-in. Call it only while the process is idle. Never rejects. */
  ask(credentials: Credentials): Promise<PamOutcome | Unread>;
  hasEnded(): boolean;
  /** Kills it; resolves when it has ended. */
  end(): Promise<void>;
}

/** Starts a PAM process. */
export function startPamProcess({ timeoutMs, clock, ...options }: PamProcessOptions): PamProcess {
  const child = start(options);
  let hasEnded = false;
  // Deleted with each answer: a process that lives long would keep every password otherwise.
  let settle: ((outcome: PamOutcome | Unread) => void) | undefined;
  let hasStarted = false;
  const end = (async () => {
    const detail = await describeEnd(child);
    hasEnded = true;
    // Messages that it sent before its end are read first.
    if (child.connected) await once(child, 'disconnect');
    settle?.(hasStarted ? { kind: 'unavailable', reason: 'died', detail } : { kind: 'unread', detail });
  })();
  const kill = () => {
    hasEnded = true;
    child.kill('SIGKILL');
  };
  child.on('message', (message) => {
    const { success, data } = pamAnswer.safeParse(message);
    if (!success) kill();
    else if (data.kind === 'started') hasStarted = true;
    else settle?.(data);
  });
  return {
    hasEnded: () => hasEnded,
    ask: (credentials) =>
      new Promise((resolve) => {
        hasStarted = false;
        const cancel = clock.after(timeoutMs, () => {
          kill();
          settle?.({ kind: 'unavailable', reason: 'timeout' });
        });
        settle = (outcome) => {
          cancel();
          settle = undefined;
          resolve(outcome);
        };
        // When the message does not arrive, the process exits.
        child.send(credentials, () => undefined);
      }),
    async end() {
      kill();
      await end;
    },
  };
}

const start = ({ path, args, environment }: Pick<PamProcessOptions, 'path' | 'args' | 'environment'>) =>
  fork(path, [...args], {
    env: { ...environment },
    cwd: '/',
    // Options of Node (an inspector, a hook) must not reach a process that gets passwords.
    execArgv: [],
    // The output of PAM modules must not reach a log.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'json',
  });

/** Resolves to how a process ended, or why it could not start. */
const describeEnd = (child: ChildProcess) =>
  new Promise<string>((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit ${code}`));
  });
