import { useEffect, useRef } from 'react';
import { printedCharacter } from './keys.ts';

const FIELDS =
  'input, textarea, select, [contenteditable]:not([contenteditable="false"]), dialog, [role="menu"]';
const isMac = navigator.userAgent.includes('Mac OS');

interface Options {
  /** A character was typed outside of any field. Whether it was taken is answered. */
  readonly onCharacter: (character: string) => boolean;
  readonly onEscape: () => void;
  /** An alert stands before the window: keys are its own. */
  readonly isInert: boolean;
}

/** Hears the keys that are pressed anywhere in the window but in a field, a menu or an alert (spec §4.4.1). */
export function useOpeningKeys(options: Options): void {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const { onCharacter, onEscape, isInert } = latest.current;
      const isInField = event.target instanceof Element && event.target.closest(FIELDS) !== null;
      if (isInert || isInField || event.defaultPrevented) return;
      if (event.key === 'Escape' && !event.isComposing) onEscape();
      const character = printedCharacter(event, isMac);
      if (character !== null && onCharacter(character)) event.preventDefault();
    };
    window.addEventListener('keydown', hear);
    return () => window.removeEventListener('keydown', hear);
  }, []);
}
