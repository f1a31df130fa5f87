import { type MouseEvent, useId } from 'react';
import { Sign } from '../page/parts/controls.tsx';
import { useSelected } from '../page/session/inspectorStore.ts';
import { KINDS } from '../page/steps/StepLine.tsx';
import { ROW, useRowWindow, useRows } from '../page/steps/useRowWindow.ts';
import type { StepRow } from '../protocol/protocol.ts';
import { formatTime } from '../time/formatTime.ts';
import type { Pair } from './createPair.ts';
import type { Side } from './alignSteps.ts';

/* A table cannot render only its visible rows; elements with the roles of a grid can. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */

type Props = Readonly<{ pair: Pair; labels: Readonly<Record<Side, string>> }>;

/** Shows the aligned steps of both sessions; keeps the selected row in view. */
export function AlignedGrid({ pair, labels }: Props) {
  const { row, rows, divergence } = useSelected(pair.store, (state) => state);
  const count = (rows?.count ?? 1) - 1;
  const { scroller, first, last, shift, height } = useRowWindow({ count, index: row - 1 });
  const stepA = useSideRows(pair, 'a', { first, last });
  const stepB = useSideRows(pair, 'b', { first, last });
  const visible = Array.from({ length: Math.max(0, last - first) }, (_, offset) => first + 1 + offset);
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
        <Heads labels={labels} />
        <div className="step-rows" role="presentation" style={{ height }}>
          <div className="step-layer" role="presentation">
            {visible.map((at, offset) => (
              <div key={at} role="presentation" className="step-place" style={{ top: shift + offset * ROW }}>
                <div
                  id={`${id}${at}`}
                  className="step-line"
                  role="row"
                  aria-rowindex={at + 1}
                  aria-selected={at === row}
                  data-row={at}
                  data-divergence={divergence.kind === 'found' && divergence.row === at}
                >
                  <Cells step={stepA(at)} />
                  <Cells step={stepB(at)} />
                </div>
              </div>
            ))}
          </div>
        </div>
      </div>
    </section>
  );
}

const Heads = ({ labels }: Pick<Props, 'labels'>) => (
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
);

/** Returns the step of a session in each row after `first` up to `last`. */
function useSideRows(pair: Pair, side: Side, { first, last }: Record<'first' | 'last', number>) {
  const rows = useSelected(pair.store, (state) => state.rows);
  const version = useSelected(pair.sides[side].store, (state) => state.list.version);
  // The list is not filtered, so its entry 0 is step 1.
  const from = Math.max(0, (rows?.stepAt(side, first) ?? 0) - 1);
  const rowAt = useRows(pair.sides[side], { first: from, last: rows?.stepAt(side, last) ?? 0, version });
  return (row: number): StepRow | undefined => rowAt((rows?.stepIn(side, row) ?? 0) - 1);
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
            <Sign>{kind.sign}</Sign>
            {kind.label}
          </span>
        )}{' '}
        {step?.summary}
      </span>
    </>
  );
}
