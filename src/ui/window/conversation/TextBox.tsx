import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';
import { OWN_TEXT_LENGTH, TEXT_LENGTH } from '#shared/limits.ts';
import { textBoxClosed, textBoxEdited } from '#shared/window/textBox.ts';
import { SendIcon } from '#ui/base/icons.tsx';
import { useWindowActs } from '../base/WindowActs.ts';
import { textBoxAct } from './keys.ts';
import { recallAtEdge } from './recallAtEdge.ts';

/** From this length on, the box shows the number of characters. */
const COUNTED_LENGTH = 200;

interface Props {
  readonly text: string;
  readonly placeholder: string;
  /** The ids of the elements that describe it. */
  readonly describedBy: string;
}

/** Shows the open text box (contract §3). It takes the focus, with the caret after the initial text. */
export function TextBox({ text, placeholder, describedBy }: Props) {
  const { dispatch, focus, sendText, recallText } = useWindowActs();
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    focus(element);
    element?.setSelectionRange(element.value.length, element.value.length);
  }, [focus]);

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const act = textBoxAct(event.nativeEvent, text);
    if (act === null) return;
    // The key moves the caret when it recalls nothing.
    if ((act === 'older' || act === 'newer') && !recallAtEdge(box.current, act, recallText)) return;
    event.preventDefault();
    if (act === 'close') dispatch(textBoxClosed());
    // Ignores the repeats of a key that is held down.
    else if (act === 'send' && !event.repeat) sendText();
  };

  return (
    <div className="text-box">
      <textarea
        ref={box}
        rows={1}
        dir="auto"
        aria-label="Message"
        aria-describedby={describedBy}
        placeholder={placeholder}
        value={text}
        maxLength={OWN_TEXT_LENGTH}
        onChange={(event) => dispatch(textBoxEdited({ text: event.target.value }))}
        onKeyDown={onKeyDown}
      />
      {text.length >= COUNTED_LENGTH && <CharacterCount count={text.length} />}
      <button
        type="button"
        className="round"
        aria-label="Send"
        disabled={text === ''}
        onClick={() => {
          focus(box.current);
          sendText();
        }}
      >
        <SendIcon />
      </button>
    </div>
  );
}

const CharacterCount = ({ count }: { readonly count: number }) => (
  <span className="count" aria-hidden="true" data-over={count >= TEXT_LENGTH}>
    {count}/{TEXT_LENGTH - 1}
  </span>
);
