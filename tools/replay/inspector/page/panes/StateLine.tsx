import { formatCount, formatPlural } from '../parts/format.ts';
import type { StateRow } from './stateRows.ts';

interface Props {
  readonly id: string;
  readonly row: StateRow;
  readonly active: boolean;
  readonly changed: boolean;
  /** Whether it matches the search. */
  readonly found: boolean;
  readonly onPress: () => void;
}

/** Describes an expanded entry, whose children are shown below it. */
const sizeText = ({ type, size }: StateRow['node']) => formatPlural(size, type === 'list' ? 'item' : 'field');

/** Shows an entry of the tree: its name, and its value or a summary of its children. */
export function StateLine({ id, row, active, changed, found, onPress }: Props) {
  const { node, level, place, siblings, expanded, more, isBefore = false } = row;
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
      data-changed={changed && more === undefined}
      data-found={found && more === undefined}
      data-path={node.path}
      style={{ paddingInlineStart: `${level * 1.1}rem` }}
      onClick={onPress}
    >
      {more === undefined ? (
        <>
          <span className="json-key">{node.key}</span>
          <span className={`value ${node.type}`}>{expanded === true ? sizeText(node) : node.preview}</span>
          {changed && <span className="visually-hidden"> changed</span>}
        </>
      ) : (
        <span className="more-entries">
          Show {isBefore ? 'earlier ones' : 'more'} ({formatCount(more)} left)
        </span>
      )}
    </div>
  );
}
