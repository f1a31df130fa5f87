import { type Direction, shownSteps } from './inspectorState.ts';
import type { Core } from './inspectorStore.ts';
import type { Navigate } from './navigate.ts';
import { findBreakpoint } from './stepSearch.ts';

/** The maximum pause with "Cut pauses", in milliseconds of the session. */
const IDLE_CAP = 500;

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
  const { client, store, fail, notify } = core;
  const pause = () => store.set({ playing: undefined });
  let newest = 0;
  const start = async (direction: Direction) => {
    const run = ++newest;
    const isPlaying = () => run === newest && store.get().playing === direction;
    const steps = shownSteps(store.get());
    const [first, last] = direction === 'forward' ? [0, steps] : [steps, 0];
    const { branch, step } = store.get();
    // When there is nothing left to play, the session is played from its other end.
    const from = step === last ? first : step;
    const [stop, times] = await Promise.all([
      findBreakpoint(core, from, direction),
      client.request('times', { branch, step: 0, count: steps + 1 }),
    ]);
    const end = stop?.step ?? last;
    const stepAt = createClock(core, times, { from, end });
    const advance = (now: number) => {
      if (!isPlaying()) return;
      const at = stepAt(now);
      if (at !== store.get().step) navigate.show(at);
      if (at !== end) return requestFrame(advance);
      if (stop !== undefined) notify(stop.text);
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

/** Returns a function that returns the step to show at the time of an animation frame, of the steps with these times. */
function createClock({ store }: Core, times: Float64Array, { from, end }: { from: number; end: number }) {
  const by = from < end ? 1 : -1;
  let at = from;
  let before: number | undefined;
  /** The played time since the step `at`, in milliseconds of the session. */
  let played = 0;
  return (now: number): number => {
    const { speed, capsIdle } = store.get();
    played += (now - (before ?? now)) * speed;
    before = now;
    while (at !== end) {
      const gap = Math.abs((times[at + by] ?? Infinity) - (times[at] ?? 0));
      const wait = capsIdle ? Math.min(IDLE_CAP, gap) : gap;
      if (wait > played) break;
      played -= wait;
      at += by;
    }
    return at;
  };
}
