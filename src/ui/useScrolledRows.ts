import { useCallback, useState } from 'react';
import { flushSync } from 'react-dom';

/**
 * The height of the rows that are drawn beyond the view, in CSS pixels. The browser scrolls without waiting for the window, and shows an empty
 * strip where no row is drawn yet: while the person scrolls, it is that of 100 ms of a fast touchpad.
 */
const BUFFER = { atRest: 400, scrolling: 1200 } as const;

interface ScrolledRows {
  readonly buffer: number;
  readonly onScroll: () => void;
  readonly onScrollEnd: () => void;
}

/**
 * Has the rows of a scrolled list drawn in the frame that shows the new position. By itself React would draw them after the frame, because a
 * scroll event is not urgent to it.
 */
export function useScrolledRows(): ScrolledRows {
  const [position, setPosition] = useState({ isScrolling: false });
  // Each position is a new object, so each event draws.
  const onScroll = useCallback(() => flushSync(() => setPosition({ isScrolling: true })), []);
  const onScrollEnd = useCallback(() => setPosition({ isScrolling: false }), []);
  return { buffer: position.isScrolling ? BUFFER.scrolling : BUFFER.atRest, onScroll, onScrollEnd };
}
