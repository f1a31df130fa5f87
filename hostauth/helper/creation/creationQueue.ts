/*
 * Users are created one after the other: useradd checks whether a name is free before it locks the account files. Two of them
 * at once would both succeed with the same name, and the second password would be that of the first user.
 *
 *   create ──▶ waiting ──▶ running ──▶ ended
 *     │           └ close ──▶ closing (refused)
 *     └ queue full ──▶ full (refused)
 */
import { E_CANCELED, Mutex } from 'async-mutex';
import { type CreateOptions, type Creation, type NewAccount, createAccount } from './createAccount.ts';

/** The most creations that wait. */
const WAITING = 16;

/** Creates users of the host, one at a time. */
export interface CreationQueue {
  /**
   * Creates a user when all earlier creations have ended.
   * @param refuse called just before; its result, if it has one, is returned instead.
   */
  create<R = never>(
    account: NewAccount,
    refuse?: () => Promise<R | undefined>,
  ): Promise<Creation | R | { readonly kind: 'full' | 'closing' }>;
  /** Refuses the creations that wait. */
  cancelWaiting(): void;
  /** Refuses those and later ones; resolves when the creation in progress has ended or is rolled back. */
  close(): Promise<void>;
}

/** Creates the queue of creations. */
export function createCreationQueue(options: CreateOptions): CreationQueue {
  const mutex = new Mutex();
  let queued = 0;
  let cancels = 0;
  let isClosing = false;

  async function createNext<R>(
    account: NewAccount,
    refuse: () => Promise<R | undefined>,
  ): Promise<Creation | R | { readonly kind: 'closing' }> {
    try {
      return await mutex.runExclusive(async () => {
        const cancelsBefore = cancels;
        const refusal = await refuse();
        if (refusal !== undefined) return refusal;
        // The lookups may have taken long: a creation that has not begun must not delay the end.
        return cancels === cancelsBefore ? createAccount(account, options) : { kind: 'closing' };
      });
    } catch (error) {
      if (error === E_CANCELED) return { kind: 'closing' };
      throw error;
    }
  }

  function cancelWaiting(): void {
    cancels++;
    mutex.cancel();
  }

  return {
    async create(account, refuse = async () => undefined) {
      if (isClosing) return { kind: 'closing' };
      if (queued > WAITING) return { kind: 'full' };
      queued++;
      return createNext(account, refuse).finally(() => queued--);
    },
    cancelWaiting,
    async close() {
      isClosing = true;
      cancelWaiting();
      await mutex.waitForUnlock();
    },
  };
}
