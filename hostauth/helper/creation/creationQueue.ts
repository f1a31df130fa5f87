/*
 * One after the other: useradd looks whether a name is free before it takes the lock of the accounts' files, so that two
 * of them at once would both succeed with the same name, and the second password would be that of the first user.
 *
 *   create ──▶ waiting ──▶ running ──▶ ended
 *     │           └ close ──▶ closing (refused)
 *     └ as many wait as may ──▶ full (refused)
 */
import { E_CANCELED, Mutex } from 'async-mutex';
import { type CreateOptions, type Creation, type NewAccount, createAccount } from './createAccount.ts';

/** So many wait for their turn at most. */
const WAITING = 16;

/** Creates users of the host. */
export interface CreationQueue {
  /**
   * Creates a user when all earlier creations have ended.
   * @param refuse called just before; its result, if it has one, is returned instead.
   */
  create<R = never>(
    account: NewAccount,
    refuse?: () => Promise<R | undefined>,
  ): Promise<Creation | R | { readonly kind: 'full' | 'closing' }>;
  /** Refuses those who wait. */
  cancelWaiting(): void;
  /** The same, and those who come later; resolves when the one that has begun is created or rolled back. */
  close(): Promise<void>;
}

/** The way to create users: one at a time. */
export function createCreationQueue(options: CreateOptions): CreationQueue {
  const mutex = new Mutex();
  let asked = 0;
  let isClosing = false;

  async function inTurn<R>(
    account: NewAccount,
    refuse: () => Promise<R | undefined>,
  ): Promise<Creation | R | { readonly kind: 'closing' }> {
    try {
      return await mutex.runExclusive(async () => (await refuse()) ?? createAccount(account, options));
    } catch (error) {
      if (error === E_CANCELED) return { kind: 'closing' };
      throw error;
    }
  }

  return {
    async create(account, refuse = async () => undefined) {
      if (isClosing) return { kind: 'closing' };
      if (asked > WAITING) return { kind: 'full' };
      asked++;
      return inTurn(account, refuse).finally(() => asked--);
    },
    cancelWaiting: () => mutex.cancel(),
    async close() {
      isClosing = true;
      mutex.cancel();
      await mutex.waitForUnlock();
    },
  };
}
