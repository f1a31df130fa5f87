import { type KeyboardEvent, useId, useLayoutEffect, useRef } from 'react';
import { STATE_TEXT_LENGTH, TEXT_LENGTH } from '#shared/limits.ts';
import { textBoxClosed, textBoxEdited } from '#shared/actions/windowActions.ts';
import { SendIcon } from '#ui/base/icons.tsx';
import { type WindowCommands, useWindowCommands } from '../base/WindowCommands.ts';
import { useLive, useWindowState } from '../base/Picture.ts';
import { ariaShortcut, formatShortcut, system } from '../base/system.ts';
import { SEND_AS_FILE_KEYS, isTooLong, textBoxCommand } from './keys.ts';

interface Props {
  readonly text: string;
  readonly placeholder: string;
  /** The ids of the elements that describe it. */
  readonly describedBy: string;
}

/** Shows the open text box (contract §3). It takes the focus, with the caret after the initial text. */
export function TextBox({ text, placeholder, describedBy }: Props) {
  const { dispatch, focus, sendText, sendTextAsFile } = useWindowCommands();
  const box = useRef<HTMLTextAreaElement>(null);
  const [editId, offerId] = [useId(), useId()];
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
    <>
      <EditLine id={editId} />
      <div className="text-box">
        <textarea
          ref={box}
          rows={1}
          dir="auto"
          aria-label="Message"
          aria-describedby={`${describedBy} ${editId} ${offerId}`}
          placeholder={placeholder}
          value={text}
          maxLength={STATE_TEXT_LENGTH}
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
    </>
  );
}

/** Says that the text will replace the last question. The text box has this line as a description. */
function EditLine({ id }: { readonly id: string }) {
  const { dispatch } = useWindowCommands();
  const isEditing = useWindowState('editing') !== undefined;
  if (!isEditing) return null;
  return (
    <p className="editing">
      <span id={id}>Editing your last question</span>
      <button type="button" className="secondary" title="Escape" onClick={() => dispatch(textBoxClosed())}>
        Cancel
      </button>
    </p>
  );
}

/** From this length on, the number of characters is shown. */
const COUNTED_LENGTH = 200;

/** Shows the number of characters of a text that is almost, or completely, too long for a message. */
const CharacterCount = ({ count }: { readonly count: number }) =>
  count < COUNTED_LENGTH ? null : (
    <span className="count" aria-hidden="true" data-over={count >= TEXT_LENGTH}>
      {count}/{TEXT_LENGTH - 1}
    </span>
  );

/** Returns the listener to the keys that are pressed in the text box, which has this text. */
function useTextBoxKeys(text: string): (event: KeyboardEvent<HTMLTextAreaElement>) => void {
  const { dispatch, sendText, sendTextAsFile, recallText } = useWindowCommands();
  return (event) => {
    const act = textBoxCommand(event.nativeEvent, text);
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

type Direction = Parameters<WindowCommands['recallText']>[0];

/**
 * Recalls a text when an arrow key cannot move the caret further within the text of the box; returns whether it did. The caret is then where the same key
 * recalls the next one.
 */
function recallAtEdge(
  box: HTMLTextAreaElement | null,
  direction: Direction,
  recallText: WindowCommands['recallText'],
): boolean {
  if (box === null || !isCaretAtEdge(box, direction) || !recallText(direction)) return false;
  if (direction === 'older' && !hasOneLine(box)) box.setSelectionRange(0, 0);
  return true;
}

/** Returns whether the text has one line, or the caret is at its start (`older`, arrow up) or end (`newer`, arrow down). */
function isCaretAtEdge(box: HTMLTextAreaElement, direction: Direction): boolean {
  const { selectionStart, selectionEnd, value } = box;
  if (selectionStart !== selectionEnd) return false;
  return hasOneLine(box) || selectionStart === (direction === 'older' ? 0 : value.length);
}

/** Returns whether the box shows its text in one line. */
const hasOneLine = (box: HTMLTextAreaElement): boolean =>
  box.scrollHeight < 1.5 * Number.parseFloat(getComputedStyle(box).lineHeight);

const isMac = system.os === 'mac';
const KEYS = formatShortcut(SEND_AS_FILE_KEYS, isMac);

/** What a person can do with a text that is too long for a message. */
export const SEND_AS_FILE_HINT = `${KEYS} sends a longer text as a file`;

interface SendAsFileProps {
  /** The id of the element that tells screen readers about the offer. */
  readonly id: string;
  readonly text: string;
  readonly onSend: () => void;
}

/** Offers to send a text that is too long for a message as a file. */
function SendAsFile({ id, text, onSend }: SendAsFileProps) {
  const live = useLive();
  const isOffered = isTooLong(text);
  return (
    <>
      <span id={id} className="visually-hidden" aria-live={live}>
        {isOffered && `Too long for a message. ${KEYS} sends it as a file.`}
      </span>
      {isOffered && (
        <button
          type="button"
          className="secondary send-as-file"
          aria-keyshortcuts={ariaShortcut(SEND_AS_FILE_KEYS, isMac)}
          onClick={onSend}
        >
          Send as file <kbd aria-hidden="true">{KEYS}</kbd>
        </button>
      )}
    </>
  );
}
