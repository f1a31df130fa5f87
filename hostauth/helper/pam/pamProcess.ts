/*
 * A PAM process. One sign-in at a time is in PAM, so that the end of the process costs at most one:
 *
 *            ask            started           answer
 *   idle ───────────▶ asked ───────▶ in PAM ───────────▶ idle
 *    │                  │              │
 *    │ exit             │ exit         │ exit (died), or its limit (timeout): killed
 *    │                  │ (unread)     │
 *    └──────▶ ended ◀───┴──────────────┘
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import type { Credentials } from '../../link/helperProtocol.ts';
import { type LineChannel, createLineChannel } from '../../link/lineChannel.ts';
import { MAX_PAM_LINE_BYTES, type PamOutcome, pamAnswer } from './pamMessages.ts';

/** The options of `PamProcess`. */
interface PamProcessOptions {
  /** The built `child.ts`. */
  readonly path: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The longest that an answer may take, in milliseconds. */
  readonly timeoutMs: number;
  readonly clock: Pick<Clock, 'after'>;
}

/** The process ended before it asked PAM. */
export interface Unread {
  readonly kind: 'unread';
  /** How the process ended. */
  readonly detail: string;
}

/** A sign-in that the process has. It does not contain the credentials. */
interface Pending {
  readonly resolve: (outcome: PamOutcome | Unread) => void;
  hasStarted: boolean;
  /** Cancels its time limit. */
  readonly cancel: () => void;
}

/** A PAM process, started by its constructor, which throws when it cannot be started. */
export class PamProcess {
  readonly #options: PamProcessOptions;
  readonly #child: ChildProcess;
  readonly #channel: LineChannel;
  readonly #end: Promise<void>;
  #hasEnded = false;
  #current: Pending | undefined;

  constructor(options: PamProcessOptions) {
    const { child, stream } = start(options);
    this.#options = options;
    this.#child = child;
    this.#channel = createLineChannel({
      stream,
      maxBytes: MAX_PAM_LINE_BYTES,
      onValue: (value) => this.#receive(value),
      // Also when a message was not valid.
      onClose: () => this.#kill(),
    });
    const closed = new Promise<void>((resolve) => stream.once('close', () => resolve()));
    this.#end = this.#settleAtEnd(closed);
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Checks a sign-in. Call it only while the process is idle. Never rejects. */
  ask({ username, password }: Credentials): Promise<PamOutcome | Unread> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(this.#options.timeoutMs, () => {
        this.#kill();
        this.#settle({ kind: 'unavailable', reason: 'timeout' });
      });
      this.#current = { resolve, hasStarted: false, cancel };
      // When the message does not arrive, the process exits.
      this.#channel.send({ username, password } satisfies Credentials);
    });
  }

  /** Kills it; resolves when it has ended. */
  async end(): Promise<void> {
    this.#kill();
    await this.#end;
  }

  #receive(value: unknown): void {
    const message = pamAnswer.parse(value);
    if (message.kind !== 'started') this.#settle(message);
    else if (this.#current !== undefined) this.#current.hasStarted = true;
  }

  #kill(): void {
    this.#hasEnded = true;
    this.#child.kill('SIGKILL');
  }

  async #settleAtEnd(closed: Promise<void>): Promise<void> {
    const detail = await describeEnd(this.#child);
    this.#hasEnded = true;
    // Messages that it sent before its end are read first.
    await closed;
    if (this.#current?.hasStarted) this.#settle({ kind: 'unavailable', reason: 'died', detail });
    else this.#settle({ kind: 'unread', detail });
  }

  /** Ends the sign-in in progress. */
  #settle(outcome: PamOutcome | Unread): void {
    const ended = this.#current;
    this.#current = undefined;
    ended?.cancel();
    ended?.resolve(outcome);
  }
}

/** Starts the program. What modules print must not reach a log, and options of Node (an inspector, a hook) not the process. */
function start({ path, args, environment }: Pick<PamProcessOptions, 'path' | 'args' | 'environment'>) {
  const child = spawn(process.execPath, [path, ...args], {
    env: { ...environment },
    cwd: '/',
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  // Otherwise the `error` event of a process that could not be started would end the helper.
  child.once('error', () => undefined);
  if (child.pid === undefined) throw new Error('a PAM process could not be started');
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
