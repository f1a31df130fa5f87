import { type ReactNode, memo } from 'react';
import { formatBytes, formatCount } from '#shared/formatText.ts';
import type { EditGroup, StepKind, StepRow } from '../../protocol/protocol.ts';
import { formatTime } from '../../time/formatTime.ts';
import { Sign } from '../parts/controls.tsx';

/* A table cannot render only its visible rows; elements with the roles of a grid can. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */

interface Props {
  readonly id: string;
  readonly row: StepRow;
  /** The index in the list, from 0. */
  readonly index: number;
  readonly selected: boolean;
  readonly based: boolean;
  /** Shows edits one by one, or as one row again. */
  readonly onToggle: (edits: EditGroup) => void;
}

/** Shows a step in the list. Its cells contain the number, time, kind, delay, size and summary. */
export const StepLine = memo(function StepLine({ id, row, index, selected, based, onToggle }: Props) {
  const { step, t, delay, bytes, edits, actionType, summary } = row;
  const kind = KINDS[row.kind];
  const type = actionType ?? (row.kind === 'notification' ? undefined : row.updateKind);
  const typePart = typePartOf(row);
  return (
    <div
      id={id}
      className="step-line"
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      data-step={step}
      data-t={t}
      data-kind={row.kind}
      data-changed={row.changed}
      data-base={based}
    >
      <NumberCell>{step}</NumberCell>
      <NumberCell>{formatTime(t)}</NumberCell>
      <span role="gridcell" className="kind" title={type}>
        <Sign>{kind.sign}</Sign>
        <span className="kind-label">{kind.label}</span>
        {type !== undefined && <span className="kind-type faint"> {type}</span>}
      </span>
      <NumberCell faint>{delay !== undefined && formatTime(delay)}</NumberCell>
      <NumberCell faint>{bytes !== undefined && formatBytes(bytes)}</NumberCell>
      <span role="gridcell" className="summary" title={summary}>
        {/* Of edits that are shown one by one, the first has the button. */}
        {edits && (!edits.isOpen || step === edits.first) && (
          <EditsToggle edits={edits} onToggle={onToggle} />
        )}
        {typePart !== '' && <span className="summary-type">{typePart}</span>}
        {summary.slice(typePart.length)}
      </span>
    </div>
  );
});

const NumberCell = ({ faint, children }: { readonly faint?: true; readonly children: ReactNode }) => (
  <span role="gridcell" className={faint ? 'number faint' : 'number'}>
    {children}
  </span>
);

/** Returns the beginning of an action's summary, which the cell of the kind shows too: its type and what separates it from its contents. */
const typePartOf = ({ summary, actionType }: StepRow): string =>
  actionType !== undefined && summary.startsWith(actionType)
    ? actionType + (/^,? /.exec(summary.slice(actionType.length))?.[0] ?? '')
    : '';

/** The grid handles its keys: its rows are not in the tab order. */
const EditsToggle = ({ edits, onToggle }: Pick<Props, 'onToggle'> & { readonly edits: EditGroup }) => (
  <button
    type="button"
    className="edits-toggle"
    tabIndex={-1}
    aria-expanded={edits.isOpen}
    onClick={(event) => {
      event.stopPropagation();
      onToggle(edits);
    }}
  >
    {formatCount(edits.count)} edits
  </button>
);

/** The name and the sign of each kind of step. */
export const KINDS = {
  open: { label: 'open', sign: '●' },
  close: { label: 'close', sign: '○' },
  received: { label: 'received', sign: '↓' },
  rejected: { label: 'rejected', sign: '✕' },
  sent: { label: 'sent', sign: '↑' },
  action: { label: 'action', sign: '◆' },
  applied: { label: 'applied', sign: '✓' },
  ignored: { label: 'ignored', sign: '–' },
  notification: { label: 'notified', sign: '◔' },
  other: { label: 'other', sign: '·' },
} as const satisfies Readonly<Record<StepKind, unknown>>;
