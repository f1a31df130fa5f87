import { type KeyboardEvent, useEffect, useId, useMemo, useState } from 'react';
import type { Params, Result } from '../../protocol/protocol.ts';
import { IconButton } from '../parts/controls.tsx';
import { formatCount, formatPlural } from '../parts/format.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { latest } from '../session/inspectorStore.ts';
import { type StateRow, keyOf, useStateTree, useTreeKeys } from './stateTree.ts';

/** Shows the state after the selected step as a tree, with the step's changes marked. */
export function StatePane() {
  const { rows, toggle, reveal } = useStateTree();
  const search = useStateSearch();
  const diff = useInspectorState((state) => state.view?.diff);
  const { at, select, tree, onKeyDown } = useTreeKeys(rows, toggle);
  const activePath = rows[at]?.hidden === undefined ? rows[at]?.node.path : undefined;
  const copy = useCopy(activePath);
  const found = useMemo(() => new Set(search.found?.paths), [search.found]);
  const id = useId();
  const goToMatch = (by: 1 | -1) => {
    const match = search.move(by);
    if (match === undefined) return;
    reveal(match);
    select(match);
  };
  return (
    <div className="state">
      <div className="pane-tools">
        <SearchTools search={search} onMove={goToMatch} />
        <CopyButtons path={activePath} onCopy={copy} />
      </div>
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
              select(keyOf(row));
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

interface CopyProps {
  /** The path of the active entry. */
  readonly path: string | undefined;
  readonly onCopy: (what: 'value' | 'path') => void;
}

function CopyButtons({ path, onCopy }: CopyProps) {
  const buttons = [
    ['path', 'Copy path', `Copy the path ${path}`],
    ['value', 'Copy JSON', `Copy the value of ${path} as JSON`],
  ] as const;
  return (
    <div className="tools">
      {buttons.map(([what, label, title]) => (
        <button
          key={what}
          type="button"
          className="text-button"
          disabled={path === undefined}
          title={path === undefined ? undefined : title}
          onClick={() => onCopy(what)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

interface SearchProps {
  readonly search: StateSearch;
  /** Goes to the next (1) or the previous (-1) match. */
  readonly onMove: (by: 1 | -1) => void;
}

function SearchTools({ search, onMove }: SearchProps) {
  const hasNone = (search.found?.paths.length ?? 0) === 0;
  return (
    <search className="state-search" aria-label="Search the state">
      <input
        type="search"
        aria-label="Search keys and values"
        placeholder="Search keys and values"
        value={search.text}
        spellCheck={false}
        onChange={({ target }) => search.setText(target.value)}
        onKeyDown={({ key, shiftKey }) => key === 'Enter' && onMove(shiftKey ? -1 : 1)}
      />
      <output className="faint">{describeFound(search)}</output>
      <IconButton icon="previous" name="Previous match" disabled={hasNone} onClick={() => onMove(-1)} />
      <IconButton icon="next" name="Next match" disabled={hasNone} onClick={() => onMove(1)} />
    </search>
  );
}

/** Describes the matches: `3 of 17`, `17` before one is selected. */
function describeFound({ found, at }: StateSearch): string {
  if (found === undefined) return '';
  const { paths, isCut } = found;
  if (paths.length === 0) return 'none';
  const count = `${formatCount(paths.length)}${isCut ? '+' : ''}`;
  return at < 0 ? count : `${formatCount(at + 1)} of ${count}`;
}

interface LineProps {
  readonly id: string;
  readonly row: StateRow;
  readonly active: boolean;
  readonly changed: boolean;
  /** Whether it matches the search. */
  readonly found: boolean;
  readonly onPress: () => void;
}

/** Shows an entry of the tree: its name, and its value, a summary of its children, or, above its children, their number. */
function StateLine({ id, row, active, changed, found, onPress }: LineProps) {
  const { node, level, place, siblings, expanded, hidden } = row;
  const size = () => formatPlural(node.size, node.type === 'list' ? 'item' : 'field');
  return (
    // The tree handles the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      className="state-line"
      role="treeitem"
      tabIndex={-1}
      aria-level={level}
      aria-posinset={place}
      aria-setsize={siblings}
      aria-expanded={expanded}
      aria-selected={active}
      data-active={active}
      data-changed={changed && hidden === undefined}
      data-found={found && hidden === undefined}
      data-path={node.path}
      style={{ paddingInlineStart: `${level * 1.1}rem` }}
      onClick={onPress}
    >
      {hidden === undefined ? (
        <>
          <span className="json-key">{node.key}</span>
          <span className={`value ${node.type}`}>{expanded === true ? size() : node.preview}</span>
          {changed && <span className="visually-hidden"> changed</span>}
        </>
      ) : (
        <span className="more-entries">
          Show {hidden.isBefore ? 'earlier ones' : 'more'} ({formatCount(hidden.count)} left)
        </span>
      )}
    </div>
  );
}

type Found = Result<'searchState'>;

type StateSearch = ReturnType<typeof useStateSearch>;

/** Searches the state of the selected step for a text. The selected match stays selected at other steps that have it. */
function useStateSearch() {
  const { client, fail } = useInspector();
  const branch = useInspectorState((state) => state.view?.branch);
  const step = useInspectorState((state) => state.view?.step);
  const [text, setText] = useState('');
  const [found, setFound] = useState<Found>();
  const [selected, setSelected] = useState<string>();
  const search = useMemo(
    () =>
      latest<Params<'searchState'>>(
        async (wanted) => setFound(await client.request('searchState', wanted)),
        fail,
      ),
    [client, fail],
  );
  const wanted = text.trim();
  useEffect(() => {
    if (wanted !== '' && branch !== undefined && step !== undefined) search({ branch, step, text: wanted });
  }, [search, branch, step, wanted]);
  const shown = wanted === '' ? undefined : found;
  const at = selected === undefined ? -1 : (shown?.paths.indexOf(selected) ?? -1);
  return {
    text,
    setText,
    /** `undefined` without a text, and until the first answer. */
    found: shown,
    /** The index of the selected match; -1 before the first one is selected. */
    at,
    /** Selects the next (1) or the previous (-1) match; returns its path. */
    move: (by: 1 | -1) => {
      const { length } = shown?.paths ?? [];
      const next = at < 0 && by < 0 ? length - 1 : (at + by + length) % Math.max(1, length);
      setSelected(shown?.paths[next]);
      return shown?.paths[next];
    },
  };
}
