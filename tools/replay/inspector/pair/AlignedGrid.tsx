import { type MouseEvent, useEffect, useId, useRef } from 'react';
import { useSelected } from '../page/session/inspectorStore.ts';
import { KINDS } from '../page/steps/StepLine.tsx';
import { ROW, revealRow, useRowWindow } from '../page/steps/useRowWindow.ts';
import { useRows } from '../page/steps/useRows.ts';
import type { StepRow } from '../protocol/protocol.ts';
import { formatTime } from '../time/formatTime.ts';
import type { Pair } from './createPair.ts';
import type { Side } from './alignSteps.ts';

/* A table cannot render only its visible rows; elements with the roles of a grid can. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */

interface Visible {
  readonly first: number;
  readonly last: number;
}

interface Props {
  readonly pair: Pair;
  readonly labels: Readonly<Record<Side, string>>;
}

/** Shows the aligned steps of both sessions; keeps the selected row in view. */
export function AlignedGrid({ pair, labels }: Props) {
  const row = useSelected(pair.store, (state) => state.row);
  const rows = useSelected(pair.store, (state) => state.rows);
  const count = (rows?.count ?? 1) - 1;
  const scroller = useRef<HTMLDivElement>(null);
  const { first, last, shift, height, scale } = useRowWindow(scroller, count);
  useEffect(() => revealRow(scroller.current, row - 1, scale), [row, scale]);
  const id = useId();
  const go = ({ target }: MouseEvent) => {
    const line = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
    if (line !== null) pair.go(Number(line.dataset['row']));
  };
  return (
    <section className="pane" aria-label="Aligned steps">
      {/* The keys of the page move the selection. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events */}
      <div
        ref={scroller}
        className="step-grid pair-grid"
        role="grid"
        tabIndex={0}
        aria-label="Steps of both sessions"
        aria-rowcount={count + 1}
        aria-activedescendant={row > first && row <= last ? `${id}${row}` : undefined}
        onClick={go}
      >
        <div className="step-heads" role="row" aria-rowindex={1}>
          {(['a', 'b'] as const).flatMap((side) =>
            ['Step', 'Time', 'What'].map((head) => (
              <span key={`${side}${head}`} role="columnheader">
                {head}
                <span className="visually-hidden"> in {labels[side]}</span>
              </span>
            )),
          )}
        </div>
        <div className="step-rows" role="presentation" style={{ height }}>
          <div className="step-layer" role="presentation">
            <Lines pair={pair} id={id} first={first + 1} last={last + 1} shift={shift} />
          </div>
        </div>
      </div>
    </section>
  );
}

/** Renders the rows from `first` up to `last` (exclusive). */
function Lines({ pair, id, first, last, shift }: Visible & { id: string; pair: Pair; shift: number }) {
  const selected = useSelected(pair.store, (state) => state.row);
  const divergence = useSelected(pair.store, (state) => state.divergence);
  const stepA = useSideRows(pair, 'a', { first, last });
  const stepB = useSideRows(pair, 'b', { first, last });
  return Array.from({ length: Math.max(0, last - first) }, (_, offset) => {
    const row = first + offset;
    return (
      <div key={row} role="presentation" className="step-place" style={{ top: shift + offset * ROW }}>
        <div
          id={`${id}${row}`}
          className="step-line"
          role="row"
          aria-rowindex={row + 1}
          aria-selected={row === selected}
          data-row={row}
          data-divergence={divergence.kind === 'found' && divergence.row === row}
        >
          <Cells step={stepA(row)} />
          <Cells step={stepB(row)} />
        </div>
      </div>
    );
  });
}

/** Returns the step of a session in each visible row. */
function useSideRows(pair: Pair, side: Side, { first, last }: Visible) {
  const rows = useSelected(pair.store, (state) => state.rows);
  const version = useSelected(pair.sides[side].store, (state) => state.list.version);
  // The list is not filtered, so its entry 0 is step 1.
  const from = Math.max(0, (rows?.stepAt(side, Math.max(0, first - 1)) ?? 0) - 1);
  const rowAt = useRows(pair.sides[side], {
    first: from,
    last: rows?.stepAt(side, last - 1) ?? 0,
    version,
  });
  return (row: number): StepRow | undefined => {
    const step = rows?.stepIn(side, row);
    return step === undefined ? undefined : rowAt(step - 1);
  };
}

function Cells({ step }: { readonly step: StepRow | undefined }) {
  const kind = step && KINDS[step.kind];
  return (
    <>
      <span role="gridcell" className="number">
        {step?.step}
      </span>
      <span role="gridcell" className="number">
        {step && formatTime(step.t)}
      </span>
      <span role="gridcell" className="summary" data-kind={step?.kind} title={step?.summary}>
        {kind && (
          <span className="kind">
            <span className="sign" aria-hidden="true">
              {kind.sign}
            </span>
            {kind.label}
          </span>
        )}{' '}
        {step?.summary}
      </span>
    </>
  );
}
