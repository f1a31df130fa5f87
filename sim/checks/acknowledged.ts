import { isDeepStrictEqual } from 'node:util';
import type { SimSocket } from '../network/sockets.ts';
import type { World } from '../world/world.ts';
import { type Folded, apply } from './foldFrames.ts';

type Frame = Record<string, unknown>;

const nothing = (): Folded => ({ person: null, messages: [] });

/**
 * Check 4: what the platform sent was stored before. Every snapshot, also the first one after any end of the platform, contains every message that was sent before, once and
 * in order. Only the newest one may have changed: half an answer is continued or says that it was interrupted, and an answer without a word is replaced.
 */
export class AcknowledgedMessages {
  /** The fold of what was sent to a socket of each account; every socket receives the same. */
  readonly #accounts = new Map<string, Folded>();
  /** The account of each identifier. */
  readonly accountOf = new Map<string, string>();
  #isRestarted = false;
  /** The accounts whose first snapshot since the start of the platform was checked. */
  readonly #checked = new Set<string>();
  /** The messages that the platform received and returned, of all accounts. */
  #received = 0;
  #returned = 0;

  constructor(private readonly world: World) {}

  /** The platform starts again: what it has sent must be there. */
  restarted(): void {
    this.#isRestarted = true;
    this.#checked.clear();
  }

  /** Every account is deleted on request. */
  deleted(): void {
    this.#accounts.clear();
  }

  /** Follows what the platform sends on a socket for an identifier. */
  follow(server: SimSocket, identifier: string): void {
    const own = nothing();
    const account = this.accountOf.get(identifier) ?? identifier;
    server.onFrame = (direction, kind, data) => {
      if (kind !== 'text') return;
      if (direction === 'received') {
        this.#received++;
        return;
      }
      const frame: Frame = JSON.parse(data);
      const known = this.#accounts.get(account);
      if ('person' in frame && known !== undefined) this.#checkSnapshot(known, frame);
      if ('person' in frame && !this.#checked.has(account)) this.#checkHalf(frame);
      if ('person' in frame) this.#checked.add(account);
      else if (own === known || known === undefined) this.#countReturned(frame);
      apply(own, frame);
      this.#accounts.set(account, own);
    };
  }

  /** A killed platform has left half an answer: the first snapshot says so. */
  #checkHalf({ messages }: Frame): void {
    const newest: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
    if (isFrame(newest) && typeof newest.context === 'string' && newest.context.endsWith('…'))
      this.world.fail(4, `after a start, the newest answer says “${newest.context}”`);
  }

  /** The platform returns each message that it received, at most once. */
  #countReturned(frame: Frame): void {
    if (frame.modifier === 'client' && ++this.#returned > this.#received)
      this.world.fail(4, `the platform returned ${this.#returned} messages of ${this.#received}`);
  }

  #checkSnapshot({ messages }: Folded, frame: Frame): void {
    const before = messages.filter((message) => !isUnstoredNotice(message));
    const after: unknown[] = Array.isArray(frame.messages) ? frame.messages : [];
    for (const [index, message] of before.entries()) {
      const isNewest = index === before.length - 1;
      const found = after[index];
      if (isDeepStrictEqual(found, plain(message))) continue;
      if (isNewest && isChangeable(message, found)) continue;
      this.world.fail(
        4,
        `message ${index + 1} of ${before.length} was sent, and the snapshot${this.#isRestarted ? ' after a restart' : ''} has ${shorten(found)} instead of ${shorten(message)}`,
      );
      return;
    }
    const ids = after.flatMap((message) =>
      isFrame(message) && typeof message.id === 'string' ? [message.id] : [],
    );
    if (new Set(ids).size !== ids.length) this.world.fail(4, 'a snapshot contains a message twice');
  }
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const shorten = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 200);
const isFrame = (value: unknown): value is Frame => typeof value === 'object' && value !== null;

/** Returns whether the newest message may have become another one: it has the same id, or it was the place of an answer without a word. */
const isChangeable = (before: Frame, after: unknown): boolean =>
  isFrame(after) && (after.id === before.id || (before.modifier === 'ai' && textOf(before) === ''));

const textOf = ({ content }: Frame): string =>
  Array.isArray(content)
    ? content
        .map((item: unknown) => (isFrame(item) && typeof item.text === 'string' ? item.text : ''))
        .join('')
    : '';

const NOT_STORED = 'Messages cannot be stored now';

/** Returns whether a message is the platform's notice that its disk is full, which it does not store. */
const isUnstoredNotice = (message: Frame): boolean => JSON.stringify(message).includes(NOT_STORED);
