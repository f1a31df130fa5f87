import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { InspectorClient } from '../../protocol/workerClient.ts';
import type { Branch, TreeNode } from '../../protocol/protocol.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { latest } from '../session/inspectorStore.ts';

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
  const toggle = ({ node: { path }, expanded, hidden }: StateRow) => {
    if (hidden !== undefined)
      setParts((before) => new Map(before).set(path, longerPart(before.get(path), hidden.isBefore)));
    else if (expanded === true) setUnfolded((before) => new Set([...before].filter((one) => one !== path)));
    else if (expanded === false) setUnfolded((before) => new Set([...before, path]));
  };
  /** Unfolds the places above a path. */
  const reveal = (path: string) => {
    const above = ancestorPaths(path);
    setUnfolded((before) => new Set([...before, ...above.map((one) => one.path)]));
    setParts((before) => {
      const after = new Map(before);
      for (const { path: list, index } of above) {
        const { from, to } = after.get(list) ?? FIRST;
        if (index !== undefined && (index < from || index >= to)) after.set(list, partAround(index));
      }
      return after;
    });
  };
  return { rows, toggle, reveal };
}

/** The shown entries of a list: `from` included, `to` excluded. */
interface ListPart {
  readonly from: number;
  readonly to: number;
}

/** The number of entries of a list that are shown at first, and that each request adds. */
const ENTRIES = 100;

const FIRST: ListPart = { from: 0, to: ENTRIES };

function partAround(index: number): ListPart {
  const from = index - (index % ENTRIES);
  return { from, to: from + ENTRIES };
}

const longerPart = ({ from, to } = FIRST, isBefore: boolean): ListPart =>
  isBefore ? { from: Math.max(0, from - ENTRIES), to } : { from, to: to + ENTRIES };

/** Returns what identifies a row at every step. */
export const keyOf = ({ node: { path }, hidden }: StateRow) =>
  hidden === undefined ? path : `${path}/${hidden.isBefore ? 'before' : 'more'}`;

/** A row of the tree. */
export interface StateRow {
  readonly node: TreeNode;
  readonly level: number;
  /** Its position among its siblings, from 1. */
  readonly place: number;
  readonly siblings: number;
  /** `undefined` for a leaf. */
  readonly expanded?: boolean;
  /** Set when the row stands for entries that are not shown yet: those before the first shown one, or after the last one. */
  readonly hidden?: { readonly count: number; readonly isBefore: boolean };
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

/** Returns every row to show, from the top. */
async function stateRows(tree: StateTree): Promise<StateRow[]> {
  const { client, branch, step } = tree;
  const fields = await client.request('children', { branch, step, path: '', ...FIRST });
  return rowsOf(tree, fields, { level: 1, first: 1, siblings: fields.length });
}

interface Siblings {
  readonly level: number;
  /** The position of the first of them among its siblings. */
  readonly first: number;
  readonly siblings: number;
}

/** Returns the rows of consecutive entries and the expanded rows below them. */
async function rowsOf(tree: StateTree, nodes: readonly TreeNode[], { level, first, siblings }: Siblings) {
  const nested = nodes.map(async (node, i): Promise<StateRow[]> => {
    const row = { node, level, place: first + i, siblings };
    if (node.size === 0) return [row];
    if (!tree.unfolded.has(node.path)) return [{ ...row, expanded: false }];
    return [{ ...row, expanded: true }, ...(await rowsUnder(tree, node, level + 1))];
  });
  return (await Promise.all(nested)).flat();
}

async function rowsUnder(tree: StateTree, node: TreeNode, level: number): Promise<StateRow[]> {
  const { client, branch, step, parts } = tree;
  const { path, size: siblings } = node;
  const wanted = parts.get(path) ?? FIRST;
  const part = { from: wanted.from < siblings ? wanted.from : 0, to: Math.min(siblings, wanted.to) };
  const children = await client.request('children', { branch, step, path, ...part });
  const shown = await rowsOf(tree, children, { level, first: part.from + 1, siblings });
  const hidden = (count: number, isBefore: boolean): StateRow[] =>
    count > 0
      ? [{ node, level, siblings, place: isBefore ? count : siblings, hidden: { count, isBefore } }]
      : [];
  return [...hidden(part.from, true), ...shown, ...hidden(siblings - part.to, false)];
}

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

/** Moves the active row by the keyboard. `at`: its index. */
export function useTreeKeys(rows: readonly StateRow[], toggle: (row: StateRow) => void) {
  const [active, setActive] = useState('');
  const tree = useRef<HTMLDivElement>(null);
  const found = rows.findIndex((row) => keyOf(row) === active);
  const at = Math.max(0, found);
  useEffect(() => {
    if (found >= 0) tree.current?.querySelector('[data-active="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [found]);
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at];
    if (row === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const to = keyTarget(event.key, rows, at);
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (to === 'toggle') toggle(row);
    const next = to === 'toggle' ? row : rows[Math.min(rows.length - 1, Math.max(0, to))];
    if (next !== undefined) setActive(keyOf(next));
  };
  return { at, select: setActive, tree, onKeyDown };
}

/** Returns the index of the row to which a key moves, or whether it toggles the row; `undefined` for a key without a function here. */
function keyTarget(key: string, rows: readonly StateRow[], at: number): number | 'toggle' | undefined {
  const { level = 1, expanded } = rows[at] ?? {};
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
      if (expanded === true) return at + 1;
      return expanded === false ? 'toggle' : at;
    case 'ArrowLeft': {
      if (expanded === true) return 'toggle';
      const parent = rows.slice(0, at).findLastIndex((row) => row.level < level);
      return parent < 0 ? at : parent;
    }
    case 'Enter':
    case ' ':
      return 'toggle';
    default:
      return undefined;
  }
}
