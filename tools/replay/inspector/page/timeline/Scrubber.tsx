import type { KeyboardEvent, PointerEvent } from 'react';
import { formatTime } from '../../time/formatTime.ts';
import { shownSteps } from '../session/state.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { Ruler } from './Ruler.tsx';
import { timeAt } from './usePlotPointer.ts';

/** The number of steps by which each key moves. */
const MOVES: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageUp: 10,
  PageDown: -10,
};

/** Shows the times and the handle that moves through the session. */
export function Scrubber({ width }: { readonly width: number }) {
  const { navigate } = useInspector();
  const zoom = useInspectorState((state) => state.zoom);
  const step = useInspectorState((state) => state.step);
  const steps = useInspectorState(shownSteps);
  const t = useInspectorState((state) => state.view?.row?.t ?? 0);
  const scrub = (event: PointerEvent) => {
    if (event.buttons === 1) navigate.goToTime(timeAt(event, zoom));
  };
  const key = (event: KeyboardEvent) => {
    // Home and End are keys of the page.
    const move = MOVES[event.key];
    if (move === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    navigate.by(move);
  };
  return (
    <div
      className="scrubber"
      // No input element supports a handle with times drawn in it.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="slider"
      tabIndex={0}
      aria-label="Step"
      aria-valuemin={0}
      aria-valuemax={steps}
      aria-valuenow={step}
      aria-valuetext={step === 0 ? 'Before the first step' : `Step ${step} of ${steps}, ${formatTime(t)}`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        scrub(event);
      }}
      onPointerMove={scrub}
      onKeyDown={key}
    >
      <Ruler zoom={zoom} width={width} />
    </div>
  );
}
