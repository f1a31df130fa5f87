import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { TreeNode } from '../../protocol/protocol.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { useLoaded } from '../session/useLoaded.ts';

/** The number of entries of a list that are shown at first, and that each request adds. */
const ENTRIES = 100;

/** How a place of the tree is shown: of a list, the entries from `from` up to `to` (exclusive). */
type Place = Readonly<{ isOpen: boolean; from: number; to: number }>;

const CLOSED: Place = { isOpen: false, from: 0, to: ENTRIES };
const INITIAL = new Map(['messages', 'state'].map((path) => [path, { ...CLOSED, isOpen: true }]));

/** The whole state, of which all fields are shown. */
const WHOLE: TreeNode = { path: '', key: '', type: 'object', size: 0, preview: '' };

/** Returns the tree of the selected step and the functions that expand it. Expanded entries stay expanded at other steps. */
export function useStateTree() {
  const inspector = useInspector();
  const view = useInspectorState((state) => state.view);
  /** The places that the person opened or chose the entries of, by path. */
  const [places, setPlaces] = useState<ReadonlyMap<string, Place>>(INITIAL);
  /** Returns the rows below an entry, from the top. */
  const rowsUnder = async (above: TreeNode, level: number): Promise<StateRow[]> => {
    if (view === undefined) return [];
    const { branch, step } = view;
    const { path, size } = above;
    const { from: chosen, to } = places.get(path) ?? CLOSED;
    // The list can be shorter than at the step at which its entries were chosen.
    const from = chosen < size ? chosen : 0;
    const nodes = await inspector.client.request('children', { branch, step, path, from, to });
    const siblings = size === 0 ? nodes.length : size;
    const rows = nodes.map(async (node, i) => {
      const expanded = node.size === 0 ? undefined : (places.get(node.path)?.isOpen ?? false);
      const press = expanded === undefined ? {} : { isOpen: !expanded };
      const row: StateRow = { key: node.path, node, level, place: from + 1 + i, siblings, expanded, press };
      return [row, expanded === true ? await rowsUnder(node, level + 1) : []];
    });
    const hidden = (count: number, isBefore: boolean): StateRow[] => {
      const key = `${path}/${isBefore ? 'before' : 'more'}`;
      const press = isBefore ? { from: Math.max(0, from - ENTRIES) } : { to: to + ENTRIES };
      const row = { key, node: above, level, siblings, place: isBefore ? count : siblings };
      return count > 0 ? [{ ...row, hidden: { count, isBefore }, press }] : [];
    };
    return [...hidden(from, true), ...(await Promise.all(rows)).flat(2), ...hidden(size - to, false)];
  };
  const rows = useLoaded(inspector, () => rowsUnder(WHOLE, 1), [view, places]) ?? [];
  const change = (path: string, changed: Partial<Place>) =>
    setPlaces((before) => new Map(before).set(path, { ...(before.get(path) ?? CLOSED), ...changed }));
  const toggle = ({ node, press }: StateRow) => change(node.path, press);
  /** Unfolds the places above a path. */
  const reveal = (path: string) => {
    for (const { path: place, index } of ancestorPaths(path)) {
      const { from, to } = places.get(place) ?? CLOSED;
      const isShown = index === undefined || (index >= from && index < to);
      const first = isShown ? from : index - (index % ENTRIES);
      change(place, { isOpen: true, from: first, to: isShown ? to : first + ENTRIES });
    }
  };
  return { rows, toggle, reveal };
}

/** A row of the tree. */
export interface StateRow {
  /** Identifies it at every step. */
  readonly key: string;
  /** The entry; of hidden ones, the list that contains them. */
  readonly node: TreeNode;
  readonly level: number;
  /** Its position among its siblings, from 1. */
  readonly place: number;
  readonly siblings: number;
  /** `undefined` for a leaf. */
  readonly expanded?: boolean | undefined;
  /** Set when the row stands for entries that are not shown yet: those before the first shown one, or after the last one. */
  readonly hidden?: { readonly count: number; readonly isBefore: boolean };
  /** What a press changes. */
  readonly press: Partial<Place>;
}

/** Returns the places above a path, from the top, with the index of the next one in a list: for `messages[3].id`, `messages` with 3 and `messages[3]`. */
export function ancestorPaths(path: string) {
  const parts = path.match(/\.?[A-Za-z_$][\w$]*|\[\d+\]|\["(?:[^"\\]|\\.)*"\]/g) ?? [];
  return parts.slice(1).map((next, i) => ({
    path: parts.slice(0, i + 1).join(''),
    index: /^\[\d/.test(next) ? Number(next.slice(1, -1)) : undefined,
  }));
}

/** Moves the active row by the keyboard. `at`: its index. */
export function useTreeKeys(rows: readonly StateRow[], toggle: (row: StateRow) => void) {
  const [active, setActive] = useState('');
  const tree = useRef<HTMLDivElement>(null);
  const found = rows.findIndex(({ key }) => key === active);
  const at = Math.max(0, found);
  useEffect(() => {
    if (found >= 0) tree.current?.querySelector('[data-active="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [found]);
  const press = (row: StateRow) => {
    setActive(row.key);
    toggle(row);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at];
    if (row === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const to = keyTargets(rows, at)[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (to === 'toggle') press(row);
    else setActive((rows[to] ?? row).key);
  };
  return { at, select: setActive, press, tree, onKeyDown };
}

/** Returns the index of the row to which each key moves, or that it toggles the row. */
function keyTargets(rows: readonly StateRow[], at: number): Readonly<Record<string, number | 'toggle'>> {
  const { level = 1, expanded } = rows[at] ?? {};
  return {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: rows.length - 1,
    ArrowRight: expanded === false ? 'toggle' : at + (expanded === true ? 1 : 0),
    ArrowLeft: expanded === true ? 'toggle' : rows.findLastIndex((row, i) => i < at && row.level < level),
    Enter: 'toggle',
    ' ': 'toggle',
  };
}
