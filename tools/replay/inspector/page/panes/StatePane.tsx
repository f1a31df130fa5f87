import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useInspectorState } from '../session/InspectorContext.ts';
import { StateLine } from './StateLine.tsx';
import type { StateRow } from './stateRows.ts';
import { useStateTree } from './useStateTree.ts';

const keyOf = ({ node, more }: StateRow) => (more === undefined ? node.path : `${node.path}/more`);

/** Shows the state after the selected step as a tree, with the step's changes marked. */
export function StatePane() {
  const { rows, unfold, showMore } = useStateTree();
  const diff = useInspectorState((state) => state.view?.diff);
  const toggle = (row: StateRow) => {
    if (row.more !== undefined) showMore(row.node.path);
    else if (row.expanded !== undefined) unfold(row.node.path, !row.expanded);
  };
  const { at, goTo, tree, onKeyDown } = useTreeKeys({ rows, unfold, toggle });
  const id = useId();
  return (
    <div
      ref={tree}
      className="scrolled tree"
      role="tree"
      tabIndex={0}
      aria-label="State"
      aria-activedescendant={rows.length === 0 ? undefined : `${id}${at}`}
      onKeyDown={onKeyDown}
    >
      {rows.map((row, index) => (
        <StateLine
          key={keyOf(row)}
          id={`${id}${index}`}
          row={row}
          active={index === at}
          changed={diff?.some(({ path }) => isWithin(path, row.node.path)) ?? false}
          onPress={() => {
            goTo(index);
            toggle(row);
          }}
        />
      ))}
    </div>
  );
}

/** Returns whether a path leads to a place or into it. */
const isWithin = (path: string, place: string) =>
  path === place || (path.startsWith(place) && /^[.[]/.test(path.slice(place.length)));

interface Tree {
  readonly rows: readonly StateRow[];
  readonly unfold: (path: string, unfolds: boolean) => void;
  readonly toggle: (row: StateRow) => void;
}

/** Moves the active row by the keyboard. `at`: its index. */
function useTreeKeys(shown: Tree) {
  const { rows } = shown;
  const [active, setActive] = useState('');
  const tree = useRef<HTMLDivElement>(null);
  const at = Math.max(
    0,
    rows.findIndex((row) => keyOf(row) === active),
  );
  useEffect(() => {
    if (active !== '')
      tree.current?.querySelector('[data-active="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
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
  return { at, goTo, tree, onKeyDown };
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
