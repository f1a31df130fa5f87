import { type KeyboardEvent, useId, useLayoutEffect, useRef } from 'react';
import { OWN_TEXT_LENGTH } from '#shared/limits.ts';
import { textBoxClosed, textBoxEdited } from '#shared/window/textBox.ts';
import { SendIcon } from '#ui/base/icons.tsx';
import { useWindowActs } from '../base/WindowActs.ts';
import { CharacterCount } from './CharacterCount.tsx';
import { SendAsFile } from './SendAsFile.tsx';
import { textBoxAct } from './keys.ts';
import { recallAtEdge } from './recallAtEdge.ts';

interface Props {
  readonly text: string;
  readonly placeholder: string;
  /** The ids of the elements that describe it. */
  readonly describedBy: string;
}

/** Shows the open text box (contract §3). It takes the focus, with the caret after the initial text. */
export function TextBox({ text, placeholder, describedBy }: Props) {
  const { dispatch, focus, sendText, sendTextAsFile, recallText } = useWindowActs();
  const box = useRef<HTMLTextAreaElement>(null);
  const offerId = useId();
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
    else if (event.repeat) return;
    else if (act === 'send') sendText();
    else if (act === 'sendAsFile') sendTextAsFile();
  };
  const sendWith = (send: () => void) => () => {
    focus(box.current);
    send();
  };

  return (
    <div className="text-box">
      <textarea
        ref={box}
        rows={1}
        dir="auto"
        aria-label="Message"
        aria-describedby={`${describedBy} ${offerId}`}
        placeholder={placeholder}
        value={text}
        maxLength={OWN_TEXT_LENGTH}
        onChange={(event) => dispatch(textBoxEdited({ text: event.target.value }))}
        onKeyDown={onKeyDown}
      />
      <CharacterCount count={text.length} />
      <SendAsFile id={offerId} text={text} onSend={sendWith(sendTextAsFile)} />
      <button
        type="button"
        className="round"
        aria-label="Send"
        disabled={text === ''}
        onClick={sendWith(sendText)}
      >
        <SendIcon />
      </button>
    </div>
  );
}
