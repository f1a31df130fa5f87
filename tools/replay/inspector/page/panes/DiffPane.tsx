import { memo } from 'react';
import { formatValue } from '../../../base/formatValue.ts';
import type { Change } from '../../../diff/valueDiff.ts';
import { formatCount } from '../parts/format.ts';
import { useInspectorState } from '../session/InspectorContext.ts';
import { CompareWith } from './CompareWith.tsx';
import { changedPart } from './changedPart.ts';

/** Shows the difference between the state of the selected step and that of another. */
export function DiffPane() {
  const view = useInspectorState((state) => state.view);
  return (
    <div className="diff">
      <div className="pane-tools">
        <p className="facts">
          {view !== undefined && view.step > 0 && (
            <span>
              Step {view.base} → {view.step}
            </span>
          )}
        </p>
        <div className="tools">
          <CompareWith />
        </div>
      </div>
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className="scrolled" aria-label="Differences" tabIndex={0}>
        {view && (
          <Changes
            changes={view.diff}
            total={view.diffTotal}
            none={
              view.step === 0 && view.base === 0
                ? 'Before the first step there is nothing to compare.'
                : 'Nothing in the state changed.'
            }
          />
        )}
      </section>
    </div>
  );
}

interface Props {
  readonly changes: readonly Change[];
  /** -1: not all were counted. */
  readonly total: number;
  /** The text when there are no differences. */
  readonly none: string;
}

/** Shows a list of differences and the number of further ones. */
export function Changes({ changes, total, none }: Props) {
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
          {total < 0 ? 'There are more' : `${formatCount(total - changes.length)} more`}; hold the step
          against a nearer one to see all.
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

function Values({ change }: { readonly change: Change }) {
  const kind = kindOf(change);
  if (kind === 'added') return <ins>{formatValue(change.after, WIDEST)}</ins>;
  if (kind === 'removed') return <del>{formatValue(change.before, WIDEST)}</del>;
  const [before, after] = [formatValue(change.before, WIDEST), formatValue(change.after, WIDEST)];
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
