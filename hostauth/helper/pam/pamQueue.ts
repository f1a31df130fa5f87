/*
 * The sign-ins that wait for PAM and the slots in which PAM runs, each with a process of its own:
 *
 *            slot free                          PAM accepts, or a refusal has been delayed
 *   add() ────────────▶ in PAM ─────────────────────────────────▶ ended
 *     │                  ▲   ▲  the sign-in before has ended
 *     │ no slot free     │   └────────────────────────┐
 *     ├────────▶ waiting ┴── no slot free ──▶ handed over
 *     │             │  ▲                          │
 *     │             │  └── withdrawn ─────────────┤
 *     │             │ timeout                     │ timeout, withdrawn
 *     └─ full ──────┴─────────────────────────────┴──────────────▶ busy
 *
 * While no slot is free, each is handed its next sign-in. Its process has it too, so that it need not wait for the helper
 * when PAM accepts the sign-in before. After a refusal the slot keeps it and asks its process again. It is withdrawn when a
 * slot becomes free first, and when many others have begun since.
 */
import type { Clock } from '../../base/clock.ts';
import { errorMessage } from '../../base/errorMessage.ts';
import type { Credentials } from '../../link/helperProtocol.ts';
import type { PamOutcome } from './authenticator.ts';
import { mayReachPam } from './mayReachPam.ts';
import type { PamProcess, Unread } from './pamProcess.ts';
import type { RefusalDelay } from './refusalDelay.ts';

/** What the queue uses of a process. */
export type QueuedProcess = Pick<
  PamProcess,
  'ask' | 'askNext' | 'canAskNext' | 'withdrawNext' | 'hasEnded' | 'end'
>;

/** The options of `PamQueue`. */
interface PamQueueOptions {
  /** The most sign-ins in PAM at once. */
  readonly concurrency: number;
  /** The most sign-ins that wait, also those that were handed over. */
  readonly waiting: number;
  /** The longest that a sign-in may wait, in milliseconds. */
  readonly timeoutMs: number;
  /** Starts a process. @throws when the machine has no memory, process or file descriptor left. */
  readonly start: () => QueuedProcess;
  readonly delay: RefusalDelay;
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
}

interface SignIn {
  /** Its place in the queue: 0, 1, 2 … in the order in which sign-ins arrived. */
  readonly place: number;
  readonly credentials: Credentials;
  readonly settle: (outcome: PamOutcome) => void;
  /** Cancels the timer of its wait. */
  cancelWait: () => void;
  /** Whether its wait has ended while it was handed over. */
  isLate: boolean;
}

type Answer = Promise<PamOutcome | Unread>;

/** The next sign-in of a slot. */
interface HandedOver {
  readonly signIn: SignIn;
  /** The answer of the process that has it; `undefined` when none has it. */
  answer: Answer | undefined;
  /** How many sign-ins of the queue had begun before. */
  readonly begunBefore: number;
  isWithdrawn: boolean;
}

interface Slot {
  process?: QueuedProcess;
  /** When its process was started, on the monotonic clock. */
  startedAt?: number;
  next?: HandedOver | undefined;
  /** Whether its sign-in in progress takes so long that the next one was withdrawn. */
  isSlow?: boolean;
}

/** An older process is replaced before its next sign-in: it keeps PAM's modules loaded, which may have been updated. */
const MAX_AGE_MS = 600_000;

const BUSY: PamOutcome = { kind: 'unavailable', reason: 'busy' };

/** The queue of sign-ins. Processes start when first needed and stay. */
export class PamQueue {
  readonly #options: PamQueueOptions;
  readonly #slots: readonly Slot[];
  /** The slot used last is used first: the memory of its process is warm. */
  readonly #idle: Slot[];
  readonly #waiting: SignIn[] = [];
  #begun = 0;
  #added = 0;

  constructor(options: PamQueueOptions) {
    this.#options = options;
    this.#slots = Array.from({ length: options.concurrency }, () => ({}));
    this.#idle = [...this.#slots];
  }

