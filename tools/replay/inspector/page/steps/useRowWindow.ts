import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';

/** The height of a row and of the header, in pixels; equal to that in the styles. */
export const ROW = 26;
/** The maximum height, in pixels, because browsers lay out about 33 million; longer lists scroll on a shorter scale. */
const MAX_HEIGHT = 15_000_000;

/** Returns the height of the scroller without the header, in pixels. */
const viewHeight = (element: HTMLElement) => Math.max(0, element.clientHeight - ROW);

/** The visible rows. */
interface RowWindow {
  readonly first: number;
  readonly last: number;
  /** Pixels from the top of the view to the top of row `first`; not above 0. */
  readonly shift: number;
  /** The height of the scrolled content, in pixels. */
  readonly height: number;
  /** The number of pixels of the list for each pixel of the scroller. */
  readonly scale: number;
}

/**
 * Returns the visible rows of a list of any length. Browsers cannot lay out two million rows, so a long list scrolls on a shorter
 * scale, and the wheel moves by rows.
 */
export function useRowWindow(scroller: RefObject<HTMLElement | null>, count: number): RowWindow {
  const [view, setView] = useState({ top: 0, height: 0 });
  const height = Math.min(MAX_HEIGHT, count * ROW);
  const scale = scaleOf(count, height, view.height);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const look = () => setView({ top: element.scrollTop, height: viewHeight(element) });
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

/** Returns the number of pixels of the list for each pixel of the scroller. */
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

/** Scrolls so that a row is in the middle, and the first visible row is complete. */
export function centerRow(element: HTMLElement | null, index: number, scale: number): void {
  if (element === null) return;
  const rowsAbove = Math.round((viewHeight(element) / ROW - 1) / 2);
  const to = Math.max(0, (index - rowsAbove) * ROW);
  if (to !== element.scrollTop * scale) element.scrollTop = to / scale;
}

/** Scrolls by the minimum that shows a row and one next to it; before the first row, to the top. */
export function revealRow(element: HTMLElement | null, index: number, scale: number): void {
  if (element === null) return;
  const top = element.scrollTop * scale;
  const highest = (index - 1) * ROW;
  const lowest = (index + 2) * ROW - viewHeight(element);
  const to = Math.min(Math.max(top, lowest), Math.max(0, highest));
  if (to !== top) element.scrollTop = to / scale;
}
