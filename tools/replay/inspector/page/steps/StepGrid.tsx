import { type CSSProperties, type KeyboardEvent, useId, useRef } from 'react';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { shownInfo, shownSteps } from '../session/inspectorState.ts';
import { formatTime } from '../../time/formatTime.ts';
import type { StepRow } from '../../protocol/protocol.ts';
import { StepLine } from './StepLine.tsx';
import { ROW, useRowWindow, useRows } from './useRowWindow.ts';

/* A table cannot render only its visible rows; elements with the roles of a grid can. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */

const HEADS = ['Step', 'Time', 'Kind', 'Waited', 'Size', 'What'];

/** Returns the widths of the step numbers and of the times in characters, which are those of the last step. */
const widths = (steps: number, duration: number): CSSProperties & Record<`--${string}`, number> => ({
  '--digits': Math.max(4, String(steps).length),
  '--time-length': formatTime(duration).length,
});

/** Returns whether a row is that of a step, or of edits that contain it. */
const isWithin = (step: number | undefined, { step: last, edits }: StepRow): boolean =>
  step === last || (step !== undefined && edits?.isOpen === false && step >= edits.first && step < last);

/** Shows the filtered steps; keeps the selected one in the middle. A clicked one stays under the pointer, for a double click. */
export function StepGrid() {
  const { navigate, store } = useInspector();
  const { count, index } = useInspectorState((state) => state.list);
  const steps = useInspectorState(shownSteps);
  const duration = useInspectorState((state) => shownInfo(state)?.duration ?? 0);
  const clicked = useRef<number>(undefined);
  const isCentered = () => clicked.current !== store.get().step;
  const { scroller, height, ...shown } = useRowWindow({ count, index, isCentered });
  const onKeyDown = useGridKeys(Math.max(1, shown.last - shown.first - 3));
  const id = useId();
  const go = (step: number) => {
    clicked.current = step;
    navigate.go(step);
  };
  return (
    <div
      ref={scroller}
      className="step-grid"
      style={widths(steps, duration)}
      role="grid"
      tabIndex={0}
      aria-label="Steps"
      aria-rowcount={count + 1}
      aria-activedescendant={index >= shown.first && index < shown.last ? `${id}${index}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div className="step-heads" role="row" aria-rowindex={1}>
        {HEADS.map((label) => (
          <span key={label} role="columnheader">
            {label}
          </span>
        ))}
      </div>
      <div className="step-rows" role="presentation" style={{ height }}>
        <div className="step-layer" role="presentation">
          <Lines id={id} onGo={go} {...shown} />
        </div>
      </div>
    </div>
  );
}

interface LinesProps extends Pick<ReturnType<typeof useRowWindow>, 'first' | 'last' | 'shift'> {
  readonly id: string;
  readonly onGo: (step: number) => void;
}

function Lines({ id, first, last, shift, onGo }: LinesProps) {
  const version = useInspectorState((state) => state.list.version);
  const step = useInspectorState((state) => state.view?.step);
  const pinned = useInspectorState((state) => (state.compare === 'pinned' ? state.pinned : undefined));
  const inspector = useInspector();
  const rowAt = useRows(inspector, { first, last, version });
  return Array.from({ length: Math.max(0, last - first) }, (_, offset) => {
    const index = first + offset;
    const row = rowAt(index);
    return (
      row && (
        <div
          key={index}
          role="presentation"
          className="step-place"
          style={{ top: shift + offset * ROW }}
          onClick={() => onGo(row.step)}
          onDoubleClick={() => inspector.timeline.zoomTo(row.t)}
        >
          <StepLine
            id={`${id}${index}`}
            row={row}
            index={index}
            selected={isWithin(step, row)}
            based={row.step === pinned}
            onToggle={inspector.list.toggleEdits}
          />
        </div>
      )
    );
  });
}

/**
 * Handles the keys of the list, which move between its entries and skip filtered steps. Enter shows edits of one field one by one, or as one row
 * again; so does the right arrow on their row, and the left arrow on the first of them. Elsewhere these arrows go through the steps, as on the whole page.
 */
function useGridKeys(page: number): (event: KeyboardEvent) => void {
  const { list, navigate, store, fail } = useInspector();
  const moves: Readonly<Record<string, number>> = {
    ArrowUp: -1,
    ArrowDown: 1,
    PageUp: -page,
    PageDown: page,
    Home: -Infinity,
    End: Infinity,
  };
  const move = async (entries: number) => {
    const step = await list.stepAfter(entries);
    if (step !== undefined) navigate.go(step);
  };
  const toggle = async (key: string) => {
    const edits = await list.selectedEdits();
    const isWanted =
      edits &&
      (key === 'Enter' ||
        (key === 'ArrowRight' ? !edits.isOpen : edits.isOpen && store.get().step === edits.first));
    if (isWanted) list.toggleEdits(edits);
    else if (key !== 'Enter') navigate.by(key === 'ArrowRight' ? 1 : -1);
  };
  return (event) => {
    const entries = moves[event.key];
    const isToggle = ['Enter', 'ArrowLeft', 'ArrowRight'].includes(event.key);
    if (entries === undefined && !isToggle) return;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    (entries === undefined ? toggle(event.key) : move(entries)).catch(fail);
  };
}
