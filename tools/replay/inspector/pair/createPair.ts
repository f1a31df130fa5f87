import { type Change, isSameJson, valueDiff } from '../../diff/valueDiff.ts';
import { type Store, createStore, errorText, latest } from '../page/session/inspectorStore.ts';
import type { Inspector } from '../page/session/createInspector.ts';
import type { InspectorClient } from '../protocol/client.ts';
import type { AlignBy, Source, Start } from '../protocol/protocol.ts';
import { formatTime } from '../time/formatTime.ts';
import { type Rows, type Side, alignSteps, createRows } from './alignSteps.ts';

/**
 * The search for the first row after which the states differ:
 *
 *   searching ──▶ found
 *   searching ──▶ none
 */
type Divergence =
  | { readonly kind: 'searching' }
  | { readonly kind: 'found'; readonly row: number }
  | { readonly kind: 'none' };

/** The state of the page, besides that of each session. */
export interface PairState {
  /** `undefined` until both sessions are loaded. */
  readonly rows: Rows | undefined;
  readonly row: number;
  readonly divergence: Divergence;
  /** How the states at the row differ; `undefined` while it is not known. */
  readonly changes: readonly Change[] | undefined;
  readonly error: string | undefined;
}

/** Two sessions side by side. */
export interface Pair {
  readonly store: Store<PairState>;
  readonly sides: Readonly<Record<Side, Inspector>>;
  /** Loads both sessions and aligns them; opens at a place of the first one, or where the states first differ. */
  open(sources: Readonly<Record<Side, Source>>, start: Start | undefined): Promise<void>;
  go(row: number): void;
  by(rows: number): void;
  /** Goes to the first row after which the states differ. */
  goToDivergence(): void;
}

const INITIAL: PairState = {
  rows: undefined,
  row: 0,
  divergence: { kind: 'searching' },
  changes: undefined,
  error: undefined,
};

/** Creates a pair. A move in one session moves the other one. */
export function createPair(sides: Readonly<Record<Side, Inspector>>, by: AlignBy): Pair {
  const store = createStore<PairState>(INITIAL);
  const compare = latest<void>(() => compareAt(sides, store, by), showError);
  const go = (row: number) => {
    const { rows } = store.get();
    if (rows === undefined) return;
    const to = Math.max(0, Math.min(row, rows.count - 1));
    store.set({ row: to });
    for (const side of ['a', 'b'] as const) {
      const step = rows.stepAt(side, to);
      if (sides[side].store.get().step !== step) sides[side].navigate.go(step);
    }
    compare();
  };
  const goToDivergence = () => {
    const { divergence } = store.get();
    if (divergence.kind === 'found') go(divergence.row);
  };
  const search = async (rows: Rows, isMoved: () => boolean) => {
    const row = await findDivergence({ a: sides.a.client, b: sides.b.client, rows, by });
    store.set({ divergence: row === undefined ? { kind: 'none' } : { kind: 'found', row } });
    if (row === undefined || isMoved()) compare();
    else go(row);
  };
  return {
    store,
    sides,
    go,
    by: (rows) => go(store.get().row + rows),
    goToDivergence,
    async open(sources, start) {
      await Promise.all([sides.a.open(sources.a, start), sides.b.open(sources.b)]);
      if ([sides.a, sides.b].some((side) => side.store.get().phase.kind !== 'ready')) return;
      const rows = await alignSides(sides, by);
      store.set({ rows });
      follow(sides, store, go);
      go(rows.rowOf('a', sides.a.store.get().step));
      search(rows, () => start !== undefined || store.get().row !== 0).catch(showError);
    },
  };

  function showError(error: unknown): void {
    store.set({ error: errorText(error) });
  }
}

async function alignSides({ a, b }: Pair['sides'], by: AlignBy): Promise<Rows> {
  const [one, other] = [a.client.request('stepKeys', { by }), b.client.request('stepKeys', { by })];
  return createRows(alignSteps(await one, await other));
}

