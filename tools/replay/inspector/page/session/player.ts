import { type Direction, type InspectorState, shownSteps } from './inspectorState.ts';
import type { Core } from './inspectorStore.ts';
import type { Navigate } from './navigate.ts';
import { findBreakpoint } from './stepSearch.ts';

/** The maximum pause with "Cut pauses", in milliseconds of the session. */
const IDLE_CAP = 500;
/** The number of steps whose times are fetched at once. */
const STEPS_PER_FETCH = 2000;

/**
 * Creates the player, which plays the session at its recorded times, forward or backward.
 *
 *   paused ─play─▶ playing ─pause, a move by the person, first or last step, breakpoint─▶ paused
 */
export function createPlayer(
  core: Core,
  navigate: Pick<Navigate, 'show'>,
  requestFrame: (callback: (now: number) => void) => void,
) {
  const { store, fail } = core;
  const pause = () => store.set({ playing: undefined });
  let newest = 0;
  const start = async (direction: Direction) => {
    const run = ++newest;
    const isPlaying = () => run === newest && store.get().playing === direction;
    const first = findFirstStep(store.get(), direction);
    const [stop, ahead] = await Promise.all([
      findBreakpoint(core, first, direction),
      fetchAhead(core, { first, offset: 0, direction }),
    ]);
    const end = stop?.step ?? (direction === 'forward' ? shownSteps(store.get()) : 0);
    const stepAt = createClock(core, { first, direction, end }, ahead);
    const advance = (now: number) => {
      if (!isPlaying()) return;
      const step = stepAt(now);
      if (step !== store.get().step) navigate.show(step);
      if (step !== end) return requestFrame(advance);
      if (stop !== undefined) core.notify(stop.text);
      pause();
    };
    if (isPlaying()) requestFrame(advance);
  };
  return {
    pause,
    /** Plays in a direction, or pauses when it plays. */
    toggle: (direction: Direction) => {
      if (store.get().playing !== undefined) return pause();
      store.set({ playing: direction });
      start(direction).catch((error: unknown) => {
        pause();
        fail(error);
      });
    },
  };
}

/** Returns the first step to play: the selected one, or the other end of the session when there is nothing left to play. */
function findFirstStep(state: InspectorState, direction: Direction): number {
  const steps = shownSteps(state);
  if (direction === 'forward') return state.step >= steps ? 0 : state.step;
  return state.step === 0 ? steps : state.step;
}

interface Run {
  readonly first: number;
  readonly direction: Direction;
  readonly end: number;
}

/** Returns a function that returns the step to show at the time of an animation frame. It fetches the times of the steps ahead. */
function createClock(core: Core, { first: start, direction, end }: Run, fetched: Ahead) {
  const by = direction === 'forward' ? 1 : -1;
  let ahead = fetched;
  let before: number | undefined;
  let played = 0;
  let at = start;
  let isFetching = false;
  const fetchMore = async (first: number, offset: number) => {
    isFetching = true;
    ahead = await fetchAhead(core, { first, offset, direction });
    isFetching = false;
  };
  return (now: number): number => {
    played += (now - (before ?? now)) * core.store.get().speed;
    before = now;
    const { first, offsets } = ahead;
    while (at !== end && (offsets[(at - first) * by + 1] ?? Infinity) <= played) at += by;
    if ((at - first) * by + 1 >= offsets.length && !isFetching && at !== end)
      fetchMore(at, offsets.at(-1) ?? played).catch(core.fail);
    return at;
  };
}

/** The next steps in the direction of playing, and their times, in milliseconds of the session since the start of playing. */
interface Ahead {
  readonly first: number;
  readonly offsets: Float64Array;
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
  let sum = offset;
  const offsets = times.map((t, i) => {
    const gap = Math.abs(t - (times[i - 1] ?? t));
    return (sum += capsIdle ? Math.min(IDLE_CAP, gap) : gap);
  });
  return { first, offsets };
}
