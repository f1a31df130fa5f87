import { type KeyboardEvent, type PointerEvent, memo } from 'react';
import { formatTime } from '../../time/formatTime.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { shownSteps, type Range } from '../session/inspectorState.ts';

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

/** Returns the time under the pointer. */
export function timeAt(event: { currentTarget: Element; clientX: number }, { from, to }: Range): number {
  const { left, width } = event.currentTarget.getBoundingClientRect();
  const share = Math.min(1, Math.max(0, (event.clientX - left) / Math.max(1, width)));
  return from + share * (to - from);
}

/** The minimum distance between two marks, in pixels. */
const MIN_DISTANCE = 110;
/** The minimum distance of a mark from the right end, in pixels; its label would be cut off closer to it. */
const MIN_LABEL_WIDTH = 44;

/** Returns a round interval, at least 1 ms, that keeps the marks apart. */
function roundStep(length: number, width: number): number {
  const least = (length * MIN_DISTANCE) / Math.max(1, width);
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
}

interface Props {
  readonly zoom: Range;
  /** In pixels. */
  readonly width: number;
}

/** Shows the times above the timeline. */
const Ruler = memo(function Ruler({ zoom: { from, to }, width }: Props) {
  const step = roundStep(to - from, width);
  const first = Math.ceil(from / step);
  const count = Math.max(0, Math.floor(to / step) - first + 1);
  return Array.from({ length: count }, (_, index) => (first + index) * step).map((t) => (
    <span key={t} className="mark" style={{ insetInlineStart: `${((t - from) / (to - from)) * 100}%` }}>
      {((to - t) / (to - from)) * width >= MIN_LABEL_WIDTH && formatTime(t)}
    </span>
  ));
});
