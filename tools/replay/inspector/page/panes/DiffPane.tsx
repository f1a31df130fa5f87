import { memo } from 'react';
import { formatValue } from '../../../base/visibleText.ts';
import type { Change } from '../../../diff/valueDiff.ts';
import type { StepView } from '../../protocol/protocol.ts';
import { IconButton } from '../parts/IconButton.tsx';
import { formatCount } from '../parts/format.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import type { Compare } from '../session/state.ts';
import { appendedPart, changedPart, type ShownChanges, shownChanges } from './changes.ts';

/** Shows the difference between the state of the selected step and that of another. */
export function DiffPane() {
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
              <UpdateOf view={view} />
            </>
          )}
        </p>
        <div className="tools">
          <CountsToggle />
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

/** Shows the number and the kind of the update that the step applied. */
function UpdateOf({ view: { row } }: { readonly view: StepView }) {
  return row?.update === undefined ? null : (
    <span className="faint">
      update {row.update}: {row.updateKind}
    </span>
  );
}

function CountsToggle() {
  const { store } = useInspector();
  const showsCounts = useInspectorState((state) => state.showsCounts);
  return (
    <label className="check" title="Show the changes of counts.*, which most steps change">
      <input
        type="checkbox"
        checked={showsCounts}
        onChange={({ target }) => store.set({ showsCounts: target.checked })}
      />
      Counts
    </label>
  );
}

/** Shows a list of differences and the number of further ones. */
export function Changes({ changes, total, none }: ShownChanges) {
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

const kindOf = ({ before, after }: Change) =>
  before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';

const SIGNS = { added: '+', removed: '−', changed: '~' } as const;

/** The maximum length of a shown value, in characters. */
const WIDEST = 400;
/** The maximum total length of two values on one line, in characters. */
const ONE_LINE = 40;

const ChangeLine = memo(function ChangeLine({ change }: { readonly change: Change }) {
  const kind = kindOf(change);
  return (
    <li className="change" data-kind={kind}>
      <span className="sign" aria-hidden="true">
        {SIGNS[kind]}
      </span>
      <div>
        <p className="path">
          {change.path}
          <span className="visually-hidden"> {kind}</span>
        </p>
        <Values change={change} />
      </div>
    </li>
  );
});

/** Formats a part of a text without quotes. */
const textInside = (text: string): string => formatValue(text, WIDEST).slice(1, -1);

function Values({ change }: { readonly change: Change }) {
  const kind = kindOf(change);
  if (kind === 'added') return <ins>{formatValue(change.after, WIDEST)}</ins>;
  if (kind === 'removed') return <del>{formatValue(change.before, WIDEST)}</del>;
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
