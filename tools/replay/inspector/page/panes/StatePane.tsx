import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { StateLine } from './StateLine.tsx';
import type { StateRow } from './stateRows.ts';
import { StateTools } from './StateTools.tsx';
import { useStateSearch } from './useStateSearch.ts';
import { useStateTree } from './useStateTree.ts';

const keyOf = ({ node, more, isBefore }: StateRow) =>
  more === undefined ? node.path : `${node.path}/${isBefore === true ? 'before' : 'more'}`;

/** Shows the state after the selected step as a tree, with the step's changes marked. */
export function StatePane() {
  const { rows, unfold, showMore, reveal } = useStateTree();
  const search = useStateSearch();
  const diff = useInspectorState((state) => state.view?.diff);
  const toggle = (row: StateRow) => {
    if (row.more !== undefined) showMore(row.node.path, row.isBefore === true);
    else if (row.expanded !== undefined) unfold(row.node.path, !row.expanded);
  };
  const { at, goTo, select, tree, onKeyDown } = useTreeKeys({ rows, unfold, toggle });
  const activePath = rows[at]?.more === undefined ? rows[at]?.node.path : undefined;
  const copy = useCopy(activePath);
  const found = useMemo(() => new Set(search.found?.paths), [search.found]);
  const id = useId();
  const goToMatch = (match: string) => {
    reveal(match);
    select(match);
  };
  return (
    <div className="state">
      <StateTools search={search} path={activePath} onReveal={goToMatch} onCopy={copy} />
      <div
        ref={tree}
        className="scrolled tree"
        role="tree"
        tabIndex={0}
        aria-label="State"
        aria-activedescendant={rows.length === 0 ? undefined : `${id}${at}`}
        onKeyDown={(event) => {
          if (isCopy(event)) copy('value');
          else onKeyDown(event);
        }}
      >
        {rows.map((row, index) => (
          <StateLine
            key={keyOf(row)}
            id={`${id}${index}`}
            row={row}
            active={index === at}
            found={found.has(row.node.path)}
            changed={diff?.some(({ path }) => isWithin(path, row.node.path)) ?? false}
            onPress={() => {
              goTo(index);
              toggle(row);
            }}
          />
        ))}
      </div>
    </div>
  );
}

/** Returns whether a key copies: Ctrl+C without selected text. */
const isCopy = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean =>
  key === 'c' && (ctrlKey || metaKey) && !shiftKey && !altKey && getSelection()?.isCollapsed !== false;

/** Returns a function that copies the value at a path as JSON, or the path. */
function useCopy(path: string | undefined): (what: 'value' | 'path') => void {
  const { client, store, notify, fail } = useInspector();
  const copy = async (what: 'value' | 'path') => {
    const { view } = store.get();
    if (path === undefined || view === undefined) return;
    const { branch, step } = view;
    const text = what === 'path' ? path : await client.request('json', { branch, step, path });
    await navigator.clipboard.writeText(text);
    notify(what === 'path' ? `The path ${path} is copied.` : `The value of ${path} is copied.`);
  };
  return (what) => void copy(what).catch(fail);
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
