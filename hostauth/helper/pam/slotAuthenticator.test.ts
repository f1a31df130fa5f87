import { expect, test } from 'vitest';
import { type SlotProcess, createSlotAuthenticator, createRefusalDelay } from './pamAuthenticator.ts';
import type { PamOutcome } from './pamMessages.ts';
import type { Unread } from './pamProcess.ts';
import { fakeClock } from '../../testing/fakeHelper.ts';

const accepted = { kind: 'accepted' } as const;
const refused = { kind: 'refused', reason: 'credentials' } as const;
const died = { kind: 'unavailable', reason: 'died' } as const;
const busy = { kind: 'unavailable', reason: 'busy' };

/** A process that a test operates. */
class TestProcess implements SlotProcess {
  hasEnded = false;
  /** The name of the sign-in in progress. */
  current: string | undefined;
  #resolve: ((outcome: PamOutcome | Unread) => void) | undefined;

  ask({ username }: { username: string }) {
    if (this.current !== undefined) throw new Error('a process has one sign-in at a time');
    this.current = username;
    return new Promise<PamOutcome | Unread>((resolve) => {
      this.#resolve = resolve;
    });
  }
  async answer(outcome: PamOutcome | Unread) {
    this.hasEnded = outcome.kind === 'unavailable' || outcome.kind === 'unread';
    this.current = undefined;
    this.#resolve?.(outcome);
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
  const pam = createSlotAuthenticator({
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
    void pam.authenticate({ username, password: 'p' }).then((outcome) => outcomes.set(username, outcome));
  const [first, second] = [() => processes[0]!, () => processes[1]!];
  const advance = (ms: number) => void (now += ms);
  const endDelay = () => delays.shift()?.();
  return { add, advance, processes, timers, outcomes, first, second, endDelay, machine };
}

test('begins sign-ins in the order in which they arrived, in whichever slot becomes free; others wait', async () => {
  const { add, first, second, processes } = scene(2);
  for (const name of ['a', 'b', 'c', 'd', 'e']) add(name);
  const current = () => [first().current, second().current];
  expect(new Set(current())).toEqual(new Set(['a', 'b']));
  await second().answer(accepted);
  await second().answer(accepted);
  expect(second().current).toBe('d');
  await first().answer(accepted);
  expect([...current(), processes.length]).toEqual(['e', 'd', 2]);
});

test('begins the next sign-in, and answers a refusal, after the delay of the refusal', async () => {
  const { add, first, outcomes, endDelay } = scene(1);
  add('a');
  add('b');
  await first().answer(refused);
  expect([first().current, outcomes.size]).toEqual([undefined, 0]);
  endDelay();
  await settled();
  expect([outcomes.get('a'), first().current]).toEqual([refused, 'b']);
});

test('loses only the sign-in that PAM had when its process ended; the next one gets another process', async () => {
  const { add, first, second, outcomes, processes } = scene(1);
  add('a');
  add('b');
  await first().answer(died);
  expect([outcomes.get('a'), second().current]).toEqual([died, 'b']);
  await second().answer(accepted);
  expect([outcomes.get('b'), processes.length]).toEqual([accepted, 2]);
});

test('asks one other process for a sign-in whose process ended before PAM had it', async () => {
  const { add, first, second, outcomes, processes } = scene(1);
  const unread = { kind: 'unread', detail: 'exit 1' } as const;
  add('a');
  await first().answer(unread);
  expect(second().current).toBe('a');
  await second().answer(unread);
  expect([outcomes.get('a'), processes.length]).toEqual([{ ...died, detail: 'exit 1' }, 2]);
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

test('answers busy to a sign-in when its wait ends', async () => {
  const { add, first, outcomes, timers } = scene(1);
  for (const name of ['a', 'b', 'c']) add(name);
  const [endWaitOfB] = timers;
  endWaitOfB?.();
  await settled();
  expect([...outcomes]).toEqual([['b', busy]]);
  await first().answer(accepted);
  expect([first().current, timers.size]).toEqual(['c', 0]);
});

test('answers busy to a sign-in when too many wait', async () => {
  const { add, outcomes } = scene(1, 2);
  for (const name of ['a', 'b', 'c', 'd']) add(name);
  await settled();
  expect([...outcomes]).toEqual([['d', busy]]);
});

test('replaces a process that is older than ten minutes, also while others wait; a sign-in in progress is completed', async () => {
  const { add, advance, first, second, processes, outcomes } = scene(1);
  for (const name of ['a', 'b']) add(name);
  advance(600_001);
  expect(first().hasEnded).toBe(false);
  await first().answer(accepted);
  expect([outcomes.get('a'), first().hasEnded, second().current]).toEqual([accepted, true, 'b']);
  await second().answer(accepted);
  add('c');
  expect([second().current, processes.length]).toEqual(['c', 2]);
});

/** A delay, and a function that returns when the slot of a sign-in becomes free. */
function delayed(startAt = 0) {
  const clock = fakeClock();
  clock.advance(startAt);
  const delay = createRefusalDelay({ clock });
  const endOf = async (took: number) => {
    const startedAt = clock.monotonic();
    clock.advance(took);
    delay.add(took);
    const waited = delay.wait(startedAt);
    const [wait = Number.NaN] = clock.waits;
    clock.advance(wait);
    await waited;
    return clock.monotonic();
  };
  return { clock, endOf };
}

test('keeps the slot of a refusal until the next multiple of 100 ms', async () => {
  const { clock, endOf } = delayed(1070);
  for (const end of [1100, 1200, 1300]) expect(await endOf(3)).toBe(end);
  clock.advance(0.4);
  // Timers take whole milliseconds.
  expect(await endOf(35)).toBeCloseTo(1400.4);
  expect(await endOf(0)).toBeCloseTo(1500.4);
});

test('keeps the slots of quick refusals as long as those of slow ones, at most 600 ms', async () => {
  const { endOf } = delayed();
  expect(await endOf(130)).toBe(200);
  for (const end of [400, 600]) expect(await endOf(3)).toBe(end);
  expect(await endOf(210)).toBe(900);
  expect(await endOf(0)).toBe(1200);
  expect(await endOf(9000)).toBe(10_300);
  expect(await endOf(3)).toBe(10_900);
});

test('forgets a slow sign-in after one to two minutes', async () => {
  const { clock, endOf } = delayed();
  expect(await endOf(130)).toBe(200);
  clock.advance(59_800);
  expect(await endOf(3)).toBe(60_200);
  clock.advance(59_800);
  expect(await endOf(3)).toBe(120_100);
  expect(await endOf(130)).toBe(120_300);
  clock.advance(300_000);
  expect(await endOf(3)).toBe(420_400);
});
