import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Direction } from '#ui/find/hitList.ts';
import { usePicture } from '../base/Picture.ts';
import { stepOfKey } from './findKey.ts';

interface Options {
  readonly step: (direction: Direction) => void;
  /** Closes the bar, and returns to the position before the search. */
  readonly cancel: () => void;
}

/** Elements whose Escape is their own. */
const OTHERS = 'dialog, [role="menu"], .text-box';

/** Follows the keys of the find bar in the whole window, also while the focus is in the conversation. */
export function useFindKeys(options: Options): void {
  const newest = useRef(options);
  const isPicture = usePicture() !== null;
  useLayoutEffect(() => {
    newest.current = options;
  });
  useEffect(() => {
    if (isPicture) return undefined;
    const follow = (event: KeyboardEvent) => {
      const isOthers = event.target instanceof Element && event.target.closest(OTHERS) !== null;
      const step = stepOfKey(event);
      if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return;
      if (step !== null) newest.current.step(step);
      else if (event.key === 'Escape' && !isOthers) newest.current.cancel();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', follow);
    return () => window.removeEventListener('keydown', follow);
  }, [isPicture]);
}
