import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { IconButton } from '../parts/controls.tsx';
import { useSize } from '../parts/useSize.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import type { Inspector } from '../session/createInspector.ts';
import { shownInfo, type Range } from '../session/inspectorState.ts';
import { ErrorMarks, Playhead, RangeShade, StepMark, Plot, describeLongestQueue, lanesOf } from './Plot.tsx';
import { Scrubber, timeAt } from './Scrubber.tsx';

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
      <span className="legend-connection">Connection</span>
      {lanes.map(({ id, label }) => (
        <span key={id} className={`legend-${id}`}>
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

/** The distance from which a press is a drag, in pixels. */
const DRAG_DISTANCE = 4;

const ordered = (a: number, b: number): Range => ({ from: Math.min(a, b), to: Math.max(a, b) });

/** Handles the pointer: a drag selects a range, a click selects a step, a double click zooms to the time. */
function usePlotPointer({ navigate, timeline }: Inspector, zoom: Range) {
  const pressStart = useRef<{ readonly x: number; readonly t: number }>(undefined);
  const [dragged, setDragged] = useState<Range>();
  // The pointer can be released before the last move is rendered.
  const newest = useRef<Range>(undefined);
  const drag = (range: Range | undefined) => {
    newest.current = range;
    setDragged(range);
  };
  const handlers = {
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      pressStart.current = { x: event.clientX, t: timeAt(event, zoom) };
    },
    onPointerMove(event: PointerEvent) {
      const from = pressStart.current;
      if (from === undefined) return;
      if (newest.current !== undefined || Math.abs(event.clientX - from.x) >= DRAG_DISTANCE)
        drag(ordered(from.t, timeAt(event, zoom)));
    },
    onPointerUp() {
      if (pressStart.current === undefined) return;
      if (newest.current === undefined) navigate.goToTime(pressStart.current.t);
      else timeline.select(newest.current);
      pressStart.current = undefined;
      drag(undefined);
    },
    onPointerCancel() {
      pressStart.current = undefined;
      drag(undefined);
    },
    onDoubleClick: (event: MouseEvent) => timeline.zoomTo(timeAt(event, zoom)),
  };
  return { dragged, handlers };
}
