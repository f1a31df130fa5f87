import { type KeyboardEvent, type MouseEvent, type PointerEvent, memo, useEffect, useState } from 'react';
import { formatTime } from '../../time/formatTime.ts';
import { flushSync } from 'react-dom';
import { IconButton } from '../parts/controls.tsx';
import { useSize } from '../parts/useSize.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import type { Inspector } from '../session/createInspector.ts';
import { shownInfo, shownSteps, type Range } from '../session/inspectorState.ts';
import { ErrorMarks, Playhead, RangeShade, StepMark, Plot, describeLongestQueue, lanesOf } from './Plot.tsx';

/** The width of a column, in pixels. */
const COLUMN = 2;

interface Props {
  readonly name?: string;
  /** A step that the chart marks. */
  readonly markedStep?: number | undefined;
}

/** Shows frames, updates, the queue, the connection and errors over time; dragging a range limits every pane to it. */
export function TimelinePane({ name = 'Timeline', markedStep }: Props) {
  return (
    <section className="timeline" aria-label={name}>
      <Legend />
      <Chart markedStep={markedStep} />
    </section>
  );
}

function Legend() {
  const inspector = useInspector();
  const middle = () => {
    const { view, zoom } = inspector.store.get();
    const t = view?.row?.t ?? zoom.from;
    return t >= zoom.from && t <= zoom.to ? t : (zoom.from + zoom.to) / 2;
  };
  const timeline = useInspectorState((state) => state.timeline);
  const lanes = useInspectorState((state) => lanesOf(shownInfo(state)));
  return (
    <div className="legend">
      <fieldset className="zoom" aria-label="Zoom">
        <IconButton icon="minus" name="Zoom out" onClick={() => inspector.timeline.scale(2, middle())} />
        <IconButton icon="whole" name="Whole session" onClick={() => inspector.timeline.zoom()} />
        <IconButton icon="plus" name="Zoom in" onClick={() => inspector.timeline.scale(0.5, middle())} />
      </fieldset>
      <span className="connection" style={{ top: 26 }}>
        Connection
      </span>
      {lanes.map(({ id, label, top }) => (
        <span key={id} className={id} style={{ top }}>
          {label}
          {id === 'queue' && timeline !== undefined && <small>{describeLongestQueue(timeline)}</small>}
        </span>
      ))}
    </div>
  );
}

function Chart({ markedStep }: Pick<Props, 'markedStep'>) {
  const inspector = useInspector();
  const zoom = useInspectorState((state) => state.zoom);
  const timeline = useInspectorState((state) => state.timeline);
  const lanes = useInspectorState((state) => lanesOf(shownInfo(state)));
  const [chart, setChart] = useState<HTMLElement | null>(null);
  const { width } = useSize(chart);
  const columns = Math.floor(width / COLUMN);
  useEffect(() => inspector.timeline.setColumns(columns), [inspector, columns]);
  const { dragged, handlers } = usePlotPointer(inspector, zoom);
  return (
    <div ref={setChart} className="chart">
      <Scrubber width={width} />
      {/* The scrubber, the fields and the keys do the same as the pointer does here. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className="plot-area" data-testid="plot" {...handlers}>
        {timeline && <Plot timeline={timeline} lanes={lanes} />}
        <RangeShade dragged={dragged} />
        <ErrorMarks onGo={inspector.navigate.go} />
      </div>
      {markedStep !== undefined && <StepMark step={markedStep} />}
      <Playhead />
    </div>
  );
}

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
function Scrubber({ width }: { readonly width: number }) {
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
function timeAt(event: { currentTarget: Element; clientX: number }, { from, to }: Range): number {
  const { left, width } = event.currentTarget.getBoundingClientRect();
  const share = Math.min(1, Math.max(0, (event.clientX - left) / Math.max(1, width)));
  return from + share * (to - from);
}

/** The minimum distance between two marks, in pixels. */
const MIN_DISTANCE = 110;
/** The minimum distance of a mark from the right end, in pixels; its label would be cut off closer to it. */
const MIN_LABEL_WIDTH = 44;

/** Returns a round interval, at least `least` and 1 ms. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
}

/** Shows the times above the timeline. */
const Ruler = memo(function Ruler({ zoom, width }: { readonly zoom: Range; readonly width: number }) {
  const { from, to } = zoom;
  const step = roundStep(((to - from) * MIN_DISTANCE) / Math.max(1, width));
  const first = Math.ceil(from / step);
  const count = Math.max(0, Math.floor(to / step) - first + 1);
  return Array.from({ length: count }, (_, index) => (first + index) * step).map((t) => (
    <span key={t} className="mark" style={{ insetInlineStart: `${((t - from) / (to - from)) * 100}%` }}>
      {((to - t) / (to - from)) * width >= MIN_LABEL_WIDTH && formatTime(t)}
    </span>
  ));
});

/** The distance from which a press is a drag, in pixels. */
const DRAG_DISTANCE = 4;

/** A press on the plot: where it began, and the range that it has dragged. */
type Press = Readonly<{ x: number; t: number; range?: Range }>;

/** Handles the pointer: a drag selects a range, a click selects a step, a double click zooms to the time. */
function usePlotPointer({ navigate, timeline }: Inspector, zoom: Range) {
  const [press, setPress] = useState<Press>();
  // Otherwise, the pointer could be released before the last move is rendered.
  const set = (next: Press | undefined) => flushSync(() => setPress(next));
  const handlers = {
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      set({ x: event.clientX, t: timeAt(event, zoom) });
    },
    onPointerMove(event: PointerEvent) {
      if (press === undefined) return;
      if (press.range === undefined && Math.abs(event.clientX - press.x) < DRAG_DISTANCE) return;
      const t = timeAt(event, zoom);
      set({ ...press, range: { from: Math.min(press.t, t), to: Math.max(press.t, t) } });
    },
    onPointerUp() {
      if (press?.range !== undefined) timeline.select(press.range);
      else if (press !== undefined) navigate.goToTime(press.t);
      set(undefined);
    },
    onPointerCancel: () => set(undefined),
    onDoubleClick: (event: MouseEvent) => timeline.zoomTo(timeAt(event, zoom)),
  };
  return { dragged: press?.range, handlers };
}
