import { StoppedError } from '../../protocol/client.ts';
import type { Target } from '../../protocol/protocol.ts';
import type { Core } from './core.ts';
import type { Navigate } from './navigate.ts';
import { parseSearch } from './search.ts';
import { type Breakpoint, type Direction, type InspectorState, type Search, shownSteps } from './state.ts';

/** The maximum pause with "Cut pauses", in milliseconds of the session. */
const IDLE_CAP = 500;
/** The number of steps whose times are fetched at once. */
const STEPS_PER_FETCH = 2000;

/** The browser's animation frames. */
export interface Frames {
  request(callback: (now: number) => void): number;
  cancel(handle: number): void;
}

/**
 * Plays the session at its recorded times, forward or backward.
 *
 *   paused ─play─▶ playing ─pause, first or last step, breakpoint─▶ paused
 */
export interface Play {
  /** Plays in a direction, or pauses when it plays. */
  toggle(direction: Direction): void;
  pause(): void;
}

/** The next steps in the direction of playing, and their times, in milliseconds of the session since the start of playing. */
interface Ahead {
  readonly first: number;
  readonly offsets: Float64Array;
}

/** Where playing ends; `text` is the reason, when it is not an end of the session. */
type End = Pick<Stop, 'step'> & Partial<Stop>;

/** Creates the player. */
export function createPlay(core: Core, navigate: Navigate, frames: Frames): Play {
  const { store, fail } = core;
  let handle: number | undefined;
  const pause = () => {
    if (handle !== undefined) frames.cancel(handle);
    handle = undefined;
    store.set({ playing: undefined });
  };

  const start = async (direction: Direction) => {
    const firstStep = findFirstStep(core, direction);
    const [stop, ahead] = await Promise.all([
      findBreakpoint(core, firstStep, direction),
      fetchAhead(core, { first: firstStep, offset: 0, direction }),
    ]);
    if (store.get().playing !== direction) return;
    const last = direction === 'forward' ? shownSteps(store.get()) : 0;
    run(runOf({ core, navigate, firstStep, direction, stop: stop ?? { step: last }, ahead }));
  };
  const run = (advance: (now: number) => boolean) => {
    handle = frames.request((now) => {
      if (advance(now)) run(advance);
      else pause();
    });
  };
  return {
    pause,
    toggle: (direction) => {
      if (store.get().playing !== undefined) return pause();
      store.set({ playing: direction });
      start(direction).catch((error: unknown) => {
        pause();
        fail(error);
      });
    },
  };
}

interface Run {
  readonly core: Core;
  readonly navigate: Navigate;
  readonly firstStep: number;
  readonly direction: Direction;
  readonly stop: End;
  ahead: Ahead;
}

/** Returns a function for each animation frame: it advances by the elapsed time and returns whether playing continues. */
function runOf(play: Run): (now: number) => boolean {
  const { core, navigate, direction, stop } = play;
  const by = direction === 'forward' ? 1 : -1;
  let before: number | undefined;
  let played = 0;
  let at = play.firstStep;
  let isFetching = false;

  const fetchMore = async (first: number, offset: number) => {
    isFetching = true;
    play.ahead = await fetchAhead(core, { first, offset, direction });
    isFetching = false;
  };

  return (now) => {
    played += (now - (before ?? now)) * core.store.get().speed;
    before = now;
    const { first, offsets } = play.ahead;
    while (at !== stop.step && (offsets[(at - first) * by + 1] ?? Infinity) <= played) at += by;
    if (at !== core.store.get().step) navigate.go(at);
    if (at === stop.step) {
      if (stop.text !== undefined) core.notify(stop.text);
      return false;
    }
    if ((at - first) * by + 1 >= offsets.length && !isFetching)
      fetchMore(at, offsets.at(-1) ?? played).catch(core.fail);
    return true;
  };
}

/** Returns the first step to play: the selected one, or the other end of the session when there is nothing left to play. */
function findFirstStep({ store }: Core, direction: Direction): number {
  const { step } = store.get();
  const steps = shownSteps(store.get());
  if (direction === 'forward') return step >= steps ? 0 : step;
  return step === 0 ? steps : step;
}

interface Wanted {
  readonly first: number;
  /** The time of `first`. */
  readonly offset: number;
  readonly direction: Direction;
}

