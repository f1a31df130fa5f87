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

export interface PamQueueOptions {
  /** The most sign-ins in PAM at once. */
  readonly concurrency: number;
  /** The most sign-ins that wait, also those that were handed over. */
  readonly waiting: number;
  /** The longest that a sign-in may wait, in milliseconds. */
  readonly timeoutMs: number;
  readonly start: () => PamProcess;
  readonly delay: RefusalDelay;
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
}

export interface PamQueue {
  /** Checks a sign-in when its turn has come. Never rejects. */
  add(credentials: Credentials): Promise<PamOutcome>;
  /** Ends the processes. Call it when no sign-in is in progress. */
  end(): Promise<void>;
}

interface SignIn {
  readonly credentials: Credentials;
  readonly settle: (outcome: PamOutcome) => void;
  /** Cancels the timer of its wait. */
  cancelWait: () => void;
  /** Whether its wait has ended while it was handed over. */
  isLate: boolean;
}

/** The next sign-in of a process. */
interface HandedOver {
  readonly signIn: SignIn;
  readonly outcome: Promise<PamOutcome | Unread>;
  /** How many sign-ins of the queue had begun before. */
  readonly begunBefore: number;
  isWithdrawn: boolean;
}

interface Slot {
  process?: PamProcess;
  next?: HandedOver | undefined;
}

const BUSY: PamOutcome = { kind: 'unavailable', reason: 'busy' };

/** Creates the queue. Processes start when first needed and stay. */
export function createPamQueue(options: PamQueueOptions): PamQueue {
  const { concurrency, clock, delay } = options;
  const slots = Array.from({ length: concurrency }, (): Slot => ({}));
  // The slot used last is used first: the memory of its process is warm.
  const idle = [...slots];
  const waiting: SignIn[] = [];
  let begun = 0;

  /** Distributes the sign-ins that wait. Called after each change. */
  function dispatch(): void {
    while (waiting.length > 0 && idle.length > 0) {
      const [signIn, slot] = [waiting.shift(), idle.pop()];
      if (signIn !== undefined && slot !== undefined) void run(slot, signIn);
    }
    const handedOver = slots.filter(({ next }) => next !== undefined);
    // A free slot begins them sooner.
    handedOver.slice(0, idle.length).forEach(withdraw);
    handedOver
      .filter(({ next }) => next !== undefined && begun - next.begunBefore > 2 * concurrency)
      .forEach(withdraw);
    slots.forEach(handOver);
  }

  function handOver(slot: Slot): void {
    const [signIn] = waiting;
    const { process, next } = slot;
    if (signIn === undefined || next !== undefined || !process?.canAskNext()) return;
    if (!mayReachPam(signIn.credentials)) return;
    waiting.shift();
    const outcome = process.askNext(signIn.credentials);
    slot.next = { signIn, outcome, begunBefore: begun, isWithdrawn: false };
    void outcome.then(({ kind }) => {
      if (kind !== 'unread' || slot.next?.signIn !== signIn) return;
      slot.next = undefined;
      if (signIn.isLate) signIn.settle(BUSY);
      else waiting.unshift(signIn);
      dispatch();
    });
  }

  function withdraw({ process, next }: Slot): void {
    if (next === undefined || next.isWithdrawn) return;
    next.isWithdrawn = true;
    process?.withdrawNext();
  }

  function endWait(signIn: SignIn): void {
    signIn.isLate = true;
    const slot = slots.find(({ next }) => next?.signIn === signIn);
    if (slot !== undefined) return withdraw(slot);
    waiting.splice(waiting.indexOf(signIn), 1);
    signIn.settle(BUSY);
  }

  /** Uses a slot for a sign-in, and for those that follow it. Refusals, also without PAM, use their slot for the same time. */
  async function run(slot: Slot, first: SignIn): Promise<void> {
    let signIn: SignIn | undefined = first;
    let answer: HandedOver['outcome'] | undefined;
    while (signIn !== undefined) {
      signIn.cancelWait();
      begun++;
      const startedAt = clock.monotonic();
      const outcome: PamOutcome = mayReachPam(signIn.credentials)
        ? await check(slot, signIn.credentials, answer)
        : { kind: 'refused', reason: 'input' };
      if (outcome.kind === 'refused') await delay.wait(startedAt);
      signIn.settle(outcome);
      const { next } = slot;
      slot.next = undefined;
      signIn = next?.signIn ?? waiting.shift();
      answer = next?.outcome;
    }
    idle.push(slot);
    dispatch();
  }

  /** Asks the process of the slot. @param handedOver its answer, if it has the sign-in already. */
  async function check(
    slot: Slot,
    credentials: Credentials,
    handedOver?: HandedOver['outcome'],
  ): Promise<PamOutcome> {
    const startedAt = clock.monotonic();
    const isRunning = slot.process?.hasEnded() === false;
    const answer = handedOver ?? askProcess(slot, credentials);
    dispatch();
    const outcome = await answer;
    if (outcome.kind === 'unread') return askNew(slot, credentials);
    // The start of a process is not PAM's time.
    if (isRunning && outcome.kind !== 'unavailable') delay.add(clock.monotonic() - startedAt);
    return outcome;
  }

  function askProcess(slot: Slot, credentials: Credentials): HandedOver['outcome'] {
    if (slot.process?.hasEnded() !== false) slot.process = options.start();
    return slot.process.ask(credentials);
  }

  /** Asks a new process once when the end of the first one was not known yet: PAM has not seen the sign-in. */
  async function askNew(slot: Slot, credentials: Credentials): Promise<PamOutcome> {
    const outcome = await askProcess(slot, credentials);
    if (outcome.kind !== 'unread') return outcome;
    return { kind: 'unavailable', reason: 'died', detail: outcome.detail };
  }

  return {
    add: (credentials) =>
      new Promise((settle) => {
        const all = waiting.length + slots.filter(({ next }) => next !== undefined).length;
        if (idle.length === 0 && all >= options.waiting) return settle(BUSY);
        const signIn: SignIn = { credentials, settle, isLate: false, cancelWait: () => undefined };
        signIn.cancelWait = clock.after(options.timeoutMs, () => endWait(signIn));
        waiting.push(signIn);
        dispatch();
      }),
    async end() {
      await Promise.all(slots.map(({ process }) => process?.end()));
    },
  };
}
