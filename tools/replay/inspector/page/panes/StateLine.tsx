import { formatCount } from '../parts/format.ts';
import type { StateRow } from './stateRows.ts';

interface Props {
  readonly id: string;
  readonly row: StateRow;
  readonly active: boolean;
  readonly changed: boolean;
  readonly onPress: () => void;
}

/** Shows an entry of the tree: its name, and its value or a summary of its children. */
export function StateLine({ id, row, active, changed, onPress }: Props) {
  const { node, level, place, siblings, expanded, more } = row;
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
      data-path={node.path}
      style={{ paddingInlineStart: `${level * 1.1}rem` }}
      onClick={onPress}
    >
      {more === undefined ? (
        <>
          <span className="json-key">{node.key}</span>
          <span className={`value ${node.type}`}>{node.preview}</span>
          {changed && <span className="visually-hidden"> changed</span>}
        </>
      ) : (
        <span className="more-entries">Show more ({formatCount(more)} left)</span>
      )}
    </div>
  );
}
