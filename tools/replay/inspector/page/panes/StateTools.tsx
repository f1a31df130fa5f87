import { IconButton } from '../parts/IconButton.tsx';
import { formatCount } from '../parts/format.ts';
import type { StateSearch } from './useStateSearch.ts';

interface Props {
  readonly search: StateSearch;
  /** The path of the active entry. */
  readonly path: string | undefined;
  /** Shows the place of a match. */
  readonly onReveal: (path: string) => void;
  readonly onCopy: (what: 'value' | 'path') => void;
}

/** Shows the search in the state, and the buttons that copy the active entry. */
export function StateTools({ search, path, onReveal, onCopy }: Props) {
  const move = (by: 1 | -1) => {
    const match = search.move(by);
    if (match !== undefined) onReveal(match);
  };
  const hasNone = (search.found?.paths.length ?? 0) === 0;
  return (
    <div className="pane-tools">
      <search className="state-search" aria-label="Search the state">
        <input
          type="search"
          aria-label="Search keys and values"
          placeholder="Search keys and values"
          value={search.text}
          spellCheck={false}
          onChange={({ target }) => search.setText(target.value)}
          onKeyDown={({ key, shiftKey }) => key === 'Enter' && move(shiftKey ? -1 : 1)}
        />
        <output className="faint">{describeFound(search)}</output>
        <IconButton icon="previous" name="Previous match" disabled={hasNone} onClick={() => move(-1)} />
        <IconButton icon="next" name="Next match" disabled={hasNone} onClick={() => move(1)} />
      </search>
      <div className="tools">
        <button
          type="button"
          className="text-button"
          disabled={path === undefined}
          title={path === undefined ? undefined : `Copy the path ${path}`}
          onClick={() => onCopy('path')}
        >
          Copy path
        </button>
        <button
          type="button"
          className="text-button"
          disabled={path === undefined}
          title={path === undefined ? undefined : `Copy the value of ${path} as JSON`}
          onClick={() => onCopy('value')}
        >
          Copy JSON
        </button>
      </div>
    </div>
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
