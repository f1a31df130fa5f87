import { type MouseEvent, type PointerEvent, useRef, useState } from 'react';
import type { Inspector } from '../session/createInspector.ts';
import type { Range } from '../session/state.ts';

/** The distance from which a press is a drag, in pixels. */
const DRAG_DISTANCE = 4;

/** Returns the time under the pointer. */
export function timeAt(event: { currentTarget: Element; clientX: number }, { from, to }: Range): number {
  const { left, width } = event.currentTarget.getBoundingClientRect();
  const share = Math.min(1, Math.max(0, (event.clientX - left) / Math.max(1, width)));
  return from + share * (to - from);
}

const ordered = (a: number, b: number): Range => ({ from: Math.min(a, b), to: Math.max(a, b) });

/** Handles the pointer: a drag selects a range, a click selects a step, a double click zooms to the time. */
export function usePlotPointer({ navigate, timeline }: Inspector, zoom: Range) {
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
      else void timeline.select(newest.current);
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