  /** Checks a sign-in when its turn has come. Never rejects. */
  add(credentials: Credentials): Promise<PamOutcome> {
    return new Promise((settle) => {
      const all = this.#waiting.length + this.#slots.filter(({ next }) => next !== undefined).length;
      if (this.#idle.length === 0 && all >= this.#options.waiting) return settle(BUSY);
      const place = this.#added++;
      const signIn: SignIn = { place, credentials, settle, isLate: false, cancelWait: () => undefined };
      signIn.cancelWait = this.#options.clock.after(this.#options.timeoutMs, () => this.#endWait(signIn));
      this.#waiting.push(signIn);
      this.#dispatch();
    });
  }

  /** Ends the processes. Call it when no sign-in is in progress. */
  async end(): Promise<void> {
    await Promise.all(this.#slots.map(async ({ process }) => process?.end()));
  }

  /** Distributes the sign-ins that wait. Called after each change. */
  #dispatch(): void {
    while (this.#waiting.length > 0 && this.#idle.length > 0) {
      const [signIn, slot] = [this.#waiting.shift(), this.#idle.pop()];
      if (signIn !== undefined && slot !== undefined) void this.#run(slot, signIn);
    }
    const handedOver = this.#slots.filter(({ next }) => next !== undefined);
    // A free slot begins them sooner.
    for (const slot of handedOver.slice(0, this.#idle.length)) this.#withdraw(slot);
    const most = 2 * this.#options.concurrency;
    for (const slot of handedOver) {
      if (slot.next && this.#begun - slot.next.begunBefore > most) this.#withdraw(slot);
    }
    for (const slot of this.#slots) this.#handOver(slot);
  }

  /**
   * Hands a slot that is in use its next sign-in, whatever the one in progress and the next one are: which slot begins a
   * sign-in, and so when it is answered, must not show how long PAM takes for the others.
   */
  #handOver(slot: Slot): void {
    const [signIn] = this.#waiting;
    const { process, next } = slot;
    if (signIn === undefined || next !== undefined || slot.isSlow) return;
    this.#waiting.shift();
    const isSent = process?.canAskNext === true && !this.#isOld(slot) && mayReachPam(signIn.credentials);
    const answer = isSent ? process.askNext(signIn.credentials) : undefined;
    const handedOver: HandedOver = { signIn, answer, begunBefore: this.#begun, isWithdrawn: false };
    slot.next = handedOver;
    if (answer !== undefined) void this.#takeBackUnread(slot, handedOver, answer);
  }

  /** Leaves a sign-in that its process will not begin to the slot, or to the queue if it was withdrawn. */
  async #takeBackUnread(slot: Slot, handedOver: HandedOver, answer: Answer): Promise<void> {
    const { kind } = await answer;
    if (kind !== 'unread' || slot.next !== handedOver) return;
    handedOver.answer = undefined;
    if (handedOver.isWithdrawn) this.#putBack(slot, handedOver);
  }

  #withdraw(slot: Slot): void {
    const { process, next } = slot;
    if (next === undefined || next.isWithdrawn) return;
    next.isWithdrawn = true;
    if (next.answer !== undefined) process?.withdrawNext();
    else this.#putBack(slot, next);
  }

  /** Returns a sign-in to its place in the queue. */
  #putBack(slot: Slot, { signIn }: HandedOver): void {
    slot.next = undefined;
    slot.isSlow = true;
    if (signIn.isLate) signIn.settle(BUSY);
    else {
      const later = this.#waiting.findIndex(({ place }) => place > signIn.place);
      this.#waiting.splice(later === -1 ? this.#waiting.length : later, 0, signIn);
    }
    this.#dispatch();
  }

  #endWait(signIn: SignIn): void {
    signIn.isLate = true;
    const slot = this.#slots.find(({ next }) => next?.signIn === signIn);
    if (slot !== undefined) return this.#withdraw(slot);
    this.#waiting.splice(this.#waiting.indexOf(signIn), 1);
    signIn.settle(BUSY);
  }

  /** Uses a slot for a sign-in, and for those that follow it. Refusals, also without PAM, use their slot for the same time. */
  async #run(slot: Slot, first: SignIn): Promise<void> {
    const { clock, delay } = this.#options;
    let signIn: SignIn | undefined = first;
    let answer: Answer | undefined;
    while (signIn !== undefined) {
      signIn.cancelWait();
      this.#begun++;
      slot.isSlow = false;
      const startedAt = clock.monotonic();
      const outcome = await this.#check(slot, signIn.credentials, answer);
      if (outcome.kind === 'refused') await delay.wait(startedAt);
      signIn.settle(outcome);
      const { next }: Slot = slot;
      slot.next = undefined;
      signIn = next?.signIn ?? this.#waiting.shift();
      answer = next?.answer;
    }
    this.#idle.push(slot);
    this.#dispatch();
  }

  /** Asks the process of the slot, if PAM may see the credentials. @param handedOver its answer, if it has them already. */
  async #check(slot: Slot, credentials: Credentials, handedOver?: Answer): Promise<PamOutcome> {
    const { clock, delay } = this.#options;
    if (!mayReachPam(credentials)) {
      this.#dispatch();
      return { kind: 'refused', reason: 'input' };
    }
    const startedAt = clock.monotonic();
    const { process } = slot;
    const answer = handedOver ?? this.#ask(slot, credentials);
    this.#dispatch();
    const outcome = await answer;
    if (outcome.kind === 'unread') return this.#askNew(slot, credentials);
    // The start of a process is not PAM's time.
    if (slot.process === process && outcome.kind !== 'unavailable') delay.add(clock.monotonic() - startedAt);
    return outcome;
  }

  /** Asks the process of the slot, a new one if needed. Never rejects: a process that cannot be started costs this sign-in. */
  #ask(slot: Slot, credentials: Credentials): Answer {
    if (slot.process?.hasEnded !== false || this.#isOld(slot)) {
      void slot.process?.end();
      try {
        slot.process = this.#options.start();
      } catch (error) {
        return Promise.resolve({ kind: 'unavailable', reason: 'died', detail: errorMessage(error) });
      }
      slot.startedAt = this.#options.clock.monotonic();
    }
    return slot.process.ask(credentials);
  }

  #isOld({ startedAt }: Slot): boolean {
    return startedAt !== undefined && this.#options.clock.monotonic() - startedAt > MAX_AGE_MS;
  }

  /** Asks a new process once when the end of the first one was not known yet: PAM has not seen the sign-in. */
  async #askNew(slot: Slot, credentials: Credentials): Promise<PamOutcome> {
    const outcome = await this.#ask(slot, credentials);
    if (outcome.kind !== 'unread') return outcome;
    return { kind: 'unavailable', reason: 'died', detail: outcome.detail };
  }
}
