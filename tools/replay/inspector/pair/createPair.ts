import type { Change } from '../../diff/valueDiff.ts';
import { formatTime } from '../time/formatTime.ts';
import { type Store, createStore } from '../page/session/createStore.ts';
import type { Inspector } from '../page/session/createInspector.ts';
import { errorText } from '../page/session/core.ts';
import { latest } from '../page/session/latest.ts';
import type { AlignBy, Source, Start } from '../protocol/protocol.ts';
import { alignSteps } from './alignSteps.ts';
import { findDivergence } from './findDivergence.ts';
import { pairChanges } from './pairChanges.ts';
import { type Rows, type Side, createRows } from './rows.ts';

/**
 * The search for the first row after which the states differ:
 *
 *   searching ──▶ found
 *   searching ──▶ none
 */
export type Divergence =
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
