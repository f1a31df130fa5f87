import { type KeyboardEvent, useId, useState } from 'react';
import { IconButton, TextButton } from '../parts/controls.tsx';
import { formatCount, formatPlural } from '../parts/format.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { useLoaded } from '../session/useLoaded.ts';
import { type StateRow, useStateTree, useTreeKeys } from './stateTree.ts';

/** Shows the state after the selected step as a tree, with the step's changes marked. */
export function StatePane() {
  const { rows, toggle, reveal } = useStateTree();
  const search = useStateSearch();
  const diff = useInspectorState((state) => state.view?.diff);
  const { at, select, press, tree, onKeyDown } = useTreeKeys(rows, toggle);
  const active = rows[at];
  const activePath = active?.hidden === undefined ? active?.node.path : undefined;
  const copy = useCopy(activePath);
  const { history } = useInspector();
  const showHistory = () => activePath !== undefined && history.show(activePath);
  const found = new Set(search.paths);
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
        <PathButtons path={activePath} onCopy={copy} onHistory={showHistory} />
      </div>
      <div
        ref={tree}
        className="scrolled tree"
        role="tree"
        tabIndex={0}
        aria-label="State"
        aria-activedescendant={active && `${id}${at}`}
        onKeyDown={(event) => {
          if (isCopy(event)) copy('value');
          else if (isWhy(event)) showHistory();
          else onKeyDown(event);
        }}
      >
        {rows.map((row, index) => (
          <StateLine
            key={row.key}
            id={`${id}${index}`}
            row={row}
            active={index === at}
            found={found.has(row.key)}
            changed={diff?.some(({ path }) => isWithin(path, row.key)) ?? false}
            onPress={() => press(row)}
            onValue={() => {
              select(row.key);
              history.show(row.node.path);
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

/** Returns whether a key shows the history of the active entry. */
const isWhy = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'w' && !ctrlKey && !metaKey && !altKey;

/** Returns a function that copies the value at a path as JSON, or the path. */
function useCopy(path: string | undefined): (what: 'value' | 'path') => void {
  const { client, store, notify, fail } = useInspector();
  const copy = async (what: 'value' | 'path') => {
    const { view } = store.get();
    if (path === undefined || view === undefined) return;
    const { branch, step } = view;
    await navigator.clipboard.writeText(
      what === 'path' ? path : await client.request('json', { branch, step, path }),
    );
    notify(`The ${what === 'path' ? 'path' : 'value of'} ${path} is copied.`);
  };
  return (what) => void copy(what).catch(fail);
}

/** Returns whether a path leads to a place or into it. */
const isWithin = (path: string, place: string) =>
  path.startsWith(place) && /^(?:$|[.[])/.test(path.slice(place.length));

interface PathProps {
  /** The path of the active entry. */
  readonly path: string | undefined;
  readonly onCopy: (what: 'value' | 'path') => void;
  readonly onHistory: () => void;
}

function PathButtons({ path, onCopy, onHistory }: PathProps) {
  const buttons = [
    ['Why', `Show every step that changed ${path} (W)`, onHistory],
    ['Copy path', `Copy the path ${path}`, () => onCopy('path')],
    ['Copy JSON', `Copy the value of ${path} as JSON`, () => onCopy('value')],
  ] as const;
  return (
    <div className="tools">
      {buttons.map(([name, title, onClick]) => (
        <TextButton key={name} name={name} title={path && title} disabled={!path} onClick={onClick} />
      ))}
    </div>
  );
}

interface SearchProps {
  readonly search: ReturnType<typeof useStateSearch>;
  /** Goes to the next (1) or the previous (-1) match. */
  readonly onMove: (by: 1 | -1) => void;
}

function SearchTools({ search: { text, setText, paths, summary }, onMove }: SearchProps) {
  const hasNone = paths === undefined || paths.length === 0;
  return (
    <search className="state-search" aria-label="Search the state">
      <input
        type="search"
        aria-label="Search keys and values"
        placeholder="Search keys and values"
        value={text}
        spellCheck={false}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={({ key, shiftKey }) => key === 'Enter' && onMove(shiftKey ? -1 : 1)}
      />
      <output className="faint">{summary}</output>
      <IconButton icon="previous" name="Previous match" disabled={hasNone} onClick={() => onMove(-1)} />
      <IconButton icon="next" name="Next match" disabled={hasNone} onClick={() => onMove(1)} />
    </search>
  );
}

/**
 * Searches the state of the selected step for a text. The selected match stays selected at other steps that have it. `paths`: `undefined` without
 * a text, and until the first answer. `summary`: `3 of 17`; `17` before a match is selected.
 */
function useStateSearch() {
  const inspector = useInspector();
  const view = useInspectorState((state) => state.view);
  const [text, setText] = useState('');
  const [selected, setSelected] = useState<string>();
  const wanted = text.trim();
  const load = async () => {
    if (wanted === '' || view === undefined) return undefined;
    const { branch, step } = view;
    return inspector.client.request('searchState', { branch, step, text: wanted });
  };
  const { paths, isCut } = useLoaded(inspector, load, [view?.branch, view?.step, wanted]) ?? {};
  const at = selected === undefined ? -1 : (paths?.indexOf(selected) ?? -1);
  const count = `${formatCount(paths?.length ?? 0)}${isCut === true ? '+' : ''}`;
  return {
    text,
    setText,
    paths,
    summary: paths && (paths.length === 0 ? 'none' : `${at < 0 ? '' : `${formatCount(at + 1)} of `}${count}`),
    /** Selects the next (1) or the previous (-1) match; returns its path. */
    move: (by: 1 | -1) => {
      const match = paths?.at(at < 0 && by < 0 ? -1 : (at + by) % paths.length);
      setSelected(match);
      return match;
    },
  };
}

interface LineProps {
  readonly id: string;
  readonly row: StateRow;
  readonly active: boolean;
  readonly changed: boolean;
  /** Whether it matches the search. */
  readonly found: boolean;
  readonly onPress: () => void;
  /** Is called for a press on its value. */
  readonly onValue: () => void;
}

/** Shows an entry of the tree: its name, and its value, a summary of its children, or, above its children, their number. */
function StateLine({ id, row, active, changed, found, onPress, onValue }: LineProps) {
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
      data-changed={changed}
      data-found={found}
      data-path={node.path}
      style={{ paddingInlineStart: `${level * 1.1}rem` }}
      onClick={onPress}
    >
      {hidden === undefined ? (
        <>
          <span className="json-key">{node.key}</span>
          {/* The button Why, and the key W, do the same. */}
          {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
          <span
            className={`value ${node.type}`}
            title={`Why is ${node.path} so?`}
            onClick={(event) => {
              event.stopPropagation();
              onValue();
            }}
          >
            {expanded === true ? size() : node.preview}
          </span>
          {changed && <span className="visually-hidden"> changed</span>}
        </>
      ) : (
        <span className="faint">
          Show {hidden.isBefore ? 'earlier ones' : 'more'} ({formatCount(hidden.count)} left)
        </span>
      )}
    </div>
  );
}
