import { useEffect, useRef } from 'react';
import { printedCharacter } from './keys.ts';

const FIELDS =
  'input, textarea, select, [contenteditable]:not([contenteditable="false"]), dialog, [role="menu"]';
const isMac = navigator.userAgent.includes('Mac OS');

interface Options {
  /** Called when a character is typed outside of any field. Returns whether it was used. */
  readonly onCharacter: (character: string) => boolean;
  readonly onEscape: () => void;
  /** Whether a dialog or an alert is open, which gets the keys itself. */
  readonly isInert: boolean;
}

/** Listens to the keys that are pressed in the window outside of fields, menus and dialogs (spec §4.4.1). */
export function useOpeningKeys(options: Options): void {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { onCharacter, onEscape, isInert } = latest.current;
      const isInField = event.target instanceof Element && event.target.closest(FIELDS) !== null;
      if (isInert || isInField || event.defaultPrevented) return;
      if (event.key === 'Escape' && !event.isComposing) onEscape();
      const character = printedCharacter(event, isMac);
      if (character !== null && onCharacter(character)) event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
