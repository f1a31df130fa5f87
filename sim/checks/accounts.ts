import type { MainState } from '#main/store/mainStore.ts';
import type { World } from '../world/world.ts';

/** After this time, a sign-in or a sign-out is in the account's file. */
const STORED_MS = 300;

/**
 * Check 4 of the account: after any end of main, the next start has the account of the newest sign-in or sign-out that was on the disk. It is not known what is on a disk that could not be
 * written, or after a loss of power.
 */
export class AccountCheck {
  /** The account in the file; `undefined` when it is not known. */
  #stored: string | null | undefined = null;
  #changedAt = 0;
  #isFaulty = false;

  constructor(private readonly world: World) {}

  /** The disk cannot be written, or has lost writes. */
  disturbed(isFaulty: boolean): void {
    this.#isFaulty = isFaulty;
    this.#stored = undefined;
  }

  /** Main has ended: a change just before may be lost. */
  ended(): void {
    if (this.world.now() < this.#changedAt + STORED_MS) this.#stored = undefined;
  }

  reduced(type: string, { account: { id } }: MainState): void {
    if (type === 'account/signedIn' || type === 'account/signedOut') {
      this.#stored = this.#isFaulty ? undefined : id;
      this.#changedAt = this.world.now();
    }
    if (type !== 'persist/REHYDRATE') return;
    if (this.#stored !== undefined && this.#stored !== id && !this.#isFaulty)
      this.world.fail(
        4,
        `main starts ${id === null ? 'signed out' : 'signed in'} after ${this.#stored === null ? 'a sign-out' : 'a sign-in'}`,
      );
    this.#stored = this.#isFaulty ? undefined : id;
  }
}