/** Fetches the times of the steps from `first` on. Shortens pauses when "Cut pauses" is on. */
async function fetchAhead({ client, store }: Core, { first, offset, direction }: Wanted): Promise<Ahead> {
  const { branch, capsIdle } = store.get();
  const isForward = direction === 'forward';
  const step = isForward ? first : Math.max(0, first + 1 - STEPS_PER_FETCH);
  const count = isForward ? STEPS_PER_FETCH : first + 1 - step;
  const times = await client.request('times', { branch, step, count });
  if (!isForward) times.reverse();
  const offsets = new Float64Array(times.length);
  let sum = offset;
  for (let i = 0; i < times.length; i++) {
    const gap = i === 0 ? 0 : Math.abs((times[i] ?? 0) - (times[i - 1] ?? 0));
    sum += capsIdle ? Math.min(IDLE_CAP, gap) : gap;
    offsets[i] = sum;
  }
  return { first, offsets };
}

/** The conditions at which playing, and a move of several steps, stops. */
export interface Breakpoints {
  /** Adds the entered search as a breakpoint, turned on. */
  add(): Promise<void>;
  /** Turns a breakpoint on or off. */
  toggle(breakpoint: Breakpoint): void;
  remove(breakpoint: Breakpoint): void;
  /** Moves by several steps, but not past a breakpoint. */
  by(steps: number): Promise<void>;
}

/** The step of a breakpoint, and the reason for the stop. */
interface Stop {
  readonly step: number;
  readonly text: string;
}

/** Creates the breakpoints. */
export function createBreakpoints(core: Core, navigate: Navigate): Breakpoints {
  const { store, failSearch, fail } = core;
  const replace = (change: (all: readonly Breakpoint[]) => readonly Breakpoint[]) =>
    store.set({ breakpoints: change(store.get().breakpoints) });
  return {
    add: () => add(core).catch(failSearch),
    toggle: (breakpoint) => replace((all) => switched(all, [breakpoint], !breakpoint.isOn)),
    remove: (breakpoint) => replace((all) => all.filter((one) => one !== breakpoint)),
    by: (steps) => moveBy(core, navigate, steps).catch(fail),
  };
}

const isSame = (a: Search, b: Search): boolean => a.kind === b.kind && a.text.trim() === b.text.trim();

async function add({ client, store, notify }: Core): Promise<void> {
  const { branch, search } = store.get();
  const target = parseSearch(search);
  // After the last step there is nothing to search, so this only checks the target.
  const from = shownSteps(store.get());
  await client.request('findBreak', { branch, from, direction: 'forward', targets: [target] });
  const others = store.get().breakpoints.filter((one) => !isSame(one.search, search));
  store.set({ breakpoints: [...others, { search, isOn: true }] });
  notify(`Playing stops where this is met: ${search.text.trim()}.`);
}

async function moveBy(core: Core, navigate: Navigate, steps: number): Promise<void> {
  const { step } = core.store.get();
  const stop = await findBreakpoint(core, step, steps > 0 ? 'forward' : 'backward');
  if (stop === undefined || Math.abs(stop.step - step) > Math.abs(steps)) return navigate.by(steps);
  navigate.go(stop.step);
  core.notify(stop.text);
}

/** Returns the nearest step after (or before) `from` at which a breakpoint stops. */
async function findBreakpoint(
  { client, store }: Core,
  from: number,
  direction: 'forward' | 'backward',
): Promise<Stop | undefined> {
  const { branch } = store.get();
  const active = store.get().breakpoints.filter(({ isOn }) => isOn);
  if (active.length === 0) return undefined;
  const targets: readonly Target[] = active.map(({ search }) => parseSearch(search));
  const found = await client
    .request('findBreak', { branch, from, direction, targets })
    .catch((error: unknown) => {
      throw error instanceof StoppedError ? turnOff(store, active, error) : error;
    });
  const met = found && active[found.target];
  return (
    found && met && { step: found.step, text: `Stopped at step ${found.step}: ${describeMatch(met.search)}.` }
  );
}

/** Turns off the breakpoints of a search that was stopped, which would be stopped again; returns an error that says so. */
function turnOff(store: Core['store'], stopped: readonly Breakpoint[], { message }: StoppedError): Error {
  store.set({ breakpoints: switched(store.get().breakpoints, stopped, false) });
  return new Error(`${message} The breakpoints are turned off.`);
}

const switched = (
  all: readonly Breakpoint[],
  some: readonly Breakpoint[],
  isOn: boolean,
): readonly Breakpoint[] => all.map((one) => (some.includes(one) ? { ...one, isOn } : one));

const describeMatch = ({ kind, text }: InspectorState['search']) =>
  kind === 'change' ? `${text} changed` : `${text} is met`;
