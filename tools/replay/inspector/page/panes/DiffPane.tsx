import { memo } from 'react';
import { formatValue } from '../../../base/visibleText.ts';
import type { Change } from '../../../diff/valueDiff.ts';
import { IconButton } from '../parts/IconButton.tsx';
import { formatCount } from '../parts/format.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import type { Compare } from '../session/inspectorState.ts';
import { appendedPart, changedPart, shownChanges } from './changes.ts';

/** Shows the difference between the state of the selected step and that of another. */
export function DiffPane() {
  const { store } = useInspector();
  const view = useInspectorState((state) => state.view);
  const showsCounts = useInspectorState((state) => state.showsCounts);
  return (
    <div className="diff">
      <div className="pane-tools">
        <p className="facts">
          {view !== undefined && view.step > 0 && (
            <>
              <span>
                Step {view.base} → {view.step}
              </span>
              {view.row?.update !== undefined && (
                <span className="faint">
                  update {view.row.update}: {view.row.updateKind}
                </span>
              )}
            </>
          )}
        </p>
        <div className="tools">
          <label className="check" title="Show the changes of counts.*, which most steps change">
            <input
              type="checkbox"
              checked={showsCounts}
              onChange={({ target }) => store.set({ showsCounts: target.checked })}
            />
            Counts
          </label>
        </div>
      </div>
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className="scrolled" aria-label="Differences" tabIndex={0}>
        {view && <Changes {...shownChanges(view, showsCounts)} />}
      </section>
    </div>
  );
}

interface ChangesProps {
  readonly changes: readonly Change[];
  /** -1: not all were counted. */
  readonly total: number;
  /** The text when there are no differences. */
  readonly none: string;
}

/** Shows a list of differences and the number of further ones. */
export function Changes({ changes, total, none }: ChangesProps) {
  if (changes.length === 0) return <p className="empty">{none}</p>;
  return (
    <>
      <ul className="changes">
        {changes.map((change) => (
          <ChangeLine key={change.path} change={change} />
        ))}
      </ul>
      {total !== changes.length && (
        <p className="empty">
          {total < 0 ? 'There are more' : `${formatCount(total - changes.length)} more`}; compare with a
          nearer step to see all.
        </p>
      )}
    </>
  );
}

const SIGNS = { added: '+', removed: '−', changed: '~' } as const;

/** The maximum length of a shown value, in characters. */
const WIDEST = 400;
/** The maximum total length of two values on one line, in characters. */
const ONE_LINE = 40;

const ChangeLine = memo(function ChangeLine({ change }: { readonly change: Change }) {
  const { path, before, after } = change;
  const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  return (
    <li className="change" data-kind={kind}>
      <span className="sign" aria-hidden="true">
        {SIGNS[kind]}
      </span>
      <div>
        <p className="path">
          {path}
          <span className="visually-hidden"> {kind}</span>
        </p>
        {kind === 'added' && <ins>{formatValue(after, WIDEST)}</ins>}
        {kind === 'removed' && <del>{formatValue(before, WIDEST)}</del>}
        {kind === 'changed' && <ChangedValue change={change} />}
      </div>
    </li>
  );
});

/** Formats a part of a text without quotes. */
const textInside = (text: string): string => formatValue(text, WIDEST).slice(1, -1);

function ChangedValue({ change }: { readonly change: Change }) {
  const [before, after] = [formatValue(change.before, WIDEST), formatValue(change.after, WIDEST)];
  const appended = appendedPart(change);
  if (appended !== undefined) {
    return (
      <p className="appended">
        <span className="faint">{textInside(appended.end)}</span>
        <ins>{textInside(appended.added)}</ins>
      </p>
    );
  }
  if (before.length + after.length <= ONE_LINE) {
    return (
      <span className="in-line">
        <del>{before}</del> → <ins>{after}</ins>
      </span>
    );
  }
  const part = changedPart(before, after);
  return (
    <>
      <del>
        {part.start}
        <mark>{part.before}</mark>
        {part.end}
      </del>
      <ins>
        {part.start}
        <mark>{part.after}</mark>
        {part.end}
      </ins>
    </>
  );
}

const isCompare = (value: string): value is Compare =>
  value === 'previous' || value === 'range' || value === 'pinned';

/** Selects the step with which the selected step is compared. */
export function CompareWith() {
  const { navigate } = useInspector();
  const compare = useInspectorState((state) => state.compare);
  const pinned = useInspectorState((state) => state.pinned);
  const range = useInspectorState((state) => state.range);
  return (
    <>
      <select
        aria-label="Compare with"
        value={compare}
        onChange={({ target }) => isCompare(target.value) && navigate.compare(target.value)}
      >
        <option value="previous">since the step before</option>
        {range !== undefined && <option value="range">since the start of the range</option>}
        {pinned !== undefined && <option value="pinned">since step {pinned}, pinned</option>}
      </select>
      <IconButton icon="pin" name="Pin this step to compare with" onClick={navigate.pin} />
    </>
  );
}
