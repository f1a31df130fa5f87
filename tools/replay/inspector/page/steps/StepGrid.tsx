import {
  type CSSProperties,
  type MouseEvent,
  type RefObject,
  useEffect,
  useId,
  useRef,
  type KeyboardEvent,
} from 'react';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { shownSteps } from '../session/inspectorState.ts';
import type { EditGroup, StepRow } from '../../protocol/protocol.ts';
import { StepLine } from './StepLine.tsx';
import { ROW, centerRow, revealRow, useRowWindow } from './useRowWindow.ts';
import { useRows } from './useRows.ts';

/* A table cannot render only its visible rows; elements with the roles of a grid can. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */

const HEADS = ['Step', 'Time', 'Kind', 'Waited', 'Size', 'What'];

/** Reads a number from the row under the pointer. */
function numberUnder({ target }: MouseEvent, field: 'step' | 't'): number | undefined {
  const line = target instanceof Element ? target.closest<HTMLElement>('[data-step]') : null;
  return line === null ? undefined : Number(line.dataset[field]);
}

/** Returns the width of the step numbers in digits, which is that of the largest one. */
const digits = (steps: number): CSSProperties & Record<'--digits', number> => ({
  '--digits': Math.max(4, String(steps).length),
});

/** Shows the filtered steps; keeps the selected one in the middle. */
export function StepGrid() {
  const { navigate, timeline } = useInspector();
  const count = useInspectorState((state) => state.list.count);
  const index = useInspectorState((state) => state.list.index);
  const scroller = useRef<HTMLDivElement>(null);
  const { first, last, shift, height, scale } = useRowWindow(scroller, count);
  const markClicked = useSelectedInMiddle(scroller, scale);
  const steps = useInspectorState(shownSteps);
  const onKeyDown = useGridKeys(Math.max(1, last - first - 3));
  const id = useId();
  const go = (event: MouseEvent) => {
    const step = numberUnder(event, 'step');
    if (step === undefined) return;
    markClicked(step);
    navigate.go(step);
  };
  const zoom = (event: MouseEvent) => {
    const t = numberUnder(event, 't');
    if (t !== undefined) timeline.zoomTo(t);
  };
  return (
    <div
      ref={scroller}
      className="step-grid"
      style={digits(steps)}
      role="grid"
      tabIndex={0}
      aria-label="Steps"
      aria-rowcount={count + 1}
      aria-activedescendant={index >= first && index < last ? `${id}${index}` : undefined}
      onKeyDown={onKeyDown}
      onClick={go}
      onDoubleClick={zoom}
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
          <Lines id={id} first={first} last={last} shift={shift} />
        </div>
      </div>
    </div>
  );
}

/**
 * Scrolls so that the selected step is in the middle. Returns a function for a click on a step, which then stays under the pointer, for a
 * double click.
 */
function useSelectedInMiddle(scroller: RefObject<HTMLElement | null>, scale: number): (step: number) => void {
  const { store } = useInspector();
  const index = useInspectorState((state) => state.list.index);
  const isEmpty = useInspectorState((state) => state.list.count === 0);
  const clicked = useRef<number>(undefined);
  useEffect(() => {
    if (isEmpty) return;
    const isClicked = clicked.current === store.get().step;
    (isClicked ? revealRow : centerRow)(scroller.current, index, scale);
  }, [scroller, store, index, scale, isEmpty]);
  return (step) => {
    clicked.current = step;
  };
}

/** Returns whether a row is that of a step, or of edits that contain it. */
const isWithin = (step: number | undefined, { step: last, edits }: StepRow): boolean =>
  step === last || (step !== undefined && edits?.isOpen === false && step >= edits.first && step < last);

interface LinesProps {
  readonly id: string;
  readonly first: number;
  readonly last: number;
  readonly shift: number;
}

function Lines({ id, first, last, shift }: LinesProps) {
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
        <div key={index} role="presentation" className="step-place" style={{ top: shift + offset * ROW }}>
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
  const move = (entries: number) => async () => {
    const step = await list.stepAfter(entries);
    if (step !== undefined) navigate.go(step);
  };
  const toggle =
    (isWanted: (edits: EditGroup) => boolean, otherwise = 0) =>
    async () => {
      const edits = await list.selectedEdits();
      if (edits !== undefined && isWanted(edits)) list.toggleEdits(edits);
      else if (otherwise !== 0) navigate.by(otherwise);
    };
  const actions: Readonly<Record<string, () => Promise<void>>> = {
    ArrowUp: move(-1),
    ArrowDown: move(1),
    PageUp: move(-page),
    PageDown: move(page),
    Home: move(-Infinity),
    End: move(Infinity),
    Enter: toggle(() => true),
    ArrowRight: toggle(({ isOpen }) => !isOpen, 1),
    ArrowLeft: toggle(({ first, isOpen }) => isOpen && store.get().step === first, -1),
  };
  return (event) => {
    const action = actions[event.key];
    if (action === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    action().catch(fail);
  };
}
