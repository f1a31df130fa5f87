import type { EditGroup } from '../../protocol/protocol.ts';
import { type Core, latest } from './inspectorStore.ts';
import { type InspectorState, type Range, activeFilter, shownInfo } from './inspectorState.ts';
import type { Navigate } from './navigate.ts';

/** The minimum range, in milliseconds. */
const MIN_RANGE_MS = 10;
/** The range that a zoom to a step shows, in milliseconds. */
const STEP_ZOOM_MS = 1000;
/** Subtracted from a time to exclude the steps at that time, in milliseconds. */
const EPSILON_MS = 1e-6;

/** Creates the control of the range that the timeline shows and the range that was dragged on it. */
export function createTimeline({ client, store, fail }: Core, navigate: Navigate, list: List) {
  let columns = 0;
  const refresh = latest<void>(async () => {
    const { branch, zoom } = store.get();
    if (columns === 0) return;
    store.set({ timeline: await client.request('timeline', { branch, ...zoom, columns }) });
  }, fail);
  const duration = () => Math.max(1, shownInfo(store.get())?.duration ?? 0);
  /** Shows a range of time; omitted: the whole session. */
  const zoom = (range: Range = { from: 0, to: duration() }) => {
    store.set({ zoom: clampRange(range, duration()) });
    refresh();
  };
  const select = async (range: Range) => {
    const { branch } = store.get();
    const [base, last] = await Promise.all([
      client.request('stepAt', { branch, t: range.from - EPSILON_MS }),
      client.request('stepAt', { branch, t: range.to }),
    ]);
    store.set({ range: { ...range, base, last }, compare: 'range' });
    navigate.go(last);
    list.refresh();
  };
  return {
    /** Sets the number of columns that fit. */
    setColumns: (count: number) => {
      columns = count;
      refresh();
    },
    zoom,
    /** Multiplies the length of the shown range by a factor; the time `about`, that of the step by default, keeps its position. */
    scale: (factor: number, about = store.get().view?.row?.t ?? store.get().zoom.from) => {
      const { from, to } = store.get().zoom;
      zoom({ from: about - (about - from) * factor, to: about + (to - about) * factor });
    },
    /** Shows one second around a time, that of the step by default. */
    zoomTo: (t = store.get().view?.row?.t ?? 0) =>
      zoom({ from: t - STEP_ZOOM_MS / 2, to: t + STEP_ZOOM_MS / 2 }),
    /** Limits every pane to a range of time: its steps, and the changes between its start and the selected step. */
    select: (range: Range) => void select(range).catch(fail),
    clearRange: () => {
      const { range, compare } = store.get();
      if (range === undefined) return;
      store.set({ range: undefined });
      navigate.compare(compare === 'range' ? 'previous' : compare);
      list.refresh();
    },
  };
}

/** Returns a range of at least {@link MIN_RANGE_MS}, moved or cut so that it is within the session. */
export function clampRange({ from, to }: Range, duration: number): Range {
  const length = Math.min(duration, Math.max(MIN_RANGE_MS, to - from));
  const middle = (from + to) / 2;
  const start = Math.min(duration - length, Math.max(0, middle - length / 2));
  return { from: start, to: start + length };
}

type List = ReturnType<typeof createList>;

/** Creates the filtered list of steps. `foldsEdits`: consecutive edits of one field are one row. */
export function createList({ client, store, fail }: Core, foldsEdits: boolean) {
  const refresh = latest<void>(async () => {
    const { branch, openEdits } = store.get();
    const filter = { ...activeFilter(store.get()), ...(foldsEdits && { openEdits }) };
    const { count, steps } = await client.request('filter', { branch, filter });
    // Read after the request, because the selected step can change meanwhile, as when the page opens at a step.
    const index = await indexOfStep();
    store.set({ list: { count, steps, index, version: store.get().list.version + 1 } });
  }, fail);
  const indexOfStep = () => client.request('rowOf', { step: store.get().step });
  const rowAt = async (index: number) => (await client.request('rows', { from: index, to: index + 1 })).at(0);
  return {
    /** Filters again, after a change of the session, the branch or the range. */
    refresh: () => refresh(),
    filter: (part: Partial<InspectorState['filter']>) => {
      store.set({ filter: { ...store.get().filter, ...part } });
      refresh();
    },
    /** Returns the step of the entry at an offset from the selected one; `undefined` when the list is empty. */
    stepAfter: async (entries: number) => {
      const last = store.get().list.count - 1;
      return (await rowAt(Math.min(last, Math.max(0, (await indexOfStep()) + entries))))?.step;
    },
    /** Shows consecutive edits of one field one by one, or as one row again. */
    toggleEdits: ({ first, isOpen }: EditGroup) => {
      const { openEdits } = store.get();
      store.set({ openEdits: isOpen ? openEdits.filter((one) => one !== first) : [...openEdits, first] });
      refresh();
    },
    /** Returns the edits of the selected entry. */
    selectedEdits: async () => (await rowAt(await indexOfStep()))?.edits,
  };
}
