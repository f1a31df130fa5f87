import { type ReactNode, type RefObject, useId, useRef } from 'react';
import { shallowEqual, useSelector } from 'react-redux';
import { NO_WORDS, type Word, type Conversation, type Message } from '#shared/conversation/conversation.ts';
import { dialogRequested } from '#shared/actions/userActions.ts';
import { type SharedState, selectConnection } from '#shared/store/rootReducer.ts';
import { isRunning } from '#shared/conversation/display.ts';
import { type NoticeAction, isDivider, isNotice, noticeAction } from '#shared/conversation/notice.ts';
import { itemAt, last } from '#shared/conversation/vector.ts';
import type { NoticeButtonProps } from '#ui/base/itemCommands.ts';
import { SEARCHED, endedAnswer, followsAnswer, ignoreRepeats, keepFocus } from '../actions/LabelButtons.tsx';
import { useFocusBack } from '../base/useFocusBack.ts';
import { useWindowCommands } from '../base/WindowCommands.ts';

/** A word with a button in the row. */
type RowWord = Exclude<Word, 'edit'>;

const NAMES: Readonly<Record<RowWord, string>> = {
  stop: 'Stop',
  again: 'Again',
  continue: 'Continue',
  'new topic': 'New topic',
};
const TITLES: Readonly<Record<RowWord, string>> = {
  stop: 'Stop this answer',
  again: 'Ask for another answer',
  continue: 'Continue this answer',
  'new topic': 'Begin a new topic: the assistant gets only what is after it',
};

const selectHasWords = ({ words }: SharedState) => words.length > 0;

interface Props {
  /** Takes the focus of a button that disappears. */
  readonly log: RefObject<HTMLElement | null>;
}

interface RowProps extends Props {
  /** What stands at the end of the row. */
  readonly children?: ReactNode;
}

/**
 * Shows the buttons that send `stop`, `again`, `continue` and `new topic`, of those that make sense now and stand nowhere else. With an assistant that understands
 * such words their row has its place also while it is empty, so that the conversation does not move.
 */
export function AnswerButtons({ log, children }: RowProps) {
  const hasRow = useSelector(selectHasWords);
  const words = useSelector(rowWords, shallowEqual);
  const isOffline = useSelector(selectConnection).status === 'disconnected';
  const reasonId = useId();
  if (!hasRow) return null;
  const showsReason = isOffline && words.length > 0;
  return (
    <div className="answer-buttons">
      {words.map((word) => (
        <WordButton key={word} word={word} log={log} disabledBy={showsReason ? reasonId : undefined} />
      ))}
      <span id={reasonId} className="answer-buttons-reason">
        {showsReason && 'Not connected'}
      </span>
      {children}
    </div>
  );
}

interface ButtonProps extends Props {
  readonly word: RowWord;
  /** The id of the element that says why the button does nothing. */
  readonly disabledBy: string | undefined;
}

/** Stays focusable while it is disabled, so that its reason can be read. */
function WordButton({ word, log, disabledBy }: ButtonProps) {
  const { sendWord } = useWindowCommands();
  const waits = useSelector(({ conversation }: SharedState) => word === 'stop' && isLoading(conversation));
  const button = useRef<HTMLButtonElement>(null);
  useFocusBack(button, log);
  return (
    <button
      ref={button}
      type="button"
      className="secondary"
      title={waits ? 'Do not wait for the model' : TITLES[word]}
      aria-disabled={disabledBy !== undefined}
      aria-describedby={disabledBy}
      onMouseDown={keepFocus}
      onKeyDown={ignoreRepeats}
      onClick={({ detail }) => {
        // The second click of a double click.
        if (disabledBy === undefined && detail < 2) sendWord(word);
      }}
    >
      {waits ? 'Cancel' : NAMES[word]}
    </button>
  );
}

const ACTION_NAMES: Readonly<Record<NoticeAction, string>> = {
  settings: 'Open settings',
  connect: 'Connect a model…',
  again: 'Again',
  continue: 'Continue',
  cancel: 'Cancel',
};

/**
 * Shows the button of a notice. It can be pressed on the newest notice of its kind at the end of the conversation; a word needs a connection. It stays
 * focusable while it cannot be pressed, so that the focus stays where it is.
 */
export function NoticeButton({ action, index }: NoticeButtonProps) {
  const { send, sendWord } = useWindowCommands();
  const isCurrent = useSelector(({ conversation }: SharedState) => isNewestNotice(conversation, index));
  const isOffline = useSelector(selectConnection).status === 'disconnected';
  const opensSettings = action === 'settings' || action === 'connect';
  const isLost = isOffline && !opensSettings;
  const isDisabled = !isCurrent || isLost;
  const act = () => (opensSettings ? send(dialogRequested({ dialog: 'assistant' })) : sendWord(action));
  return (
    <button
      type="button"
      className="secondary notice-button"
      aria-disabled={isDisabled}
      title={isCurrent && isLost ? 'Not connected' : undefined}
      onMouseDown={keepFocus}
      onKeyDown={ignoreRepeats}
      onClick={({ detail }) => {
        // The second click of a double click.
        if (!isDisabled && detail < 2) act();
      }}
    >
      {ACTION_NAMES[action]}
    </button>
  );
}

