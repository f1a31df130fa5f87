import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { TEXT_LENGTH } from '#shared/limits.ts';
import { PenIcon } from '#ui/base/icons.tsx';
import { TextBox } from './TextBox.tsx';
import { useOpeningKeys } from './useOpeningKeys.ts';
import { TEXT_TOO_LONG } from './composerTexts.ts';

interface Props {
  /** The person's initials (spec §2.6); empty before the name is known. */
  readonly initials: string;
  readonly onSend: (text: string) => void;
  /** Called when the text box has closed: the focus must move to another element. */
  readonly onClosed: () => void;
  readonly alert: (text: string) => void;
  readonly isInert: boolean;
}

/**
 * Shows the floating icon, or the text box that replaces it (spec §4.4.1):
 *
 *     closed ── a printed character, or the icon ──▶ open
 *       ▲                                             │
 *       └── Escape, Backspace on the last character, ─┘
 *           Enter with a text under 250 characters: sent
 *
 * The text is dropped when the box closes.
 */
export function Composer({ initials, onSend, onClosed, alert, isInert }: Props) {
  const [text, setText] = useState<string | null>(null);
  const box = useRef<HTMLTextAreaElement>(null);

  const close = () => {
    flushSync(() => setText(null));
    onClosed();
  };
  const send = () => {
    box.current?.focus();
    if (text === null || text === '') return;
    if (text.length >= TEXT_LENGTH) return alert(TEXT_TOO_LONG);
    onSend(text);
    close();
  };
  useOpeningKeys({
    isInert,
    onCharacter(character) {
      // Synchronous, so that the next key already goes to the box. An open box takes the character itself.
      if (text === null) flushSync(() => setText(character));
      else box.current?.focus();
      return text === null;
    },
    onEscape: () => text !== null && close(),
  });

  if (text !== null)
    return <TextBox ref={box} text={text} onChange={setText} onSend={send} onClose={close} />;
  return (
    <button
      type="button"
      className="floating round"
      // The accessible name: the initials are hidden from screen readers.
      title="Write a message"
      onClick={() => setText('')}
    >
      {initials === '' ? <PenIcon /> : <span aria-hidden="true">{initials}</span>}
    </button>
  );
}
