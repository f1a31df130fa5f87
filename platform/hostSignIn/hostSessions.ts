/*
 * A sign-in of a user of this machine, with the identifier that was issued for it. In memory only: after a restart of the
 * platform all of them sign in again.
 *
 *   none ── add ──▶ live ── confirmed by the service (every 5 s while a socket is open) ──▶ live
 *                    ├── the service says that the session has ended ──▶ ended
 *                    ├── not confirmed until its end ──────────────────▶ ended
 *                    └── logOut ───────────────────────────────────────▶ ended
 *
 * At the end every socket is closed with `unauthorized`, and the identifier is unknown. While the service does not answer, a
 * session lives until its end: without a use, it ends in the service at that time.
 */
import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Cancel, Clock } from '#shared/clock.ts';
import { type ConversationSocket, UNAUTHORIZED } from '../accounts/conversationSockets.ts';
import type { HostToken, HostauthClient } from './hostauthClient.ts';

/**
 * A session is confirmed again after this time. The service itself accepts a check of the account that is 3 s old, so a change of
 * an account shows after 8 s and the time of a call.
 */
export const CONFIRM_MS = 5000;

/** The part of a WebSocket that a session uses. */
type ClosableSocket = Pick<ConversationSocket, 'close'>;

interface Options {
  readonly client: Pick<HostauthClient, 'me' | 'logOut'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface SessionOptions extends Options, HostToken {
  readonly accountId: string;
  readonly onEnd: () => void;
}

/** A session: live until `hasEnded`. */
class HostSession {
  readonly #options: SessionOptions;
  readonly #sockets = new Set<ClosableSocket>();
  #confirmedAt: number;
  #endsAt: number;
  #running: Promise<void> | null = null;
  #cancel: Cancel = () => undefined;
  #hasEnded = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#confirmedAt = options.clock.now();
    this.#endsAt = this.#confirmedAt + options.lifeMs;
  }

  /** The account that it belongs to: the key of the platform, not the identifier. */
  get accountId(): string {
    return this.#options.accountId;
  }

  /** Whether the session has ended; ends it when its end has passed. */
  get hasEnded(): boolean {
    if (this.#options.clock.now() >= this.#endsAt) this.#end('not confirmed');
    return this.#hasEnded;
  }

  /** Closes the socket when the session ends. Returns a function that removes the socket. */
  addSocket(socket: ClosableSocket): () => void {
    if (this.#sockets.size === 0) this.#confirmLater();
    this.#sockets.add(socket);
    return () => {
      this.#sockets.delete(socket);
      if (this.#sockets.size === 0) this.#cancel();
    };
  }

  /** Asks the service, unless it was asked recently; ends the session if it has ended there. */
  async confirm(): Promise<void> {
    if (this.#options.clock.now() - this.#confirmedAt >= CONFIRM_MS) await this.#check();
  }

  /** Ends the session here and in the service: its person has logged out. */
  async logOut(): Promise<void> {
    if (this.#hasEnded) return;
    this.#end('logged out');
    await this.#options.client.logOut(this.#options.token);
  }

  /** Stops the timer. */
  stop(): void {
    this.#sockets.clear();
    this.#cancel();
  }

  #confirmLater(): void {
    this.#cancel();
    this.#cancel = this.#options.clock.after(CONFIRM_MS, () => void this.#confirmNow());
  }

  async #confirmNow(): Promise<void> {
    await this.#check();
    if (!this.hasEnded && this.#sockets.size > 0) this.#confirmLater();
  }

  /** Requests at the same time share a call. */
  #check(): Promise<void> {
    this.#running ??= this.#ask().finally(() => (this.#running = null));
    return this.#running;
  }

  async #ask(): Promise<void> {
    const { client, clock } = this.#options;
    const answer = await client.me(this.#options);
    if (answer.state === 'ended') this.#end('ended by the service');
    if (answer.state !== 'live') return;
    this.#confirmedAt = clock.now();
    this.#endsAt = this.#confirmedAt + answer.lifeMs;
  }

  #end(why: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#cancel();
    for (const socket of this.#sockets) socket.close(UNAUTHORIZED.code, UNAUTHORIZED.reason);
    this.#sockets.clear();
    this.#options.logger.info({ why }, 'a session of a host user ended');
    this.#options.onEnd();
  }
}

/** The sessions of the users of this machine. */
export class HostSessions {
  readonly #sessions = new Map<string, HostSession>();

  constructor(private readonly options: Options) {}

  /** Adds the session of a sign-in; returns the identifier that is issued for it. */
  add(accountId: string, token: HostToken): string {
    // Sessions without a use would stay for ever: `hasEnded` ends and removes them.
    for (const session of this.#sessions.values()) void session.hasEnded;
    const identifier = randomBytes(24).toString('base64url');
    const onEnd = () => void this.#sessions.delete(identifier);
    this.#sessions.set(identifier, new HostSession({ ...this.options, ...token, accountId, onEnd }));
    return identifier;
  }

  /** Returns the live session of an identifier. */
  find(identifier: string): HostSession | undefined {
    const session = this.#sessions.get(identifier);
    return session?.hasEnded ? undefined : session;
  }

  /** Asks the service about a session that was not confirmed recently, and ends it if it has ended there. */
  async confirm(identifier: string): Promise<void> {
    await this.find(identifier)?.confirm();
  }

  /** Stops the timers. */
  close(): void {
    for (const session of this.#sessions.values()) session.stop();
  }
}
