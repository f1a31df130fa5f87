import { useId, useLayoutEffect, useRef } from 'react';
import { OWN_TEXT_LENGTH } from '#shared/limits.ts';
import { textBoxEdited } from '#shared/window/textBox.ts';
import { SendIcon } from '#ui/base/icons.tsx';
import { useWindowActs } from '../base/WindowActs.ts';
import { CharacterCount } from './CharacterCount.tsx';
import { SendAsFile } from './SendAsFile.tsx';
import { useTextBoxKeys } from './useTextBoxKeys.ts';

interface Props {
  readonly text: string;
  readonly placeholder: string;
  /** The ids of the elements that describe it. */
  readonly describedBy: string;
}

/** Shows the open text box (contract §3). It takes the focus, with the caret after the initial text. */
export function TextBox({ text, placeholder, describedBy }: Props) {
  const { dispatch, focus, sendText, sendTextAsFile } = useWindowActs();
  const box = useRef<HTMLTextAreaElement>(null);
  const offerId = useId();
  const onKeyDown = useTextBoxKeys(text);
  useLayoutEffect(() => {
    const element = box.current;
    focus(element);
    element?.setSelectionRange(element.value.length, element.value.length);
  }, [focus]);

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
