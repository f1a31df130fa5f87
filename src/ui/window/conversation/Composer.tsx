import { type RefObject, useLayoutEffect } from 'react';
import { useSelector } from 'react-redux';
import { selectInitials } from '#shared/store/selectors.ts';
import { textBoxOpened } from '#shared/window/textBox.ts';
import { PenIcon } from '#ui/base/icons.tsx';
import { useOwn } from '../base/useOwn.ts';
import { useWindowActs } from '../base/WindowActs.ts';
import { TextBox } from './TextBox.tsx';

/** Options of a focus that the program moves for keyboard users: it neither scrolls nor shows the focus ring. */
const QUIETLY = { preventScroll: true, focusVisible: false };

interface Props {
  /** Takes the focus while the text box is closed. */
  readonly log: RefObject<HTMLElement | null>;
}

/** Shows the floating icon, or the text box that replaces it (spec §4.4.1). */
export function Composer({ log }: Props) {
  const text = useOwn('textBox');
  const initials = useSelector(selectInitials);
  const { dispatch, focus } = useWindowActs();
  const isOpen = text !== null;
  useLayoutEffect(() => {
    if (!isOpen) focus(log.current, QUIETLY);
  }, [isOpen, focus, log]);

  if (isOpen) return <TextBox text={text} />;
  return (
    <button
      type="button"
      className="floating round"
      // The accessible name: the initials are hidden from screen readers.
      title="Write a message"
      onClick={() => dispatch(textBoxOpened({ text: '' }))}
    >
      {initials === '' ? <PenIcon /> : <span aria-hidden="true">{initials}</span>}
    </button>
  );
}
