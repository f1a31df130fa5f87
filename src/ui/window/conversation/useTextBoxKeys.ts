import type { KeyboardEvent } from 'react';
import { textBoxClosed } from '#shared/window/textBox.ts';
import { useWindowActs } from '../base/WindowActs.ts';
import { textBoxAct } from './keys.ts';
import { recallAtEdge } from './recallAtEdge.ts';

/** Returns the listener to the keys that are pressed in the text box, which has this text. */
export function useTextBoxKeys(text: string): (event: KeyboardEvent<HTMLTextAreaElement>) => void {
  const { dispatch, sendText, sendTextAsFile, recallText } = useWindowActs();
  return (event) => {
    const act = textBoxAct(event.nativeEvent, text);
    if (act === null) return;
    // The key moves the caret when it recalls nothing.
    if ((act === 'older' || act === 'newer') && !recallAtEdge(event.currentTarget, act, recallText)) return;
    event.preventDefault();
    if (act === 'close') dispatch(textBoxClosed());
    // Ignores the repeats of a key that is held down.
    else if (event.repeat) return;
    else if (act === 'send') sendText();
    else if (act === 'sendAsFile') sendTextAsFile();
  };
}
