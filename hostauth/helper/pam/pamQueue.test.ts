import { expect, test } from 'vitest';
import type { PamOutcome } from './authenticator.ts';
import type { Unread } from './pamProcess.ts';
import { PamQueue, type QueuedProcess } from './pamQueue.ts';

const accepted = { kind: 'accepted' } as const;
const refused = { kind: 'refused', reason: 'credentials' } as const;
const died = { kind: 'unavailable', reason: 'died' } as const;
const busy = { kind: 'unavailable', reason: 'busy' };

/** A process that a test operates. It behaves as a PAM process: only a success begins the next sign-in. */
class TestProcess implements QueuedProcess {
  hasEnded = false;
  current: { name: string; resolve: (outcome: PamOutcome | Unread) => void } | undefined;
  next: { name: string; resolve: (outcome: PamOutcome | Unread) => void } | undefined;
  withdrawals = 0;

  get canAskNext() {
    return !this.hasEnded && this.current !== undefined && this.next === undefined;
  }
  ask({ username }: { username: string }) {
    return new Promise<PamOutcome | Unread>((resolve) => {
      this.current = { name: username, resolve };
    });
  }
  askNext({ username }: { username: string }) {
    return new Promise<PamOutcome | Unread>((resolve) => {
      this.next = { name: username, resolve };
    });
  }
  withdrawNext() {
    this.withdrawals++;
  }
  returnNext() {
    this.next?.resolve({ kind: 'unread' });
    this.next = undefined;
  }
  async answer(outcome: PamOutcome) {
    const ended = this.current;
    if (outcome.kind === 'unavailable') this.hasEnded = true;
    this.current = outcome.kind === 'accepted' ? this.next : undefined;
    if (outcome.kind === 'accepted') this.next = undefined;
    else this.returnNext();
    ended?.resolve(outcome);
    await settled();
  }
  async end() {
    this.hasEnded = true;
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

function scene(concurrency: number, waiting = 64) {
  const processes: TestProcess[] = [];
  const timers = new Set<() => void>();
  const outcomes = new Map<string, PamOutcome>();
  const delays: (() => void)[] = [];
  const machine = { isFull: false };
  let now = 0;
  const queue = new PamQueue({
    concurrency,
    waiting,
    timeoutMs: 10_000,
    start() {
      if (machine.isFull) throw new Error('no more processes');
      const process = new TestProcess();
      processes.push(process);
      return process;
    },
    delay: {
      add: () => undefined,
      wait: () => new Promise((resolve) => void delays.push(resolve)),
    },
    clock: {
      monotonic: () => now,
      after(_, call) {
        timers.add(call);
        return () => void timers.delete(call);
      },
    },
  });
  const add = (username: string) =>
    void queue.add({ username, password: 'p' }).then((outcome) => outcomes.set(username, outcome));
  const [first, second] = [() => processes[0]!, () => processes[1]!];
  const advance = (ms: number) => void (now += ms);
  const endDelay = () => delays.shift()?.();
  return { add, advance, processes, timers, outcomes, first, second, endDelay, machine };
}

test('hands a process its next sign-in while no other process is idle', async () => {
  const { add, first, second } = scene(2);
  add('a');
  add('b');
  expect([first().next, second().next]).toEqual([undefined, undefined]);
  for (const name of ['c', 'd', 'e']) add(name);
  expect(new Set([first().next?.name, second().next?.name])).toEqual(new Set(['c', 'd']));
  await first().answer(accepted);
  expect(first().next?.name).toBe('e');
});

test('hands no process a sign-in that PAM must not see', () => {
  const { add, first } = scene(1);
  add('a');
  add('');
  expect(first().next).toBeUndefined();
});

test('begins a sign-in that was handed over again after the delay of a refusal', async () => {
  const { add, first, outcomes, endDelay } = scene(1);
  add('a');
  add('b');
  await first().answer(refused);
  expect([first().current, first().next, outcomes.size]).toEqual([undefined, undefined, 0]);
  endDelay();
  await settled();
  expect([outcomes.get('a'), first().current?.name]).toEqual([refused, 'b']);
});

test('asks another process for a sign-in whose process ended before it began; only one sign-in is lost', async () => {
  const { add, first, second, outcomes } = scene(1);
  add('a');
  add('b');
  await first().answer(died);
  expect([outcomes.get('a'), second().current?.name]).toEqual([died, 'b']);
  await second().answer(accepted);
  expect(outcomes.get('b')).toEqual(accepted);
});

test('keeps its slot when no process can be started: that sign-in is unavailable, and the next one is checked', async () => {
  const { add, first, outcomes, machine } = scene(1);
  machine.isFull = true;
  add('a');
  add('b');
  await settled();
  const notStarted = { ...died, detail: 'no more processes' };
  expect(outcomes).toEqual(new Map(['a', 'b'].map((name) => [name, notStarted])));
  machine.isFull = false;
  add('c');
  await first().answer(accepted);
  expect(outcomes.get('c')).toEqual(accepted);
});

test('does not ask another process for a sign-in that began after it was handed over', async () => {
  const { add, first, outcomes, processes } = scene(1);
  add('a');
  add('b');
  await first().answer(accepted);
  await first().answer(died);
  expect([outcomes.get('b'), processes.length]).toEqual([died, 1]);
});

test('withdraws a sign-in that waits behind another when a process becomes idle', async () => {
  const { add, first, second } = scene(2);
  for (const name of ['a', 'b', 'c']) add(name);
  const [slow, fast] = first().next === undefined ? [second(), first()] : [first(), second()];
  await fast.answer(accepted);
  expect(slow.withdrawals).toBe(1);
  slow.returnNext();
  await settled();
  expect(fast.current?.name).toBe('c');
});

test('withdraws a sign-in that waits behind one that hangs when many others have begun', async () => {
  const { add, first, second } = scene(2);
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']) add(name);
  for (let i = 0; i < 4; i++) await second().answer(accepted);
  expect(first().withdrawals).toBe(0);
  await second().answer(accepted);
  expect(first().withdrawals).toBe(1);
});

test('begins withdrawn sign-ins in the order in which they arrived', async () => {
  const { add, processes } = scene(3);
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n']) add(name);
  const handedOver = processes.map(({ next }) => next?.name ?? '').toSorted();
  expect(handedOver).toEqual(['d', 'e', 'f']);
  const [hanging, alsoHanging, fast] = processes.toSorted((a, b) => (a.next!.name < b.next!.name ? -1 : 1));
  for (let i = 0; i < 7; i++) await fast!.answer(accepted);
  expect([hanging!.withdrawals, alsoHanging!.withdrawals]).toEqual([1, 1]);
  for (const process of [hanging!, alsoHanging!]) {
    process.returnNext();
    await settled();
    expect(process.next).toBeUndefined();
  }
  const begun: (string | undefined)[] = [];
  for (let i = 0; i < 3; i++) {
    await fast!.answer(accepted);
    begun.push(fast!.current?.name);
  }
  expect(begun).toEqual(['m', 'd', 'e']);
});

test('answers busy when the wait of a sign-in ends that was handed over, unless it begins first', async () => {
  const { add, first, outcomes, timers } = scene(1);
  for (const name of ['a', 'b', 'c']) add(name);
  for (const timeIsUp of timers) timeIsUp();
  await settled();
  expect([...outcomes]).toEqual([['c', busy]]);
  expect(first().withdrawals).toBe(1);
  first().returnNext();
  await settled();
  expect(outcomes.get('b')).toEqual(busy);
  await first().answer(accepted);
  expect(first().current).toBeUndefined();
});

test('counts sign-ins that were handed over as waiting', async () => {
  const { add, outcomes } = scene(1, 2);
  for (const name of ['a', 'b', 'c', 'd']) add(name);
  await settled();
  expect([...outcomes]).toEqual([['d', busy]]);
});

test('replaces a process that is older than ten minutes, also while others wait; a sign-in in progress is completed', async () => {
  const { add, advance, first, second, processes, outcomes } = scene(1);
  for (const name of ['a', 'b', 'c']) add(name);
  advance(600_001);
  await first().answer(accepted);
  expect([first().current?.name, first().next]).toEqual(['b', undefined]);
  await first().answer(accepted);
  expect([outcomes.get('b'), first().hasEnded, second().current?.name]).toEqual([accepted, true, 'c']);
  await second().answer(accepted);
  add('d');
  expect([second().current?.name, processes.length]).toEqual(['d', 2]);
});
