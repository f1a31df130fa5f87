import { type Change, isSameJson, valueDiff } from '../../diff/valueDiff.ts';
import { type Store, createStore, errorText, latest } from '../page/session/inspectorStore.ts';
import type { Inspector } from '../page/session/createInspector.ts';
import type { AlignBy, Source, Start, StepRow } from '../protocol/protocol.ts';
import { formatTime } from '../time/formatTime.ts';
import { type Rows, type Side, alignSteps, createRows } from './alignSteps.ts';

/** The state of the page, besides that of each session. */
export interface PairState {
  /** `undefined` until both sessions are loaded. */
  readonly rows: Rows | undefined;
  readonly row: number;
  /** The search for the first row after which the states differ; `row` is that row. */
  readonly divergence:
    | { readonly kind: 'searching' }
    | { readonly kind: 'none' }
    | { readonly kind: 'found'; readonly row: number };
  /** How the states at the row differ; `undefined` while it is not known. */
  readonly changes: readonly Change[] | undefined;
  readonly error: string | undefined;
}

type Sides = Readonly<Record<Side, Inspector>>;

const SIDES: readonly Side[] = ['a', 'b'];

const fromBoth = <T>(get: (side: Side) => Promise<T>) => Promise.all([get('a'), get('b')]);

/** Two sessions side by side. */
export type Pair = ReturnType<typeof createPair>;

/** Creates a pair. A move in one session moves the other one. */
export function createPair(sides: Sides, by: AlignBy) {
  const store = createStore<PairState>({
    rows: undefined,
    row: 0,
    divergence: { kind: 'searching' },
    changes: undefined,
    error: undefined,
  });
  const showError = (error: unknown) => store.set({ error: errorText(error) });
  const compare = latest<void>(() => compareAt(sides, store, by), showError);
  const go = (row: number) => {
    const { rows } = store.get();
    if (rows === undefined) return;
    const to = Math.max(0, Math.min(row, rows.count - 1));
    store.set({ row: to });
    for (const side of SIDES) {
      const step = rows.stepAt(side, to);
      if (sides[side].store.get().step !== step) sides[side].navigate.go(step);
    }
    compare();
  };
  /** Goes to the row of a step that one of the sessions selects by itself, as with its timeline. */
  const follow = (side: Side) => () => {
    const { rows, row } = store.get();
    const { step } = sides[side].store.get();
    if (rows !== undefined && step !== rows.stepAt(side, row)) go(rows.rowOf(side, step));
  };
  const search = async (rows: Rows, isMoved: () => boolean) => {
    const row = await findDivergence(sides, rows, by);
    store.set({ divergence: row === undefined ? { kind: 'none' } : { kind: 'found', row } });
    if (row === undefined || isMoved()) compare();
    else go(row);
  };
  return {
    store,
    sides,
    go,
    by: (rows: number) => go(store.get().row + rows),
    /** Goes to the first row after which the states differ. */
    goToDivergence() {
      const { divergence } = store.get();
      if (divergence.kind === 'found') go(divergence.row);
    },
    /** Loads both sessions and aligns them; opens at a place of the first one, or where the states first differ. */
    async open(sources: Readonly<Record<Side, Source>>, start: Start | undefined) {
      await Promise.all([sides.a.open(sources.a, start), sides.b.open(sources.b)]);
      if (SIDES.some((side) => sides[side].store.get().phase.kind !== 'ready')) return;
      const [a, b] = await fromBoth((side) => sides[side].client.request('stepKeys', { by }));
      const rows = createRows(alignSteps(a, b));
      store.set({ rows });
      for (const side of SIDES) sides[side].store.subscribe(follow(side));
      go(rows.rowOf('a', sides.a.store.get().step));
      search(rows, () => start !== undefined || store.get().row !== 0).catch(showError);
    },
  };
}

/** Computes how the states at the row differ, from the changes since the last row before which they are the same. */
async function compareAt(sides: Sides, store: Store<PairState>, by: AlignBy): Promise<void> {
  const { rows, row, divergence } = store.get();
  if (rows === undefined || divergence.kind === 'searching') return;
  if (divergence.kind === 'none' || row < divergence.row) return store.set({ changes: [] });
  const [a, b] = await fromBoth((side) => {
    const [step, base] = [rows.stepAt(side, row), rows.stepAt(side, divergence.row - 1)];
    return sides[side].client.request('view', { step, base, messages: 0 });
  });
  const isLate = by === 'record' && a.row?.t !== b.row?.t && rows.stepIn('a', row) !== undefined;
  const late = { path: 'time of the step', before: shownTime(a.row), after: shownTime(b.row) };
  if (store.get().row === row)
    store.set({ changes: [...(isLate ? [late] : []), ...pairChanges(a.diff, b.diff)] });
}

const shownTime = (row: StepRow | undefined) => row && formatTime(row.t);

/** The number of rows that are compared at once. */
const PIECE = 500;

/** Finds the first row after which the states differ. */
async function findDivergence(sides: Sides, rows: Rows, by: AlignBy): Promise<number | undefined> {
  for (let from = 1; from < rows.count; from += PIECE) {
    const to = Math.min(rows.count, from + PIECE);
    const [changesA, changesB] = await fromBoth(async (side) => {
      const first = rows.stepAt(side, from - 1) + 1;
      const range = { from: first, to: rows.stepAt(side, to - 1) + 1, by };
      const deltas = await sides[side].client.request('deltas', range);
      return (row: number) => {
        const step = rows.stepIn(side, row);
        return step === undefined ? 0 : (deltas[step - first] ?? 0);
      };
    });
    for (let row = from; row < to; row++) if (changesA(row) !== changesB(row)) return row;
  }
  return undefined;
}

/**
 * Returns how two states differ, from the changes that led from the same state to each of them. `before` is the value of the first state,
 * `after` that of the second.
 */
export function pairChanges(first: readonly Change[], second: readonly Change[]): Change[] {
  const [mine, others] = [first, second].map((list) => new Map(list.map((change) => [change.path, change])));
  return [...new Set([...first, ...second].map(({ path }) => path))].flatMap((path) => {
    const [one, other] = [mine?.get(path), others?.get(path)];
    // A place that only one session changed still has its former value in the other.
    const before = one === undefined ? other?.before : one.after;
    const after = other === undefined ? one?.before : other.after;
    if (before === after) return [];
    if (before === undefined || after === undefined) return [{ path, before, after }];
    return isSameJson(before, after) ? [] : valueDiff(before, after, path);
  });
}
