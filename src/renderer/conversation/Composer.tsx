import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { TEXT_LENGTH } from '#shared/limits.ts';
import { PenIcon } from '#ui/base/icons.tsx';
import { TextBox } from './TextBox.tsx';
import { useOpeningKeys } from './useOpeningKeys.ts';
import { TEXT_TOO_LONG } from './words.ts';

interface Props {
  /** Of the signed-in person (spec §2.6); empty while nobody is named. */
  readonly initials: string;
  readonly onSend: (text: string) => void;
  /** The text box has closed; the focus needs another place. */
  readonly onClosed: () => void;
  readonly alert: (words: string) => void;
  readonly isInert: boolean;
}

/**
 * The floating icon and the text box that takes its place (spec §4.4.1):
 *
 *     closed ── a printed character, or the icon ──▶ open
 *       ▲                                             │
 *       └── Escape, Backspace on the last character, ─┘
 *           Enter with text of fewer than 250: sent
 *
 * What was typed is gone when it closes.
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
      // At once, so that the next key already finds the box; an open one takes the character by itself.
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
      // Its name: the initials are a picture, which is not read out.
      title="Write a message"
      onClick={() => setText('')}
    >
      {initials === '' ? <PenIcon /> : <span aria-hidden="true">{initials}</span>}
    </button>
  );
}
