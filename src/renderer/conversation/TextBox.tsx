import { type KeyboardEvent, type RefObject, useLayoutEffect } from 'react';
import { TEXT_LENGTH } from '#shared/limits.ts';
import { SendIcon } from '#ui/base/icons.tsx';
import { textBoxAct } from './keys.ts';

/** From this length on, the box shows the number of characters. */
const COUNTED_LENGTH = 200;

interface Props {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onSend: () => void;
  readonly onClose: () => void;
  readonly ref: RefObject<HTMLTextAreaElement | null>;
}

/** Shows the open text box (contract §3). It takes the focus, with the caret after the initial text. */
export function TextBox({ text, onChange, onSend, onClose, ref }: Props) {
  useLayoutEffect(() => {
    const box = ref.current;
    box?.focus();
    box?.setSelectionRange(box.value.length, box.value.length);
  }, [ref]);

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const act = textBoxAct(event.nativeEvent, text);
    if (act === null) return;
    event.preventDefault();
    if (act === 'close') onClose();
    // Ignores the repeats of a key that is held down.
    else if (act === 'send' && !event.repeat) onSend();
  };

  return (
    <div className="text-box">
      <textarea
        ref={ref}
        rows={1}
        aria-label="Message"
        placeholder="Write something, then press Enter"
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {text.length >= COUNTED_LENGTH && (
        <span className="count" aria-hidden="true" data-over={text.length >= TEXT_LENGTH}>
          {text.length}/{TEXT_LENGTH - 1}
        </span>
      )}
      <button type="button" className="round" aria-label="Send" disabled={text === ''} onClick={onSend}>
        <SendIcon />
      </button>
    </div>
  );
}
