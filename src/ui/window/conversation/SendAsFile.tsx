import { useLive } from '../base/Picture.ts';
import { system } from '../base/system.ts';
import { ariaShortcut, formatShortcut } from '../menu/formatShortcut.ts';
import { SEND_AS_FILE_KEYS, isTooLong } from './keys.ts';

const isMac = system.os === 'mac';
const KEYS = formatShortcut(SEND_AS_FILE_KEYS, isMac);

/** What a person can do with a text that is too long for a message. */
export const SEND_AS_FILE_HINT = `${KEYS} sends a longer text as a file`;

interface Props {
  /** The id of the element that tells screen readers about the offer. */
  readonly id: string;
  readonly text: string;
  readonly onSend: () => void;
}

/** Offers to send a text that is too long for a message as a file. */
export function SendAsFile({ id, text, onSend }: Props) {
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
