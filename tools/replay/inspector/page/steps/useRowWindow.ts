import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';

/** A row is so high, in pixels, the heads' too; the styles say the same. */
export const ROW = 26;
/** Browsers lay out no more than some 33 million pixels; beyond this a pixel stands for more than one. */
const HIGHEST = 15_000_000;

/** What of the scroller is left for rows: the heads stay above them. */
const roomOf = (element: HTMLElement) => Math.max(0, element.clientHeight - ROW);

/** Which rows are in view. */
export interface RowWindow {
  readonly first: number;
  readonly last: number;
  /** Pixels from the top of the view to the top of row `first`; not above 0. */
  readonly shift: number;
  /** How high what scrolls must be. */
  readonly height: number;
  /** How many pixels of the list a pixel of the scroller stands for. */
  readonly scale: number;
}

/**
 * The rows of a list of any length that are in view: two million rows are more than a browser can lay out, so a long
 * list scrolls on a shorter scale, and the wheel by rows.
 */
export function useRowWindow(scroller: RefObject<HTMLElement | null>, count: number): RowWindow {
  const [view, setView] = useState({ top: 0, height: 0 });
  const height = Math.min(HIGHEST, count * ROW);
  const scale = scaleOf(count, height, view.height);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const look = () => setView({ top: element.scrollTop, height: roomOf(element) });
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [scroller]);
  useWheelByRows(scroller, scale);

  const top = (view.top * scale) / ROW;
  const first = Math.max(0, Math.floor(top));
  const last = Math.min(count, Math.ceil(top + view.height / ROW) + 1);
  return { first, last, shift: (first - top) * ROW, height, scale };
}

/** How many pixels of the list a pixel of the scroller stands for. */
function scaleOf(count: number, height: number, view: number): number {
  const whole = count * ROW;
  return whole <= height || height <= view ? 1 : (whole - view) / (height - view);
}

function useWheelByRows(scroller: RefObject<HTMLElement | null>, scale: number): void {
  useEffect(() => {
    const element = scroller.current;
    if (element === null || scale === 1) return undefined;
    const roll = (event: WheelEvent) => {
      event.preventDefault();
      element.scrollTop += event.deltaY / scale;
    };
    element.addEventListener('wheel', roll, { passive: false });
    return () => element.removeEventListener('wheel', roll);
  }, [scroller, scale]);
}

/** Scrolls as little as needed for a row to be in view, and one beside it; before the first row, to the top. */
export function revealRow(element: HTMLElement | null, index: number, scale: number): void {
  if (element === null) return;
  const top = element.scrollTop * scale;
  const highest = (index - 1) * ROW;
  const lowest = (index + 2) * ROW - roomOf(element);
  const to = Math.min(Math.max(top, lowest), Math.max(0, highest));
  if (to !== top) element.scrollTop = to / scale;
}
