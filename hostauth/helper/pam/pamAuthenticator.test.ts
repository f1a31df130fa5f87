import { readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { PAM_OPTIONS, WRAPPED_PASSWORD, withPamWrapper } from '#tests/builders/withPamWrapper.ts';
import { type SlotProcess, createRefusalDelay, createSlotAuthenticator } from './pamAuthenticator.ts';
import type { PamOutcome } from './pamMessages.ts';
import { PamProcess, type Unread } from './pamProcess.ts';
import { childrenOf, commandOf, hasEnded } from '../../testing/processState.ts';
import { fakeClock } from '../../testing/testApp.ts';

const { authenticator, stalled } = withPamWrapper();
const ada = { username: 'ada', password: WRAPPED_PASSWORD };
const stall = { username: 'stall', password: WRAPPED_PASSWORD };
const accepted = { kind: 'accepted' } as const;
const refused = { kind: 'refused', reason: 'credentials' } as const;
const died = { kind: 'unavailable', reason: 'died' } as const;
const busy = { kind: 'unavailable', reason: 'busy' };

const pamProcesses = () =>
  // A process may end in between.
  childrenOf(process.pid).filter((pid) => !hasEnded(pid) && commandOf(pid).includes(PAM_OPTIONS.childPath));

test('accepts a right password and refuses others, in the same process one after the other; input that PAM must not see needs none', async () => {
  const pam = authenticator();
  const tooLong = { ...ada, password: 'p'.repeat(512) };
  expect(await pam.authenticate(tooLong)).toEqual({ kind: 'refused', reason: 'input' });
  expect(pamProcesses()).toEqual([]);
  expect(await pam.authenticate(ada)).toEqual(accepted);
  const [first] = pamProcesses();
  const wrong = await pam.authenticate({ ...ada, password: 'wrong' });
  expect(wrong).toEqual({ ...refused, detail: expect.any(String) });
  const mustChange = await pam.authenticate({ ...ada, username: 'mustchange' });
  expect(mustChange).toMatchObject({ kind: 'refused', reason: 'must-change' });
  expect(pamProcesses()).toEqual([first]);
});

test('loses only the sign-in whose process is killed or hangs; the next one gets a new process, also when the exit of the killed one is not known yet', async () => {
  const clock = fakeClock();
  const pam = authenticator({ concurrency: 1, clock });
  const lost = pam.authenticate(stall);
  await stalled();
  const waiting = pam.authenticate(ada);
  const [pid = Number.NaN] = pamProcesses();
  process.kill(pid, 'SIGKILL');
  expect(await lost).toEqual({ kind: 'unavailable', reason: 'died', detail: 'SIGKILL' });
  expect(await waiting).toEqual(accepted);
  for (const idle of pamProcesses()) process.kill(idle, 'SIGKILL');
  expect(await pam.authenticate(ada)).toEqual(accepted);
  const hung = pam.authenticate(stall);
  await stalled();
  const hanging = pamProcesses();
  expect([hanging.length, clock.waits]).toEqual([1, [60_000]]);
  clock.advance(60_000);
  expect(await hung).toEqual({ kind: 'unavailable', reason: 'timeout' });
  expect(await pam.authenticate(ada)).toEqual(accepted);
  for (const ended of [pid, ...hanging]) expect(pamProcesses()).not.toContain(ended);
});

test('completes the sign-ins that run and wait after signals of a terminal and close(), and answers busy to later ones; the process has the credentials neither in its arguments nor in its environment', async () => {
  const pam = authenticator({ concurrency: 1 });
  const before = [pam.authenticate(stall), pam.authenticate(ada)];
  const release = await stalled();
  const [pid = Number.NaN] = pamProcesses();
  const seen = await Promise.all(
    ['cmdline', 'environ'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')),
  );
  for (const variable of ['LC_ALL=C', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'UV_THREADPOOL_SIZE=1'])
    expect(seen.join('').split('\0')).toContain(variable);
  // What modules print is dropped.
  const files = ['cwd', 'fd/0', 'fd/1', 'fd/2'].map((name) => readlinkSync(`/proc/${pid}/${name}`));
  expect(files).toEqual(['/', '/dev/null', '/dev/null', '/dev/null']);
  for (const not of [stall.username, stall.password, 'VITEST']) expect(seen.join('')).not.toContain(not);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(pid, signal);
  const closed = pam.close();
  expect(await pam.authenticate(ada)).toEqual(busy);
  await release();
  await closed;
  expect(await Promise.all(before)).toEqual([accepted, accepted]);
  expect(pamProcesses()).toEqual([]);
});

test('throws when the process cannot be started, and its `error` event ends nothing; else 64 sign-ins may wait, each for 10 s', async () => {
  const { execPath } = process;
  onTestFinished(() => void (process.execPath = execPath));
  process.execPath = '/missing/node';
  const clock = { after: () => () => undefined };
  const start = () => new PamProcess({ path: '', args: [], environment: {}, timeoutMs: 1, clock });
  expect(start).toThrow('could not be started');
  await new Promise((resolve) => setImmediate(resolve));
  process.execPath = '/bin/true';
  const still = fakeClock();
  const pam = authenticator({ concurrency: 1, clock: still, ...Object({ timeoutMs: undefined }) });
  const all = Array.from({ length: 66 }, () => pam.authenticate(ada));
  expect(still.waits).toEqual(all.slice(1).map(() => 10_000));
  expect(await all.at(-1)).toEqual(busy);
  expect(await all[0]).toEqual({ ...died, detail: 'exit 0' });
  still.advance(10_000);
  await Promise.all(all);
});

class TestProcess implements SlotProcess {
  hasEnded = false;
  /** The name of the sign-in in progress. */
  current: string | undefined;
  #resolve: (outcome: PamOutcome | Unread) => void = () => undefined;

  ask({ username }: { username: string }) {
    if (this.current !== undefined) throw new Error('a process has one sign-in at a time');
    this.current = username;
    return new Promise<PamOutcome | Unread>((resolve) => void (this.#resolve = resolve));
  }
  answer(outcome: PamOutcome | Unread) {
    this.hasEnded = outcome.kind === 'unavailable' || outcome.kind === 'unread';
    this.current = undefined;
    this.#resolve(outcome);
    return settled();
  }
  async end() {
    this.hasEnded = true;
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

const TIMEOUT_MS = 3_600_000;

function scene(concurrency: number, waiting = 64) {
  const processes: TestProcess[] = [];
  const outcomes = new Map<string, PamOutcome>();
  const machine = { isFull: false, startMs: 0 };
  const clock = fakeClock();
  const { authenticate } = createSlotAuthenticator({
    concurrency,
    waiting,
    timeoutMs: TIMEOUT_MS,
    start() {
      if (machine.isFull) throw new Error('no more processes');
      clock.advance(machine.startMs);
      const process = new TestProcess();
      processes.push(process);
      return process;
    },
    delay: createRefusalDelay({ clock }),
    clock,
  });
  const add = (username: string) =>
    void authenticate({ username, password: 'p' }).then((outcome) => outcomes.set(username, outcome));
  const [first, second] = [() => processes[0]!, () => processes[1]!];
  return { add, clock, processes, outcomes, first, second, machine };
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

test('contract §8 401: begins the next sign-in, and answers a refusal, after the delay of the refusal, which is as long as the slowest sign-in took without the start of its process', async () => {
  const { add, clock, first, outcomes, machine } = scene(1);
  machine.startMs = 400;
  for (const name of ['a', 'b', 'c']) add(name);
  await first().answer(accepted);
  clock.advance(130);
  await first().answer(accepted);
  clock.advance(60);
  await first().answer(refused);
  // The slot was taken after 530 ms.
  expect(clock.waits).toEqual([700 - 590]);
  expect([...outcomes.keys()]).toEqual(['a', 'b']);
  add('d');
  clock.advance(700 - 590);
  await settled();
  expect([outcomes.get('c'), first().current]).toEqual([refused, 'd']);
});

test('loses only the sign-in that PAM had when its process ended; asks one other process for one that PAM had not; keeps its slot when no process can be started', async () => {
  const { add, first, second, outcomes, processes, machine } = scene(1);
  const unread = { kind: 'unread', detail: 'exit 1' } as const;
  add('a');
  add('b');
  await first().answer(died);
  expect([outcomes.get('a'), second().current]).toEqual([died, 'b']);
  await second().answer(unread);
  expect(processes[2]?.current).toBe('b');
  await processes[2]?.answer(unread);
  expect([outcomes.get('b'), processes.length]).toEqual([{ ...died, detail: 'exit 1' }, 3]);
  machine.isFull = true;
  for (const name of ['c', 'd']) add(name);
  await settled();
  const notStarted = { ...died, detail: 'no more processes' };
  expect([outcomes.get('c'), outcomes.get('d')]).toEqual([notStarted, notStarted]);
  machine.isFull = false;
  add('e');
  await processes[3]?.answer(accepted);
  expect(outcomes.get('e')).toEqual(accepted);
});

test('answers busy to a sign-in when its wait ends, and when too many wait', async () => {
  const { add, clock, first, second, outcomes } = scene(1, 2);
  for (const name of ['a', 'b']) add(name);
  clock.advance(1);
  for (const name of ['c', 'd']) add(name);
  await settled();
  expect([...outcomes]).toEqual([['d', busy]]);
  clock.advance(TIMEOUT_MS - 1);
  await settled();
  expect(outcomes.get('b')).toEqual(busy);
  await first().answer(accepted);
  // The first process is too old by then.
  expect([second().current, clock.waits]).toEqual(['c', []]);
});

test('replaces a process that is older than ten minutes, also while others wait; a sign-in in progress is completed', async () => {
  const { add, clock, first, second, processes, outcomes } = scene(1);
  for (const name of ['a', 'b']) add(name);
  clock.advance(600_001);
  expect(first().hasEnded).toBe(false);
  await first().answer(accepted);
  expect([outcomes.get('a'), first().hasEnded, second().current]).toEqual([accepted, true, 'b']);
  await second().answer(accepted);
  add('c');
  expect([second().current, processes.length]).toEqual(['c', 2]);
});

test.each<[string, readonly number[], readonly number[], readonly number[]]>([
  // Timers take whole milliseconds.
  ['until a multiple of 100 ms', [1070, 0, 0, 0.4, 0], [3, 3, 3, 35, 0], [1100, 1200, 1300, 1400.4, 1500.4]],
  [
    'as long as that of a slow one, at most 600 ms',
    [],
    [130, 3, 3, 210, 0, 9000, 3],
    [200, 400, 600, 900, 1200, 10_300, 10_900],
  ],
  [
    'as long as that of a slow one in the last one to two minutes',
    [0, 59_800, 59_800, 0, 300_000],
    [130, 3, 3, 130, 0],
    [200, 60_200, 120_100, 120_300, 420_400],
  ],
])('keeps the slot of a refusal %s', async (...[, pauses, times, ends]) => {
  const clock = fakeClock();
  const delay = createRefusalDelay({ clock });
  for (const [at, took] of times.entries()) {
    clock.advance(pauses[at] ?? 0);
    const startedAt = clock.monotonic();
    clock.advance(took);
    if (took > 0) delay.add(took);
    const waited = delay.wait(startedAt);
    clock.advance(clock.waits[0] ?? Number.NaN);
    await waited;
    expect(clock.monotonic()).toBeCloseTo(ends[at] ?? Number.NaN);
  }
});
