import { useLayoutEffect, useState } from 'react';

/** Returns the size of an element, in pixels; 0 while there is no element. Re-renders when it changes. */
export function useSize(element: Element | null | undefined): Pick<DOMRect, 'width' | 'height'> {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    if (!element) return undefined;
    const look = () => setSize(element.getBoundingClientRect());
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [element]);
  return size;
}
