/*
 * A session (spec §2.7, §3.4):
 *
 *   none ── create ──▶ live ── find (renews the idle time) ──▶ live
 *                       ├── end ────────────────────────────▶ none   (POST /logout)
 *                       ├── endSession ─────────────────────▶ none   (its account has changed, an administrator)
 *                       ├── unused for the idle time ───────▶ none   (expired: idle)
 *                       └── at the maximum age ─────────────▶ none   (expired: age)
 *
 * A live session never ends to make room for another one.
 */
import { hash as digest, randomBytes } from 'node:crypto';
import { Mutex } from 'async-mutex';
import type { Clock } from '../../base/clock.ts';
import type { Audit, AuditFields } from './audit.ts';

const TOKEN_BYTES = 32;
/** The form of a token: 32 bytes in base64url. */
const TOKEN = /^[\w-]{43}$/;

/** The limits of sessions. */
export interface SessionLimits {
  /** The most live sessions (spec §8: 1024). */
  readonly slots: number;
  /** The most live sessions of one user. */
  readonly perUser: number;
  /** A session ends when it is not used for this long. */
  readonly idleMs: number;
  /** A session ends at this age, even when it is used. */
  readonly maxMs: number;
}

/** A live session. It does not contain its token. */
export interface Session {
  /** The SHA-256 of the token: the key of its slot. */
  readonly hash: string;
  readonly username: string;
  /** The proof of the account that signed in, for the helper. */
  readonly account: string;
  /** Where the sign-in came from. */
  readonly address: string;
  /** The host of the app whose cookie the token is; `undefined` for a token of `POST /auth`. */
  readonly host: string | undefined;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  /** When the account was last known to be the same, on the monotonic clock. */
  checkedAt: number;
  /** Its number since the start of the service, from 1; for the audit log. */
  readonly number: number;
  /** The end of the session if it is not used before, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** A new session, with its token, which is not stored. */
export interface NewSession extends Session {
  readonly token: string;
}

/** The options of `Sessions`. */
interface SessionOptions {
  readonly limits: SessionLimits;
  readonly clock: Clock;
  readonly audit: Audit;
  /** The operating system's random source (spec §5.2), or a test's. */
  readonly random?: (bytes: number) => Buffer;
}

/** The fields of a sign-in. `checkedAt`: when the account was that of the proof, on the monotonic clock. */
export type NewSessionFields = Pick<Session, 'username' | 'account' | 'address' | 'checkedAt'> &
  Partial<Pick<Session, 'host'>>;

interface Slot extends Session {
  readonly createdAt: number;
  usedAt: number;
  expiresAt: number;
}

/** Hashes a token. Only the hash is stored: a reader of the memory cannot use it as a token. */
const hashOf = (token: string) => digest('sha256', token, 'base64');

/** The sessions, in memory (spec §2.7). */
export class Sessions {
  readonly #options: SessionOptions;
  readonly #slots = new Map<string, Slot>();
  readonly #mutex = new Mutex();
  #created = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** The number of live sessions. */
  get size(): number {
    return this.#slots.size;
  }

  /** Whether every slot is in use. */
  isFull(): boolean {
    const { slots } = this.#options.limits;
    if (this.#slots.size >= slots) this.sweep();
    return this.#slots.size >= slots;
  }

  /** Creates a session; resolves to the limit if one is reached. */
  create(fields: NewSessionFields): Promise<NewSession | 'full' | 'user-full'> {
    return this.#mutex.runExclusive(() => {
      if (this.isFull()) return 'full';
      return this.#hasTooMany(fields.username) ? 'user-full' : this.#add(fields);
    });
  }

  /**
   * Returns the live session of a token and restarts its idle time; `undefined` when there is none.
   * @param host the app that got the cookie. An app sees its cookies: they are valid nowhere else.
   */
  find(token: string, host?: string): Session | undefined {
    const found = this.#live(token, host);
    return found && this.#use(found.slot);
  }

  /** Ends the session of a token; resolves to `undefined` when there is none. */
  end(token: string, host?: string): Promise<Session | undefined> {
    return this.#mutex.runExclusive(() => {
      const found = this.#live(token, host);
      if (found !== undefined) this.#slots.delete(found.hash);
      return found?.slot;
    });
  }

  /** Returns the live sessions, oldest first. */
  list(): IterableIterator<Session> {
    this.sweep();
    return this.#slots.values();
  }

  /** Whether a session has not ended. */
  isLive({ hash }: Session): boolean {
    return this.#slots.has(hash);
  }

  /** Ends a live session, and writes the reason to the audit log. */
  endSession(
    { hash, username, number }: Session,
    fields: Pick<AuditFields, 'reason' | 'by' | 'address'>,
  ): void {
    if (!this.#slots.delete(hash)) return;
    this.#options.audit('session ended', { username, session: number, ...fields });
  }

  /** Deletes expired sessions, so that the log has them in time. `find` ignores them with or without a sweep. */
  sweep(): void {
    const now = this.#options.clock.monotonic();
    for (const [hash, slot] of this.#slots) if (now >= this.#deadline(slot)) this.#expire(hash, slot);
  }

  /** Returns the seconds until the next session expires if none is used or ended before. */
  secondsToFree(): number {
    const soonest = Math.min(...[...this.#slots.values()].map((slot) => this.#deadline(slot)));
    return Math.max(1, Math.ceil((soonest - this.#options.clock.monotonic()) / 1000));
  }

  #deadline({ createdAt, usedAt }: Slot): number {
    const { idleMs, maxMs } = this.#options.limits;
    return Math.min(usedAt + idleMs, createdAt + maxMs);
  }

  #live(token: string, host?: string): { readonly hash: string; readonly slot: Slot } | undefined {
    if (!TOKEN.test(token)) return undefined;
    const hash = hashOf(token);
    const slot = this.#slots.get(hash);
    if (slot === undefined || slot.host !== host) return undefined;
    if (this.#options.clock.monotonic() < this.#deadline(slot)) return { hash, slot };
    this.#expire(hash, slot);
    return undefined;
  }

  #use(slot: Slot): Slot {
    const { clock } = this.#options;
    slot.usedAt = clock.monotonic();
    slot.expiresAt = clock.wall() + this.#deadline(slot) - slot.usedAt;
    return slot;
  }

  #expire(hash: string, { username, number, createdAt, usedAt }: Slot): void {
    const { audit, limits } = this.#options;
    this.#slots.delete(hash);
    const reason = createdAt + limits.maxMs <= usedAt + limits.idleMs ? 'age' : 'idle';
    audit('session expired', { username, session: number, reason });
  }

  #hasTooMany(username: string): boolean {
    const { perUser } = this.#options.limits;
    const count = () => [...this.#slots.values()].filter((slot) => slot.username === username).length;
    if (count() >= perUser) this.sweep();
    return count() >= perUser;
  }

  #add(fields: NewSessionFields): NewSession {
    const { clock, random = randomBytes } = this.#options;
    const token = random(TOKEN_BYTES).toString('base64url');
    const now = clock.monotonic();
    const slot: Slot = {
      ...fields,
      host: fields.host,
      hash: hashOf(token),
      number: ++this.#created,
      startedAt: clock.wall(),
      createdAt: now,
      usedAt: now,
      expiresAt: 0,
    };
    this.#slots.set(slot.hash, slot);
    return { ...this.#use(slot), token };
  }
}