/** The number of notices at the end of the conversation that are searched. */
const SEARCHED_NOTICES = 10;

/** Returns whether only notices follow a notice, and none of them has the same button. */
function isNewestNotice({ messages }: Pick<Conversation, 'messages'>, index: number): boolean {
  const notice = itemAt(messages, index);
  const after = messages.length - 1 - index;
  if (notice === undefined || after > SEARCHED_NOTICES) return false;
  return Array.from({ length: after }, (_, at) => itemAt(messages, index + 1 + at)).every(
    (later) => later !== undefined && isNotice(later) && noticeAction(later) !== noticeAction(notice),
  );
}

/** Returns the words of the row: not *Again* when it stands at the end of the answer, and none that the newest notice offers. */
export function rowWords(state: Pick<SharedState, 'conversation' | 'words'>): readonly RowWord[] {
  const { conversation } = state;
  const newest = last(conversation.messages);
  const offered = newest && noticeAction(newest);
  const isAtAnswer = endedAnswer(conversation) !== null;
  return answerWords(state).filter((word) => word !== offered && !(word === 'again' && isAtAnswer));
}

/**
 * Returns the words about the newest answer that make sense now, of those that the assistant understands: `stop` while it runs, and also before its first
 * text; then `again`, and `continue` when it was stopped or cut off. `new topic` when nothing runs and the topic has begun.
 */
export function answerWords({
  conversation,
  words,
}: Pick<SharedState, 'conversation' | 'words'>): readonly RowWord[] {
  if (words.length === 0) return NO_WORDS;
  const offered = wordsNow(conversation).filter((word) => words.includes(word));
  return offered.length === 0 ? NO_WORDS : offered;
}

function wordsNow(conversation: Conversation): readonly RowWord[] {
  const newest = last(conversation.messages);
  // A notice alone is no topic.
  const isAlone = conversation.messages.length === 1 && newest !== undefined && isNotice(newest);
  if (newest === undefined || isDivider(newest) || isAlone) return NO_WORDS;
  const words = wordsAbout(conversation);
  return words.includes('stop') ? words : [...words, 'new topic'];
}

function wordsAbout({ messages }: Conversation): readonly RowWord[] {
  const current = messages.length - 1;
  for (let at = current; at > current - SEARCHED; at--) {
    const message = itemAt(messages, at);
    if (message === undefined || isDivider(message)) return NO_WORDS;
    if (message.modifier === 'ai') return wordsAboutAnswer(message.context ?? '', at === current);
    if (!followsAnswer(message))
      return at === current ? wordsAboutQuestion(message) : wordsWithoutAnswer(itemAt(messages, at + 1));
  }
  return NO_WORDS;
}

/** A model can think for minutes before the first text of its answer. */
const wordsAboutQuestion = (message: Message): readonly RowWord[] =>
  message.modifier === 'client' ? ['stop'] : NO_WORDS;

/** A notice replaces an answer that has ended before its first words, or that waits. */
function wordsWithoutAnswer(message: Message | undefined): readonly RowWord[] {
  if (message === undefined || !isNotice(message)) return NO_WORDS;
  return noticeAction(message) === 'cancel' ? ['stop'] : ['again'];
}

/** Only the current message can run: no update changes another one. */
function wordsAboutAnswer(label: string, isCurrent: boolean): readonly RowWord[] {
  if (isRunning(label)) return isCurrent ? ['stop'] : NO_WORDS;
  return isUnfinished(label) ? ['again', 'continue'] : ['again'];
}

/**
 * The labels of an assistant's answer (contract §9). A label that ends with `…` belongs to an answer that runs:
 *
 *     llama is writing… ──▶ llama                                     complete
 *                       ├─▶ llama · stopped                           by the person
 *                       ├─▶ llama · cut off                           by a failure
 *                       └─▶ llama · 312 tokens · first after 0.4 s    complete, with its usage
 */

/** Matches what follows the name in the label of an answer that has ended. */
const ENDING = / · (?:stopped|cut off|(?:about )?[\d.,]+ tokens?)(?: · .*)?$/u;
/** Matches the label of an answer that runs, with the name in it. */
const ACTIVITY = /^(?<name>.+) is (?:writing|thinking|loading)\b/u;
/** Matches the label of an answer whose model is not loaded yet. */
const LOADING = / is loading the model(?:,.*)?…$/u;
/** Matches the label of an answer that can be continued. */
const UNFINISHED = / · (?:stopped|cut off)$/u;

/** Returns whether the newest answer waits until its server has loaded the model: its button is named *Cancel*. */
export const isLoading = ({ messages }: Conversation): boolean => LOADING.test(last(messages)?.context ?? '');

/** Returns whether an answer with this label was stopped or cut off. */
export const isUnfinished = (label: string): boolean => UNFINISHED.test(label.trimEnd());

/** Returns the name in a label, which must have one line; empty when an answer runs and its label has no name that can be recognized. */
export function nameInLabel(label: string): string {
  const name = label.replace(ENDING, '');
  if (name !== label || !isRunning(label)) return name;
  return ACTIVITY.exec(label)?.groups?.['name'] ?? '';
}
