/*
 * The sign-ins that wait for PAM and the slots in which PAM runs, each with a process of its own:
 *
 *            slot free                          PAM accepts, or a refusal has been delayed
 *   add() ────────────▶ in PAM ─────────────────────────────────▶ ended
 *     │                  ▲   ▲  begins when PAM accepts the one before
 *     │ no slot free     │   └────────────────────────┐
 *     ├────────▶ waiting ┴── no slot free ──▶ handed over
 *     │             │  ▲                          │
 *     │             │  └── unread ────────────────┤
 *     │             │ timeout                     │ timeout, withdrawn
 *     └─ full ──────┴─────────────────────────────┴──────────────▶ busy
 *
 * While no slot is free, each process is handed its next sign-in, so that it need not wait for the helper. It is withdrawn
 * when a slot becomes free first, and when many others have begun since.
 */
import type { Clock } from '../../base/clock.ts';
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

export interface PamQueueOptions {
  /** The most sign-ins in PAM at once. */
  readonly concurrency: number;
  /** The most sign-ins that wait, also those that were handed over. */
  readonly waiting: number;
  /** The longest that a sign-in may wait, in milliseconds. */
  readonly timeoutMs: number;
  readonly start: () => QueuedProcess;
  readonly delay: RefusalDelay;
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
}

interface SignIn {
  readonly credentials: Credentials;
  readonly settle: (outcome: PamOutcome) => void;
  /** Cancels the timer of its wait. */
  cancelWait: () => void;
  /** Whether its wait has ended while it was handed over. */
  isLate: boolean;
}

type Answer = Promise<PamOutcome | Unread>;

/** The next sign-in of a process. */
interface HandedOver {
  readonly signIn: SignIn;
  readonly outcome: Answer;
  /** How many sign-ins of the queue had begun before. */
  readonly begunBefore: number;
  isWithdrawn: boolean;
}

interface Slot {
  process?: QueuedProcess;
  next?: HandedOver | undefined;
}

const BUSY: PamOutcome = { kind: 'unavailable', reason: 'busy' };

/** The queue of sign-ins. Processes start when first needed and stay. */
export class PamQueue {
  readonly #options: PamQueueOptions;
  readonly #slots: readonly Slot[];
  /** The slot used last is used first: the memory of its process is warm. */
  readonly #idle: Slot[];
  readonly #waiting: SignIn[] = [];
  #begun = 0;

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
      const signIn: SignIn = { credentials, settle, isLate: false, cancelWait: () => undefined };
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
    handedOver.slice(0, this.#idle.length).forEach(withdraw);
    const most = 2 * this.#options.concurrency;
    handedOver.filter(({ next }) => next && this.#begun - next.begunBefore > most).forEach(withdraw);
    for (const slot of this.#slots) this.#handOver(slot);
  }

  #handOver(slot: Slot): void {
    const [signIn] = this.#waiting;
    const { process, next } = slot;
    if (signIn === undefined || next !== undefined || !process?.canAskNext) return;
    if (!mayReachPam(signIn.credentials)) return;
    this.#waiting.shift();
    const outcome = process.askNext(signIn.credentials);
    slot.next = { signIn, outcome, begunBefore: this.#begun, isWithdrawn: false };
    void this.#takeBackUnread(slot, signIn, outcome);
  }

  /** Puts a sign-in that its process will not begin back to where it waited. */
  async #takeBackUnread(slot: Slot, signIn: SignIn, answer: Answer): Promise<void> {
    const { kind } = await answer;
    if (kind !== 'unread' || slot.next?.signIn !== signIn) return;
    slot.next = undefined;
    if (signIn.isLate) signIn.settle(BUSY);
    else this.#waiting.unshift(signIn);
    this.#dispatch();
  }

  #endWait(signIn: SignIn): void {
    signIn.isLate = true;
    const slot = this.#slots.find(({ next }) => next?.signIn === signIn);
    if (slot !== undefined) return withdraw(slot);
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
      const startedAt = clock.monotonic();
      const outcome: PamOutcome = mayReachPam(signIn.credentials)
        ? await this.#check(slot, signIn.credentials, answer)
        : { kind: 'refused', reason: 'input' };
      if (outcome.kind === 'refused') await delay.wait(startedAt);
      signIn.settle(outcome);
      const { next }: Slot = slot;
      slot.next = undefined;
      signIn = next?.signIn ?? this.#waiting.shift();
      answer = next?.outcome;
    }
    this.#idle.push(slot);
    this.#dispatch();
  }

  /** Asks the process of the slot. @param handedOver its answer, if it has the sign-in already. */
  async #check(slot: Slot, credentials: Credentials, handedOver?: Answer): Promise<PamOutcome> {
    const { clock, delay } = this.#options;
    const startedAt = clock.monotonic();
    const isRunning = slot.process?.hasEnded === false;
    const answer = handedOver ?? this.#ask(slot, credentials);
    this.#dispatch();
    const outcome = await answer;
    if (outcome.kind === 'unread') return this.#askNew(slot, credentials);
    // The start of a process is not PAM's time.
    if (isRunning && outcome.kind !== 'unavailable') delay.add(clock.monotonic() - startedAt);
    return outcome;
  }

  #ask(slot: Slot, credentials: Credentials): Answer {
    if (slot.process?.hasEnded !== false) slot.process = this.#options.start();
    return slot.process.ask(credentials);
  }

  /** Asks a new process once when the end of the first one was not known yet: PAM has not seen the sign-in. */
  async #askNew(slot: Slot, credentials: Credentials): Promise<PamOutcome> {
    const outcome = await this.#ask(slot, credentials);
    if (outcome.kind !== 'unread') return outcome;
    return { kind: 'unavailable', reason: 'died', detail: outcome.detail };
  }
}

function withdraw({ process, next }: Slot): void {
  if (next === undefined || next.isWithdrawn) return;
  next.isWithdrawn = true;
  process?.withdrawNext();
}
