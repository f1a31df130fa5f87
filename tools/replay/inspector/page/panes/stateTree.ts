import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { InspectorClient } from '../../protocol/client.ts';
import type { Branch, TreeNode } from '../../protocol/protocol.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { latest } from '../session/core.ts';

/** Returns the tree of the selected step and the functions that expand it. Expanded entries stay expanded at other steps. */
export function useStateTree() {
  const { client, fail } = useInspector();
  const view = useInspectorState((state) => state.view);
  const [rows, setRows] = useState<readonly StateRow[]>([]);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set(['messages', 'state']));
  const [parts, setParts] = useState<ReadonlyMap<string, ListPart>>(new Map());
  const fetchRows = useMemo(
    () => latest<StateTree>(async (tree) => setRows(await stateRows(tree)), fail),
    [fail],
  );
  useEffect(() => {
    if (view !== undefined) fetchRows({ client, branch: view.branch, step: view.step, unfolded, parts });
  }, [client, view, unfolded, parts, fetchRows]);

  const unfold = (path: string, unfolds: boolean) =>
    setUnfolded((before) => {
      const after = new Set(before);
      if (unfolds) after.add(path);
      else after.delete(path);
      return after;
    });
  const showMore = (path: string, isBefore: boolean) =>
    setParts((before) => new Map(before).set(path, longerPart(before.get(path), isBefore)));
  /** Unfolds the places above a path. */
  const reveal = (path: string) => {
    const above = ancestorPaths(path);
    setUnfolded((before) => new Set([...before, ...above.map((one) => one.path)]));
    setParts((before) => {
      const after = new Map(before);
      for (const { path: list, index } of above) {
        if (index !== undefined && !isIn(after.get(list) ?? FIRST, index)) after.set(list, partAround(index));
      }
      return after;
    });
  };
  return { rows, unfold, showMore, reveal };
}

/** The number of entries of a list that are shown at first, and that each request adds. */
const ENTRIES = 100;

const FIRST: ListPart = { from: 0, to: ENTRIES };

const isIn = ({ from, to }: ListPart, index: number): boolean => index >= from && index < to;

function partAround(index: number): ListPart {
  const from = index - (index % ENTRIES);
  return { from, to: from + ENTRIES };
}

const longerPart = ({ from, to } = FIRST, isBefore = false): ListPart =>
  isBefore ? { from: Math.max(0, from - ENTRIES), to } : { from, to: to + ENTRIES };

/** Returns what identifies a row at every step. */
export const keyOf = ({ node, more, isBefore }: StateRow) =>
  more === undefined ? node.path : `${node.path}/${isBefore === true ? 'before' : 'more'}`;

/** A row of the tree. */
export interface StateRow {
  readonly node: TreeNode;
  readonly level: number;
  /** Its position among its siblings, from 1. */
  readonly place: number;
  readonly siblings: number;
  /** `undefined` for a leaf. */
  readonly expanded: boolean | undefined;
  /** The number of entries that this row represents and that are not shown yet. */
  readonly more?: number;
  /** Whether these are the entries before the first one that is shown. */
  readonly isBefore?: boolean;
}

/** The expanded part of the tree of a step. */
interface StateTree {
  readonly client: InspectorClient;
  readonly branch: Branch;
  readonly step: number;
  readonly unfolded: ReadonlySet<string>;
  /** The shown entries of each place of which these are not the first ones. */
  readonly parts: ReadonlyMap<string, ListPart>;
}

/** The shown entries of a list: `from` included, `to` excluded. */
interface ListPart {
  readonly from: number;
  readonly to: number;
}

interface Parent {
  readonly path: string;
  readonly size: number;
  readonly level: number;
}

/** Returns every row to show, from the top. */
export async function stateRows(tree: StateTree): Promise<StateRow[]> {
  const fields = await childrenOf(tree, '', { from: 0, to: ENTRIES });
  const nested = await Promise.all(
    fields.map((node, i) => rowsOf(tree, { node, level: 1, place: i + 1, siblings: fields.length })),
  );
  return nested.flat();
}

const childrenOf = ({ client, branch, step }: StateTree, path: string, part: ListPart) =>
  client.request('children', { branch, step, path, ...part });