/** Goes to the row of a step that one of the sessions selects by itself, as with its timeline. */
function follow(sides: Pair['sides'], store: Store<PairState>, go: (row: number) => void): void {
  for (const side of ['a', 'b'] as const)
    sides[side].store.subscribe(() => {
      const { rows, row } = store.get();
      const { step } = sides[side].store.get();
      if (rows !== undefined && step !== rows.stepAt(side, row)) go(rows.rowOf(side, step));
    });
}

/** Computes how the states at the row differ, from the changes since the last row before which they are the same. */
async function compareAt({ a, b }: Pair['sides'], store: Store<PairState>, by: AlignBy): Promise<void> {
  const { rows, row, divergence } = store.get();
  if (rows === undefined || divergence.kind === 'searching') return;
  if (divergence.kind === 'none' || row < divergence.row) return store.set({ changes: [] });
  const viewOf = (side: Side) =>
    (side === 'a' ? a : b).client.request('view', {
      step: rows.stepAt(side, row),
      base: rows.stepAt(side, divergence.row - 1),
      messages: 0,
    });
  const [first, second] = await Promise.all([viewOf('a'), viewOf('b')]);
  const times = [first.row?.t, second.row?.t];
  const isLate = by === 'record' && times[0] !== times[1] && rows.stepIn('a', row) !== undefined;
  const late = isLate ? [{ path: 'time of the step', before: shown(times[0]), after: shown(times[1]) }] : [];
  if (store.get().row === row) store.set({ changes: [...late, ...pairChanges(first.diff, second.diff)] });
}

const shown = (t: number | undefined) => (t === undefined ? undefined : formatTime(t));

/** Two sessions whose steps are aligned. */
interface Aligned {
  readonly a: InspectorClient;
  readonly b: InspectorClient;
  readonly rows: Rows;
  readonly by: AlignBy;
}

/** The number of rows that are compared at once. */
const PIECE = 500;

/** Finds the first row after which the states differ. */
async function findDivergence({ a, b, rows, by }: Aligned): Promise<number | undefined> {
  for (let from = 1; from < rows.count; from += PIECE) {
    const to = Math.min(rows.count, from + PIECE);
    const [changesA, changesB] = await Promise.all([
      deltasOf({ client: a, side: 'a' }),
      deltasOf({ client: b, side: 'b' }),
    ]);
    for (let row = from; row < to; row++) if (changesA(row) !== changesB(row)) return row;

    async function deltasOf({ client, side }: { client: InspectorClient; side: 'a' | 'b' }) {
      const first = rows.stepAt(side, from - 1) + 1;
      const range = { from: first, to: rows.stepAt(side, to - 1) + 1, by };
      const deltas = await client.request('deltas', range);
      return (row: number) => {
        const step = rows.stepIn(side, row);
        return step === undefined ? 0 : (deltas[step - first] ?? 0);
      };
    }
  }
  return undefined;
}

/**
 * Returns how two states differ, from the changes that led from the same state to each of them. `before` is the value of the first state,
 * `after` that of the second.
 */
export function pairChanges(first: readonly Change[], second: readonly Change[]): Change[] {
  const others = new Map(second.map((change) => [change.path, change]));
  const changes = first.flatMap((change) => {
    const other = others.get(change.path);
    others.delete(change.path);
    // A place that only one session changed still has its former value in the other.
    return differenceAt(change.path, change.after, other === undefined ? change.before : other.after);
  });
  const rest = [...others.values()].flatMap(({ path, before, after }) => differenceAt(path, before, after));
  return [...changes, ...rest];
}

function differenceAt(path: string, before: unknown, after: unknown): Change[] {
  if (before === after) return [];
  if (before === undefined || after === undefined) return [{ path, before, after }];
  if (isSameJson(before, after)) return [];
  return valueDiff(before, after, path);
}
