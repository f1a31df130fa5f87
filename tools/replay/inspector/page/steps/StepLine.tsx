import { memo } from 'react';
import type { StepRow } from '../../protocol/protocol.ts';
import { formatBytes } from '#ui/base/formatBytes.ts';
import { formatTime } from '../../time/formatTime.ts';
import { KINDS } from '../parts/kinds.ts';

/* A table cannot render only its visible rows; elements with the roles of a grid can. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */

interface Props {
  readonly id: string;
  readonly row: StepRow;
  /** The index in the list, from 0. */
  readonly index: number;
  readonly selected: boolean;
  readonly based: boolean;
}

/** Shows a step in the list. Its cells contain the number, time, kind, delay, size and summary. */
export const StepLine = memo(function StepLine({ id, row, index, selected, based }: Props) {
  const kind = KINDS[row.kind];
  return (
    <div
      id={id}
      className="step-line"
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      data-step={row.step}
      data-t={row.t}
      data-kind={row.kind}
      data-changed={row.changed}
      data-base={based}
    >
      <span role="gridcell" className="number">
        {row.step}
      </span>
      <span role="gridcell" className="number">
        {formatTime(row.t)}
      </span>
      <span role="gridcell" className="kind">
        <span className="sign" aria-hidden="true">
          {kind.sign}
        </span>
        {kind.label}
        {row.updateKind !== undefined && row.kind !== 'notification' && (
          <span className="update-kind"> {row.updateKind}</span>
        )}
      </span>
      <span role="gridcell" className="number faint">
        {row.delay === undefined ? '' : formatTime(row.delay)}
      </span>
      <span role="gridcell" className="number faint">
        {row.bytes === undefined ? '' : formatBytes(row.bytes)}
      </span>
      <span role="gridcell" className="summary" title={row.summary}>
        {row.summary}
      </span>
    </div>
  );
});
