import { formatValue } from '../../../base/visibleText.ts';
import { appendedPart } from '../../../diff/appendedPart.ts';
import type { Change } from '../../../diff/valueDiff.ts';
import type { StepView } from '../../protocol/protocol.ts';
import { IconButton, Sign, TextButton } from '../parts/controls.tsx';
import { formatCount } from '../parts/format.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';

/** Shows the difference between the state of the selected step and that of another. */
export function DiffPane() {
  const { store, history } = useInspector();
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
        {view && <Changes {...shownChanges(view, showsCounts)} onPath={history.show} />}
      </section>
    </div>
  );
}

interface OnPath {
  /** Is called for a press on a path or its values; without it, they are only shown. */
  readonly onPath?: ((path: string) => void) | undefined;
}

/** Shows a list of differences and the number of further ones. */
export function Changes({ changes, total, none, onPath }: ReturnType<typeof shownChanges> & OnPath) {
  if (changes.length === 0) return <p className="empty">{none}</p>;
  return (
    <>
      <ul className="changes">
        {changes.map((change) => (
          <ChangeLine key={change.path} change={change} onPath={onPath} />
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

function ChangeLine({ change, onPath }: { readonly change: Change } & OnPath) {
  const kind = change.before === undefined ? 'added' : change.after === undefined ? 'removed' : 'changed';
  return (
    <li className="change" data-kind={kind}>
      <Sign>{SIGNS[kind]}</Sign>
      <div>
        <p className="path">
          {onPath === undefined ? (
            change.path
          ) : (
            <TextButton
              className="path-button"
              name={change.path}
              title={`Why is ${change.path} so?`}
              onClick={() => onPath(change.path)}
            />
          )}
          <span className="visually-hidden"> {kind}</span>
        </p>
        {/* The path does the same. */}
        {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
        <div className="values" onClick={() => onPath?.(change.path)}>
          <Values {...change} />
        </div>
      </div>
    </li>
  );
}

/** Formats a part of a text without quotes. */
const textInside = (text: string): string => formatValue(text, WIDEST).slice(1, -1);

function Values(change: Pick<Change, 'before' | 'after'>) {
  const [before, after] = [formatValue(change.before, WIDEST), formatValue(change.after, WIDEST)];
  const appended = appendedPart(change);
  if (change.before === undefined) return <ins>{after}</ins>;
  if (change.after === undefined) return <del>{before}</del>;
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
  return (['before', 'after'] as const).map((side) => {
    const Value = side === 'before' ? 'del' : 'ins';
    return (
      <Value key={side}>
        {part.start}
        <mark>{part[side]}</mark>
        {part.end}
      </Value>
    );
  });
}

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
        onChange={({ target: { value } }) =>
          navigate.compare(value === 'range' || value === 'pinned' ? value : 'previous')
        }
      >
        <option value="previous">since the step before</option>
        {range !== undefined && <option value="range">since the start of the range</option>}
        {pinned !== undefined && <option value="pinned">since step {pinned}, pinned</option>}
      </select>
      <IconButton icon="pin" name="Pin this step to compare with" onClick={navigate.pin} />
    </>
  );
}

/** Returns the changes of a step; those of `counts.*` only on request, because most steps change them. `total`: -1, when not all were counted. */
export function shownChanges(
  { step, base, diff, diffTotal }: Pick<StepView, 'step' | 'base' | 'diff' | 'diffTotal'>,
  showsCounts: boolean,
) {
  const changes: readonly Change[] = showsCounts
    ? diff
    : diff.filter(({ path }) => !path.startsWith('counts.'));
  const hidden = diff.length - changes.length;
  const unchanged = hidden > 0 ? 'Nothing changed except the counts.' : 'Nothing in the state changed.';
  return {
    changes,
    total: diffTotal < 0 ? diffTotal : diffTotal - hidden,
    /** The text when there are no differences. */
    none: step + base === 0 ? 'Before the first step there is nothing to compare.' : unchanged,
  };
}

/** Returns the parts of two texts between their common beginning and their common end. */
export function changedPart(before: string, after: string) {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return {
    start: before.slice(0, start),
    before: before.slice(start, before.length - end),
    after: after.slice(start, after.length - end),
    end: end === 0 ? '' : before.slice(-end),
  };
}