/** Returns the row of an entry and the expanded rows below it. */
async function rowsOf(tree: StateTree, row: Omit<StateRow, 'expanded'>): Promise<StateRow[]> {
  const { path, size } = row.node;
  if (size === 0) return [{ ...row, expanded: undefined }];
  if (!tree.unfolded.has(path)) return [{ ...row, expanded: false }];
  return [{ ...row, expanded: true }, ...(await rowsUnder(tree, { path, size, level: row.level + 1 }))];
}

async function rowsUnder(tree: StateTree, { path, size, level }: Parent): Promise<StateRow[]> {
  const wanted = tree.parts.get(path) ?? { from: 0, to: ENTRIES };
  const part = { from: wanted.from < size ? wanted.from : 0, to: Math.min(size, wanted.to) };
  const children = await childrenOf(tree, path, part);
  const nested = await Promise.all(
    children.map((node, i) => rowsOf(tree, { node, level, place: part.from + i + 1, siblings: size })),
  );
  const more = (count: number, isBefore: boolean) =>
    count > 0 ? [moreRow(path, { level, siblings: size, more: count, isBefore })] : [];
  return [...more(part.from, true), ...nested.flat(), ...more(size - part.to, false)];
}

type More = Required<Pick<StateRow, 'level' | 'siblings' | 'more' | 'isBefore'>>;

const moreRow = (path: string, row: More): StateRow => ({
  ...row,
  node: { path, key: '', type: 'null', size: 0, preview: '' },
  place: row.isBefore ? row.more : row.siblings,
  expanded: undefined,
});

const PART = /\.?[A-Za-z_$][\w$]*|\[\d+\]|\["(?:[^"\\]|\\.)*"\]/g;

/** A place above another one in the state. */
interface Ancestor {
  readonly path: string;
  /** The index of the next place, when this one is a list. */
  readonly index: number | undefined;
}

/** Returns the places above a path of the state, from the top: for `messages[3].id`, `messages` with index 3 and `messages[3]`. */
export function ancestorPaths(path: string): Ancestor[] {
  const parts = path.match(PART) ?? [];
  return parts.slice(0, -1).map((_, i) => {
    const [, index] = /^\[(\d+)\]$/.exec(parts[i + 1] ?? '') ?? [];
    return { path: parts.slice(0, i + 1).join(''), index: index === undefined ? undefined : Number(index) };
  });
}

interface Tree {
  readonly rows: readonly StateRow[];
  readonly unfold: (path: string, unfolds: boolean) => void;
  readonly toggle: (row: StateRow) => void;
}

/** Moves the active row by the keyboard. `at`: its index. */
export function useTreeKeys(shown: Tree) {
  const { rows } = shown;
  const [active, setActive] = useState('');
  const tree = useRef<HTMLDivElement>(null);
  const at = Math.max(
    0,
    rows.findIndex((row) => keyOf(row) === active),
  );
  useEffect(() => {
    if (active !== '' && at >= 0)
      tree.current?.querySelector('[data-active="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active, at]);
  const goTo = (index: number) => {
    const row = rows[Math.min(rows.length - 1, Math.max(0, index))];
    if (row !== undefined) setActive(keyOf(row));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = moveOf(event, { ...shown, at });
    if (move === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    goTo(move);
  };
  return { at, goTo, select: setActive, tree, onKeyDown };
}

interface Keys extends Tree {
  readonly at: number;
}

/** Handles a key of a tree; returns the index to move to, or `undefined` for a key that has no function here. */
function moveOf({ key, altKey, ctrlKey, metaKey }: KeyboardEvent, keys: Keys): number | undefined {
  const { rows, at, unfold, toggle } = keys;
  const row = rows[at];
  if (row === undefined || altKey || ctrlKey || metaKey) return undefined;
  switch (key) {
    case 'ArrowDown':
      return at + 1;
    case 'ArrowUp':
      return at - 1;
    case 'Home':
      return 0;
    case 'End':
      return rows.length - 1;
    case 'ArrowRight':
      if (row.expanded === true) return at + 1;
      if (row.expanded === false) unfold(row.node.path, true);
      return at;
    case 'ArrowLeft':
      if (row.expanded !== true) return parentOf(rows, at);
      unfold(row.node.path, false);
      return at;
    case 'Enter':
    case ' ':
      toggle(row);
      return at;
    default:
      return undefined;
  }
}

function parentOf(rows: readonly StateRow[], at: number): number {
  const level = rows[at]?.level ?? 1;
  for (let i = at - 1; i >= 0; i--) if ((rows[i]?.level ?? 0) < level) return i;
  return at;
}
