import { type RefObject, useId, useLayoutEffect, useState } from 'react';
import { useSelector } from 'react-redux';
import { type SharedState, selectConnection, selectInitials } from '#shared/store/rootReducer.ts';
import { textBoxOpened } from '#shared/actions/windowActions.ts';
import { PenIcon } from '#ui/base/icons.tsx';
import { clip } from '#shared/formatText.ts';
import type { Conversation, Message } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import { useLive, useWindowState } from '../base/Picture.ts';
import { QUIETLY, useWindowCommands } from '../base/WindowCommands.ts';
import { SEND_AS_FILE_HINT, TextBox } from './TextBox.tsx';
import { nameInLabel } from './AnswerButtons.tsx';

const HINT = `Type to write, and press Enter to send. ${SEND_AS_FILE_HINT}. Dropped and pasted files are sent too. Arrow up brings back your last texts.`;
const OFFLINE = 'Not connected: what you send now is lost. Arrow up brings the text back.';

const selectAssistant = ({ conversation }: SharedState) => assistantName(conversation);

interface Props {
  /** Takes the focus while the text box is closed. */
  readonly log: RefObject<HTMLElement | null>;
}

/** Shows the floating icon with a placeholder, or the text box that replaces it (spec §4.4.1). While the connection is lost, says so before a text is sent. */
export function Composer({ log }: Props) {
  const text = useWindowState('textBox');
  const labelled = useSelector(selectAssistant);
  const model = useWindowState('assistant')?.model ?? null;
  const assistant = model === null ? labelled : nameOf(model);
  const { focus } = useWindowCommands();
  const [hintId, offlineId] = [useId(), useId()];
  const isOpen = text !== null;
  useLayoutEffect(() => {
    if (!isOpen) focus(log.current, QUIETLY);
  }, [isOpen, focus, log]);

  return (
    <div className="composer">
      <OfflineLine key={isOpen ? 'open' : 'closed'} id={offlineId} isOpen={isOpen} />
      {isOpen ? (
        <TextBox text={text} placeholder={`Write to ${assistant}`} describedBy={`${offlineId} ${hintId}`} />
      ) : (
        <ClosedTextBox assistant={assistant} hintId={hintId} />
      )}
      <p id={hintId} className="composer-hint">
        {HINT}
      </p>
    </div>
  );
}

interface OfflineProps {
  readonly id: string;
  /** Whether the text box is open. */
  readonly isOpen: boolean;
}

/**
 * Says above the open text box that a text would be lost. Screen readers announce a loss while the person writes, and otherwise read it as the description of the text box
 * that is opened. The bar announces all else (`ConnectionBar`).
 */
function OfflineLine({ id, isOpen }: OfflineProps) {
  const { status, closedBecause } = useSelector(selectConnection);
  const isShown = isOpen && status === 'disconnected';
  const [isDescription, setIsDescription] = useState(isShown);
  if (isDescription && !isShown) setIsDescription(false);
  const live = useLive();
  return (
    <p id={id} className="offline" aria-live={isDescription || closedBecause !== null ? 'off' : live}>
      {isShown && OFFLINE}
    </p>
  );
}

interface ClosedProps {
  readonly assistant: string;
  /** The id of the element that describes the button. */
  readonly hintId: string;
}

function ClosedTextBox({ assistant, hintId }: ClosedProps) {
  const initials = useSelector(selectInitials);
  const { dispatch } = useWindowCommands();
  const placeholderId = useId();
  const open = () => dispatch(textBoxOpened({ text: '' }));
  return (
    <div className="closed-text-box" title={HINT}>
      {/* For the pointer only: the other button does the same, and the placeholder describes it. */}
      <button
        id={placeholderId}
        type="button"
        className="placeholder"
        tabIndex={-1}
        aria-hidden="true"
        onClick={open}
      >
        Write to <bdi>{assistant}</bdi>
      </button>
      <button
        type="button"
        className="floating round"
        // The accessible name: the initials are hidden from screen readers.
        title="Write a message"
        aria-describedby={`${placeholderId} ${hintId}`}
        onClick={open}
      >
        {initials === '' ? <PenIcon /> : <span aria-hidden="true">{initials}</span>}
      </button>
    </div>
  );
}

/** Number of the newest messages that are searched: the name is looked up at each change. */
const SEARCHED = 1000;
/** Maximum length of the name, in UTF-16 units. */
const NAME_LENGTH = 40;

/**
 * Returns the name of the assistant, without line breaks and clipped: the name in the label of the newest message by `ai` that has one, except the
 * conversation's current message. Its label may still change, for example from "Looking it up…", and is used only when there is no other.
 * @param unknown the result when none of the newest messages has a name.
 */
export function assistantName(
  { messages }: Pick<Conversation, 'messages'>,
  unknown = 'the assistant',
): string {
  const current = messages.length - 1;
  const end = Math.max(0, messages.length - SEARCHED);
  for (let at = current - 1; at >= end; at--) {
    const name = senderOf(itemAt(messages, at));
    if (name !== '') return name;
  }
  return senderOf(itemAt(messages, current)) || unknown;
}

const senderOf = (message: Message | undefined): string =>
  message?.modifier === 'ai' ? nameOf(message.context ?? '') : '';

/** Returns the name in a label. The beginning of a very long one is enough. */
const nameOf = (context: string): string =>
  clip(
    nameInLabel(
      context
        .slice(0, 10 * NAME_LENGTH)
        .trim()
        .replaceAll(/\s+/gu, ' '),
    ),
    NAME_LENGTH,
  );
