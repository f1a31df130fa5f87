import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { StepRow } from '../../protocol/protocol.ts';
import type { Inspector } from '../session/createInspector.ts';
import { useLoaded } from '../session/useLoaded.ts';

/** The height of a row and of the header, in pixels; equal to that in the styles. */
export const ROW = 26;
/** The maximum height, in pixels, because browsers lay out about 33 million; longer lists scroll on a shorter scale. */
const MAX_HEIGHT = 15_000_000;

interface RowList {
  readonly count: number;
  /** The index of the selected row. */
  readonly index: number;
  /** Whether to scroll the selected row to the middle; otherwise by the minimum that shows it and one next to it. */
  readonly isCentered?: () => boolean;
}

/**
 * Returns the visible rows of a list of any length, which the list must set as its `scroller`; keeps the selected row in view. Browsers cannot
 * lay out two million rows, so a long list scrolls on a shorter scale, and the wheel moves by rows. `shift`: pixels from the top of the view to
 * the top of row `first`; not above 0. `height`: that of the scrolled content, in pixels.
 */
export function useRowWindow({ count, index, isCentered }: RowList) {
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 0 });
  const height = Math.min(MAX_HEIGHT, count * ROW);
  /** The number of pixels of the list for each pixel of the scroller. */
  const scale = height < count * ROW ? (count * ROW - view.height) / (height - view.height) : 1;

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const look = () => setView({ top: element.scrollTop, height: Math.max(0, element.clientHeight - ROW) });
    const roll = (event: WheelEvent) => {
      event.preventDefault();
      element.scrollTop += event.deltaY / scale;
    };
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    if (scale !== 1) element.addEventListener('wheel', roll, { passive: false });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', look);
      element.removeEventListener('wheel', roll);
    };
  }, [scale]);
  const isEmpty = count === 0;
  useEffect(() => {
    const element = scroller.current;
    if (element === null || isEmpty) return;
    const room = Math.max(0, element.clientHeight - ROW);
    // The first visible row is complete.
    const centered = (index - Math.round((room / ROW - 1) / 2)) * ROW;
    const [lowest, highest] = [(index + 2) * ROW - room, Math.max(0, (index - 1) * ROW)];
    const nearest = Math.min(Math.max(element.scrollTop * scale, lowest), highest);
    element.scrollTop = (isCentered?.() === true ? centered : nearest) / scale;
    // oxlint-disable-next-line react/exhaustive-deps
  }, [index, scale, isEmpty]);

  const top = (view.top * scale) / ROW;
  const first = Math.floor(top);
  const last = Math.min(count, Math.ceil(top + view.height / ROW) + 1);
  return { scroller, first, last, shift: (first - top) * ROW, height };
}

/** The rows that are fetched begin and end at multiples of this number. */
const ROWS_PER_PAGE = 100;

/**
 * Returns rows `first` to `last` of the filtered list of an inspector; `undefined` for rows that have not been fetched yet. The former rows remain
 * until the new ones have arrived: their elements remain, also under a click.
 */
export function useRows(
  inspector: Inspector,
  { first, last, version }: Record<'first' | 'last' | 'version', number>,
) {
  const from = Math.floor(first / ROWS_PER_PAGE) * ROWS_PER_PAGE;
  const to = Math.ceil(last / ROWS_PER_PAGE) * ROWS_PER_PAGE;
  const load = async () => ({ from, rows: await inspector.client.request('rows', { from, to }) });
  const fetched = useLoaded(inspector, load, [from, to, version]);
  return (index: number): StepRow | undefined => fetched?.rows[index - fetched.from];
}
