/**
 * One PAM process: it is asked one question at a time, so that what ends it costs one sign-in.
 *
 *            ask            begun              answer
 *   idle ───────────▶ asked ───────▶ with PAM ───────────▶ idle
 *    │                  │                │
 *    │ exit             │ exit (unread)  │ exit (died), or its time is up (timeout): killed
 *    └──────▶ gone ◀────┴────────────────┘
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
  /** The longest that it may take for an answer. Milliseconds. */
  readonly timeoutMs: number;
  readonly clock: Pick<Clock, 'after'>;
}

/** The process ended before it read the question: PAM has not seen it. */
export interface Unread {
  readonly kind: 'unread';
  /** What it died of. */
  readonly detail: string;
}

export interface PamProcess {
  /** Only while it is idle. Never rejects. */
  ask(credentials: Credentials): Promise<PamOutcome | Unread>;
  isGone(): boolean;
  /** Ends it, and waits until it is gone. */
  end(): Promise<void>;
}

export function startPamProcess({ timeoutMs, clock, ...options }: PamProcessOptions): PamProcess {
  const child = start(options);
  let isGone = false;
  // Forgotten with each answer, or a process that lives long would keep every password it was asked for.
  let settle: ((outcome: PamOutcome | Unread) => void) | undefined;
  let hasBegun = false;
  const gone = (async () => {
    const detail = await whatEnded(child);
    isGone = true;
    // What it sent before its end is read first.
    if (child.connected) await once(child, 'disconnect');
    settle?.(hasBegun ? { kind: 'unavailable', reason: 'died', detail } : { kind: 'unread', detail });
  })();
  const kill = () => {
    isGone = true;
    child.kill('SIGKILL');
  };
  child.on('message', (message) => {
    const { success, data } = pamAnswer.safeParse(message);
    if (!success) kill();
    else if (data.kind === 'begun') hasBegun = true;
    else settle?.(data);
  });
  return {
    isGone: () => isGone,
    ask: (credentials) =>
      new Promise((resolve) => {
        hasBegun = false;
        const cancel = clock.after(timeoutMs, () => {
          kill();
          settle?.({ kind: 'unavailable', reason: 'timeout' });
        });
        settle = (outcome) => {
          cancel();
          settle = undefined;
          resolve(outcome);
        };
        // Whatever keeps it from arriving is told by the exit.
        child.send(credentials, () => undefined);
      }),
    async end() {
      kill();
      await gone;
    },
  };
}

const start = ({ path, args, environment }: Pick<PamProcessOptions, 'path' | 'args' | 'environment'>) =>
  fork(path, [...args], {
    env: { ...environment },
    cwd: '/',
    // What Node itself was started with (an inspector, a hook) is not for a process that is handed passwords.
    execArgv: [],
    // Nothing that a PAM module prints may reach a log.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'json',
  });

/** Resolves to what a process died of, or could not be started for. */
const whatEnded = (child: ChildProcess) =>
  new Promise<string>((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit ${code}`));
  });
