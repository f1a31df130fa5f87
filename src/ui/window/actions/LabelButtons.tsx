import { type KeyboardEvent, type MouseEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { useSelector } from 'react-redux';
import type { Conversation, Message } from '#shared/conversation/conversation.ts';
import { isRunning } from '#shared/conversation/display.ts';
import { isDivider } from '#shared/conversation/notice.ts';
import { formatOf } from '#shared/conversation/markdownRuns.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import { type SharedState, selectConnection } from '#shared/store/rootReducer.ts';
import { AgainIcon, CheckIcon, CopyIcon, PenIcon } from '#ui/base/icons.tsx';
import { usePicture } from '../base/Picture.ts';
import { QUIETLY, useWindowCommands } from '../base/WindowCommands.ts';
import { lastQuestion } from './lastQuestion.ts';
import { type ActionEffects, editAction, messageActions } from './messageActions.ts';
import { useActionEffects } from './useActionEffects.ts';

interface Props {
  /** The index of the message. */
  readonly index: number;
}

/** Shows the buttons in the label of the newest answer, when it has ended, and of the last question. */
export function LabelButtons({ index }: Props) {
  const isEnded = useSelector(({ conversation }: SharedState) => endedAnswer(conversation) === index);
  const isQuestion = useSelector((state: SharedState) => lastQuestion(state)?.index === index);
  if (isQuestion) return <QuestionEnd index={index} />;
  return isEnded ? <AnswerEnd index={index} /> : null;
}

function QuestionEnd({ index }: Props) {
  const message = useSelector(({ conversation }: SharedState) => itemAt(conversation.messages, index));
  const { effects } = useActionEffects();
  if (message === undefined) return null;
  return (
    <div className="label-buttons">
      <LabelButton name="Edit" title="Write this question again" onPress={editAction(message, effects).run}>
        <PenIcon />
      </LabelButton>
    </div>
  );
}

function AnswerEnd({ index }: Props) {
  const message = useSelector(({ conversation }: SharedState) => itemAt(conversation.messages, index));
  const hasAgain = useSelector(({ words }: SharedState) => words.includes('again'));
  const isOffline = useSelector(selectConnection).status === 'disconnected';
  const { sendWord } = useWindowCommands();
  const { effects, hasCopied } = useActionEffects();
  return (
    <div className="label-buttons">
      {message && <CopyButton {...{ message, effects, hasCopied }} />}
      {hasCopied && (
        <span className="visually-hidden" aria-live="polite">
          Copied
        </span>
      )}
      {hasAgain && (
        <LabelButton
          name="Again"
          title={isOffline ? 'Not connected' : 'Ask for another answer'}
          isDisabled={isOffline}
          onPress={() => sendWord('again')}
        >
          <AgainIcon />
        </LabelButton>
      )}
    </div>
  );
}

interface CopyButtonProps {
  readonly message: Message;
  readonly effects: ActionEffects;
  readonly hasCopied: boolean;
}

/** Copies a message: the Markdown of an answer as the model wrote it, the text of any other message. */
export function CopyButton({ message, effects, hasCopied }: CopyButtonProps) {
  const choice = isMarkdown(message) ? 'copyMarkdown' : 'copyText';
  const copy = messageActions(message, 0, effects).find((action) => action.choice === choice);
  return (
    <LabelButton name="Copy" title="Copy this message" onPress={() => copy?.run()}>
      {hasCopied ? <CheckIcon /> : <CopyIcon />}
    </LabelButton>
  );
}

const isMarkdown = ({ content }: Message): boolean =>
  content !== undefined && formatOf(itemAt(content, content.length - 1) ?? {}) !== null;

interface ButtonProps {
  readonly name: string;
  readonly title: string;
  readonly isDisabled?: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

/**
 * A small button in a label. Its name is no text of the message. When it disappears, the conversation gets its focus. It stays focusable while it is disabled, so that
 * its reason can be read.
 */
function LabelButton({ name, title, isDisabled = false, onPress, children }: ButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const { focus } = useWindowCommands();
  const isPicture = usePicture() !== null;
  useLayoutEffect(() => {
    const element = button.current;
    const log = element?.closest<HTMLElement>('.log');
    return () => {
      if (element === document.activeElement) focus(log, QUIETLY);
    };
  }, [focus]);
  return (
    <button
      ref={button}
      type="button"
      className="label-button"
      tabIndex={isPicture ? -1 : undefined}
      aria-label={name}
      title={title}
      aria-disabled={isDisabled}
      onMouseDown={keepFocus}
      onKeyDown={ignoreRepeats}
      onClick={({ detail }) => {
        // The second click of a double click.
        if (!isDisabled && !isPicture && detail < 2) onPress();
      }}
    >
      {children}
    </button>
  );
}

/** A press with the pointer leaves the focus, and the selection, where they are: in the text box, for example. */
export const keepFocus = (event: MouseEvent): void => event.preventDefault();

/** A key that is held down presses the button once. */
export const ignoreRepeats = (event: KeyboardEvent): void => {
  if (event.repeat && event.key !== 'Tab') event.preventDefault();
};

/** Number of the newest messages in which the newest answer is searched. */
export const SEARCHED = 5;

/** Returns the index of the newest answer when it has ended, and nothing new has been asked or begun after it; otherwise `null`. */
export function endedAnswer({ messages }: Pick<Conversation, 'messages'>): number | null {
  for (let at = messages.length - 1; at >= messages.length - SEARCHED; at--) {
    const message = itemAt(messages, at);
    if (message?.modifier === 'ai') return isShownEnd(message) ? at : null;
    if (message === undefined || !followsAnswer(message)) return null;
  }
  return null;
}

const isShownEnd = ({ content, context = '' }: Message): boolean =>
  content !== undefined && content.length > 0 && !isRunning(context);

/** Returns whether a message leaves the last question as it is: the word that stopped the answer, or a notice of the platform. */
export function followsAnswer(message: Message): boolean {
  const { modifier, content } = message;
  if (modifier === 'admin') return !isDivider(message);
  const item = content && itemAt(content, 0);
  return modifier === 'client' && item?.category === 'text' && item.text?.trim().toLowerCase() === 'stop';
}
