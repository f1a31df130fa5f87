import type { Core } from './core.ts';
import type { Navigate } from './navigate.ts';
import { type Search as Entered, shownSteps } from './state.ts';
import { parseSearch } from './parseSearch.ts';

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
 * Plays the session at its recorded times.
 *
 *   still ─play─▶ playing ─pause, last step, break─▶ still
 */
export interface Play {
  toggle(): void;
  pause(): void;
}

/** The next steps and their times, in milliseconds of the session since the start of playing. */
interface Ahead {
  readonly first: number;
  readonly offsets: Float64Array;
}

/** Creates the player. */
export function createPlay(core: Core, navigate: Navigate, frames: Frames): Play {
  const { store, fail } = core;
  let handle: number | undefined;
  const pause = () => {
    if (handle !== undefined) frames.cancel(handle);
    handle = undefined;
    store.set({ playing: false });
  };

  const start = async () => {
    const firstStep = await findFirstStep(core);
    const [stop, first] = await Promise.all([findStop(core, firstStep), fetchAhead(core, firstStep, 0)]);
    if (!store.get().playing) return;
    run(runOf({ core, navigate, firstStep, stop, ahead: first }));
  };
  const run = (advance: (now: number) => boolean) => {
    handle = frames.request((now) => {
      if (advance(now)) run(advance);
      else pause();
    });
  };
  return {
    pause,
    toggle: () => {
      if (store.get().playing) return pause();
      store.set({ playing: true });
      start().catch((error: unknown) => {
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
  readonly stop: Stop;
  ahead: Ahead;
}

interface Stop {
  readonly step: number;
  /** The reason for the stop; `undefined` at the end of the session. */
  readonly text?: string;
}

/** Returns a function for each animation frame: it advances by the elapsed time and returns whether playing continues. */
function runOf(play: Run): (now: number) => boolean {
  const { core, navigate, stop } = play;
  let before: number | undefined;
  let played = 0;
  let at = play.firstStep;
  let isFetching = false;

  const fetchMore = async (first: number, offset: number) => {
    isFetching = true;
    play.ahead = await fetchAhead(core, first, offset);
    isFetching = false;
  };

  return (now) => {
    played += (now - (before ?? now)) * core.store.get().speed;
    before = now;
    const { first, offsets } = play.ahead;
    while (at < stop.step && (offsets[at + 1 - first] ?? Infinity) <= played) at++;
    if (at !== core.store.get().step) navigate.go(at);
    if (at >= stop.step) {
      if (stop.text !== undefined) core.notify(stop.text);
      return false;
    }
    if (at + 1 - first >= offsets.length && !isFetching)
      fetchMore(at, offsets.at(-1) ?? played).catch(core.fail);
    return true;
  };
}

/** Returns the first step to play: the selected one, or 0 at the end of the session. */
async function findFirstStep({ store }: Core): Promise<number> {
  const { step } = store.get();
  return step >= shownSteps(store.get()) ? 0 : step;
}

/** Returns the step at which playing stops: the match of the break, or the last step. */
async function findStop({ client, store }: Core, from: number): Promise<Stop> {
  const { branch, breaks, search } = store.get();
  const end = { step: shownSteps(store.get()) };
  if (!breaks || search.text === '') return end;
  const target = parseSearch(search);
  const step = await client.request('find', { branch, from, direction: 'forward', target });
  return step === undefined ? end : { step, text: `Stopped at step ${step}: ${describeMatch(search)}.` };
}

const describeMatch = ({ kind, text }: Entered) => (kind === 'change' ? `${text} changed` : `${text} is met`);

/** Fetches the times of the steps from `first` on; `first` is at `offset`. Shortens pauses when "Cut pauses" is on. */
async function fetchAhead({ client, store }: Core, first: number, offset: number): Promise<Ahead> {
  const { branch, capsIdle } = store.get();
  const times = await client.request('times', { branch, step: first, count: STEPS_PER_FETCH });
  const offsets = new Float64Array(times.length);
  let sum = offset;
  for (let i = 0; i < times.length; i++) {
    const gap = i === 0 ? 0 : (times[i] ?? 0) - (times[i - 1] ?? 0);
    sum += capsIdle ? Math.min(IDLE_CAP, gap) : gap;
    offsets[i] = sum;
  }
  return { first, offsets };
}
