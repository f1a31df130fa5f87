import type { Core } from './core.ts';
import { latest } from './latest.ts';
import type { Navigate } from './navigate.ts';
import type { List } from './list.ts';
import { type Range, shownInfo } from './state.ts';

/** What the timeline shows of the session, and the range that was dragged on it. */
export interface TimelineControl {
  /** As many columns as there is room for. */
  setColumns(columns: number): void;
  /** Shows another stretch of time; nothing: the whole session. */
  zoom(range?: Range): void;
  /** Makes the shown stretch so many times as long, about a time. */
  scale(factor: number, about: number): void;
  /** Shows a second around a step's time. */
  zoomTo(t: number): void;
  /** Narrows every pane to a stretch of time; nothing: to none. */
  select(range: Range | undefined): Promise<void>;
  refresh(): void;
}

/** Not less than so many milliseconds are shown. */
const SHORTEST = 10;
/** What a zoom on a step shows, milliseconds. */
const AROUND_A_STEP = 1000;
/** Just before a time: what happens at it is then not yet there. */
const A_MOMENT = 1e-6;

export function createTimeline(core: Core, navigate: Navigate, list: List): TimelineControl {
  const { client, store, fail } = core;
  let columns = 0;
  const refresh = latest<void>(async () => {
    const { branch, zoom } = store.get();
    if (columns === 0) return;
    store.set({ timeline: await client.ask('timeline', { branch, ...zoom, columns }) });
  }, fail);
  const duration = () => Math.max(1, shownInfo(store.get())?.duration ?? 0);
  const zoom = (range: Range = { from: 0, to: duration() }) => {
    store.set({ zoom: within(range, duration()) });
    refresh();
  };
  return {
    setColumns: (count) => {
      columns = count;
      refresh();
    },
    zoom,
    scale: (factor, about) => {
      const { from, to } = store.get().zoom;
      zoom({ from: about - (about - from) * factor, to: about + (to - about) * factor });
    },
    zoomTo: (t) => zoom({ from: t - AROUND_A_STEP / 2, to: t + AROUND_A_STEP / 2 }),
    select: (range) => selectRange(core, { navigate, list, range }),
    refresh: () => refresh(),
  };
}

/** A stretch of at least {@link SHORTEST}, moved or cut so that it lies in the session. */
export function within({ from, to }: Range, duration: number): Range {
  const length = Math.min(duration, Math.max(SHORTEST, to - from));
  const middle = (from + to) / 2;
  const start = Math.min(duration - length, Math.max(0, middle - length / 2));
  return { from: start, to: start + length };
}

interface Selection {
  readonly navigate: Navigate;
  readonly list: List;
  readonly range: Range | undefined;
}

/** The panes then tell of the range: its steps, and what the conversation became between its beginning and the step. */
async function selectRange({ client, store }: Core, { navigate, list, range }: Selection): Promise<void> {
  const { branch, compare } = store.get();
  if (range === undefined) {
    store.set({ range, compare: compare === 'range' ? 'previous' : compare });
    navigate.refresh();
  } else {
    const [base, last] = await Promise.all([
      client.ask('stepAt', { branch, t: range.from - A_MOMENT }),
      client.ask('stepAt', { branch, t: range.to }),
    ]);
    store.set({ range: { ...range, base }, compare: 'range' });
    navigate.go(last);
  }
  list.refresh();
}
