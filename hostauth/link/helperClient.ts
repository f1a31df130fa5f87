import {
  type Helper,
  type HelperCall,
  MAX_LINE_BYTES,
  helperAnswer,
  helperResults,
} from './helperProtocol.ts';
import type { Duplex } from 'node:stream';
import type { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { type LineChannel, createLineChannel } from './lineChannel.ts';

/** Creates the client of the helper. When the helper does not answer, results are `unavailable` or `unknown`; no call rejects. */
export function createHelperClient(options: HelperLinkOptions): Helper {
  const link = new HelperLink(options);
  return {
    authenticate: ({ username, password }) =>
      link.call('authenticate', { username, password }).catch((error: unknown) => ({
        kind: 'unavailable',
        reason: 'helper',
        detail: reasonOf(error),
      })),
    checkAccount: (account) => link.call('checkAccount', { account }).catch(unknownState),
    isAdministrator: (account) => link.call('isAdministrator', { account }).catch(unknownState),
    accountGroups: (account) => link.call('accountGroups', { account }).catch(unknownState),
    createUser: ({ account, username, password }) =>
      link.call('createUser', { account, username, password }).catch((error: unknown) => ({
        kind: 'unavailable',
        detail: reasonOf(error),
      })),
    async cancelWaiting() {
      // Without a link there is nothing that waits.
      if (link.isOpen) await link.call('cancelWaiting', {}).catch(reasonOf);
    },
    close: async () => link.close(),
  };
}

const unknownState = (error: unknown) => ({ state: 'unknown', detail: reasonOf(error) }) as const;

/** Returns the reason of a `HelperError`. @throws any other error. */
function reasonOf(error: unknown): string {
  if (error instanceof HelperError) return error.message;
  throw error;
}

/*
 * The HTTP process's end of the link to the helper:
 *
 *   connecting ── connected ──▶ open ── closed ──▶ waiting ── 50 ms ──▶ connecting
 *       └──────── refused ─────────────────────────▶ ▲
 *
 * A call waits a limited time for the link. A call that is in progress when the link closes fails and is not repeated:
 * PAM may have counted it.
 */

/** The longest that a call waits for the link. */
const WAIT_MS = 5000;
/** The pause between two attempts to connect. */
const RETRY_MS = 50;
/**
 * The longest that each call may take: a sign-in waits for a slot and for PAM, a creation may be rolled back. They end calls
 * to a helper that hangs.
 */
const LIMITS_MS = {
  authenticate: 30_000,
  checkAccount: 10_000,
  isAdministrator: 10_000,
  accountGroups: 10_000,
  createUser: 45_000,
  cancelWaiting: 10_000,
} as const;

/** The options of `HelperLink`. */
interface HelperLinkOptions {
  /** Opens a stream to the helper. Rejects, or the stream closes, when there is none. */
  readonly connect: () => Promise<Duplex>;
  readonly clock: Pick<Clock, 'after'>;
  /** Called when the link has closed, with the reason. */
  readonly onLost: (detail: string) => void;
}

/** The helper did not answer. `message` is the reason. */
class HelperError extends Error {
  override readonly name = 'HelperError';
}

type CallName = keyof typeof helperResults;
type Result<Name extends CallName> = z.infer<(typeof helperResults)[Name]>;
type Call<Name extends CallName> = Omit<Extract<HelperCall, { call: Name }>, 'id' | 'call'>;

interface Pending {
  readonly name: CallName;
  readonly settle: (result: unknown) => void;
  readonly fail: (reason: string) => void;
}

/** Makes calls over a link that reconnects when it is lost. */
class HelperLink {
  readonly #options: HelperLinkOptions;
  readonly #pending = new Map<number, Pending>();
  readonly #waiting = new Set<(channel: LineChannel) => void>();
  #channel: LineChannel | undefined;
  #isClosed = false;
  #lastId = 0;

  constructor(options: HelperLinkOptions) {
    this.#options = options;
    void this.#open();
  }

  get isOpen(): boolean {
    return this.#channel !== undefined;
  }

  /** Makes a call. @throws {HelperError} when it has no result. */
  async call<Name extends CallName>(name: Name, input: Call<Name>): Promise<Result<Name>>;
  async call(name: CallName, input: object): Promise<unknown> {
    if (this.#isClosed) throw new HelperError('the link to the helper is closed');
    const channel = this.#channel ?? (await this.#waitUntilOpen());
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      const end = () => {
        this.#pending.delete(id);
        cancel();
      };
      const fail = (reason: string) => {
        end();
        reject(new HelperError(reason));
      };
      const settle = (result: unknown) => {
        end();
        resolve(result);
      };
      const cancel = this.#options.clock.after(LIMITS_MS[name], () => fail('the helper did not answer'));
      this.#pending.set(id, { name, settle, fail });
      channel.send({ id, call: name, ...input });
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#channel?.destroy();
  }

  async #open(): Promise<void> {
    try {
      this.#adopt(await this.#options.connect());
    } catch {
      this.#reopen();
    }
  }

  #reopen(): void {
    if (!this.#isClosed) this.#options.clock.after(RETRY_MS, () => void this.#open());
  }

  #adopt(stream: Duplex): void {
    const channel = createLineChannel({
      stream,
      maxBytes: MAX_LINE_BYTES,
      onValue: (value) => this.#receive(value),
      onClose: (detail) => this.#onClose(detail),
    });
    if (this.#isClosed) return channel.destroy();
    this.#channel = channel;
    for (const take of this.#waiting) take(channel);
  }

  #onClose(detail: string): void {
    this.#channel = undefined;
    for (const { fail } of this.#pending.values()) fail(detail);
    if (this.#isClosed) return;
    this.#options.onLost(detail);
    this.#reopen();
  }

  #receive(value: unknown): void {
    const answer = helperAnswer.parse(value);
    const call = this.#pending.get(answer.id);
    if (call === undefined) return;
    if ('error' in answer) call.fail(answer.error);
    else call.settle(helperResults[call.name].parse(answer.result));
  }

  /** @throws {HelperError} when the link does not open in time. */
  #waitUntilOpen(): Promise<LineChannel> {
    return new Promise((resolve, reject) => {
      const take = (channel: LineChannel) => {
        cancel();
        this.#waiting.delete(take);
        resolve(channel);
      };
      const cancel = this.#options.clock.after(WAIT_MS, () => {
        this.#waiting.delete(take);
        reject(new HelperError('the helper cannot be reached'));
      });
      this.#waiting.add(take);
    });
  }
}
