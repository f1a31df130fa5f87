import type { Core } from './core.ts';
import type { Navigate } from './navigate.ts';
import { type Stop, findBreakpoint } from './breakpoints.ts';
import { type Direction, shownSteps } from './state.ts';

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
