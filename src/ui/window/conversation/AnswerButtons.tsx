import { type KeyboardEvent, type MouseEvent, type RefObject, useId, useLayoutEffect, useRef } from 'react';
import { shallowEqual, useSelector } from 'react-redux';
import type { Word } from '#shared/conversation/words.ts';
import type { SharedState } from '#shared/store/rootReducer.ts';
import { selectConnection } from '#shared/store/selectors.ts';
import { QUIETLY } from '../base/quietly.ts';
import { useWindowActs } from '../base/WindowActs.ts';
import { answerWords } from './answerWords.ts';

const NAMES: Readonly<Record<Word, string>> = { stop: 'Stop', again: 'Again', continue: 'Continue' };
const TITLES: Readonly<Record<Word, string>> = {
  stop: 'Stop this answer',
  again: 'Ask for another answer',
  continue: 'Continue this answer',
};

const selectHasWords = ({ words }: SharedState) => words.length > 0;

interface Props {
  /** Takes the focus of a button that disappears. */
  readonly log: RefObject<HTMLElement | null>;
}

/**
 * Shows the buttons that send `stop`, `again` and `continue`, of those that make sense now. With an assistant that understands such words their row has
 * its place also while it is empty, so that the conversation does not move.
 */
export function AnswerButtons({ log }: Props) {
  const hasRow = useSelector(selectHasWords);
  const words = useSelector(answerWords, shallowEqual);
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
    </div>
  );
}

interface ButtonProps extends Props {
  readonly word: Word;
  /** The id of the element that says why the button does nothing. */
  readonly disabledBy: string | undefined;
}

/** A press with the pointer leaves the focus, and the selection, where they are: in the text box, for example. */
const keepFocus = (event: MouseEvent): void => event.preventDefault();

/** A key that is held down presses the button once. */
const ignoreRepeats = (event: KeyboardEvent): void => {
  if (event.repeat && event.key !== 'Tab') event.preventDefault();
};

/** Stays focusable while it is disabled, so that its reason can be read. */
function WordButton({ word, log, disabledBy }: ButtonProps) {
  const { sendWord, focus } = useWindowActs();
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const [element, next] = [button.current, log.current];
    return () => {
      if (element !== null && element === document.activeElement) focus(next, QUIETLY);
    };
  }, [focus, log]);
  return (
    <button
      ref={button}
      type="button"
      className="secondary"
      title={TITLES[word]}
      aria-disabled={disabledBy !== undefined}
      aria-describedby={disabledBy}
      onMouseDown={keepFocus}
      onKeyDown={ignoreRepeats}
      onClick={({ detail }) => {
        // The second click of a double click.
        if (disabledBy === undefined && detail < 2) sendWord(word);
      }}
    >
      {NAMES[word]}
    </button>
  );
}
