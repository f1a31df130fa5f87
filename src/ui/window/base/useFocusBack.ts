import { type RefObject, useLayoutEffect } from 'react';
import { QUIETLY, useWindowCommands } from './WindowCommands.ts';

/** Moves the focus of an element that disappears to another one. */
export function useFocusBack(
  element: RefObject<HTMLElement | null>,
  next: RefObject<HTMLElement | null>,
): void {
  const { focus } = useWindowCommands();
  useLayoutEffect(() => {
    const [from, to] = [element.current, next.current];
    return () => {
      if (from !== null && from === document.activeElement) focus(to, QUIETLY);
    };
  }, [focus, element, next]);
}
