import { type RefObject, useCallback, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { VirtualizerHandle } from 'virtua';

/**
 * The height of the rows that are drawn beyond the view, in CSS pixels. A browser that scrolls without waiting for the window shows an empty
 * strip where no row is drawn yet: while the person scrolls, it is that of 100 ms of a fast touchpad.
 */
const BUFFER = { atRest: 400, scrolling: 1200 } as const;

/** The height of the shortest row, one line without a label, in CSS pixels. */
const SHORTEST_ROW = 48;
/** A jump is prepared for rows of this part of the mean height: more of the long rows would take too long to draw. */
const SHORTEST_PART = 1 / 6;

interface Position {
  readonly buffer: number;
  /** The rows that a jump draws. */
  readonly jumpedTo: readonly number[];
}

const AT_REST: Position = { buffer: BUFFER.atRest, jumpedTo: [] };

interface ScrolledRows extends Position {
  readonly onScroll: (top: number) => void;
  readonly onScrollEnd: () => void;
}

/**
 * Has the rows of a scrolled list of `count` rows drawn in the frame that shows the new position. By itself React would draw them after the frame,
 * because a scroll event is not urgent to it.
 */
export function useScrolledRows(
  virtualizer: RefObject<VirtualizerHandle | null>,
  count: number,
): ScrolledRows {
  const [position, setPosition] = useState(AT_REST);
  const lastTop = useRef(0);
  const onScroll = useCallback(
    (top: number) => {
      const [list, from] = [virtualizer.current, lastTop.current];
      lastTop.current = top;
      const isJump = list !== null && Math.abs(top - from) > list.viewportSize;
      // Each position is a new object, so each event draws.
      const jumpedTo = isJump ? rowsAfterJump(list, from, count) : [];
      flushSync(() => setPosition({ buffer: BUFFER.scrolling, jumpedTo }));
    },
    [virtualizer, count],
  );
  const onScrollEnd = useCallback(() => setPosition(AT_REST), []);
  return { ...position, onScroll, onScrollEnd };
}

/**
 * Returns the rows to draw after a jump by more than the view, as a drag of the scroll bar makes. The list draws the rows that fill the view if
 * they have the expected heights. When they are shorter, the list adds rows, but hides them until it has measured them in the next frame: the
 * view would have an empty strip.
 */
function rowsAfterJump(list: VirtualizerHandle, from: number, count: number): readonly number[] {
  const top = list.scrollOffset;
  const first = list.findItemIndex(top);
  // While rows are measured, the list keeps the position of this one.
  const kept = top > from ? first + 1 : first;
  const offset = list.getItemOffset(kept);
  const shortest = Math.max(SHORTEST_ROW, (SHORTEST_PART * list.scrollSize) / count);
  const rowsIn = (height: number) => Math.max(0, Math.ceil(height / shortest));
  const start = Math.max(0, kept - rowsIn(offset - top));
  const end = Math.min(count, kept + rowsIn(top + list.viewportSize - offset));
  return Array.from({ length: end - start }, (_, at) => start + at);
}
