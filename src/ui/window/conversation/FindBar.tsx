import { type FocusEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { STATE_TEXT_LENGTH } from '#shared/limits.ts';
import type { FindState } from '#shared/actions/windowSchemas.ts';
import { CloseIcon, NewerIcon, OlderIcon } from '#ui/base/icons.tsx';
import type { SearchProgress } from '#ui/find/createSearch.ts';
import type { Direction } from '#ui/find/hitList.ts';
import { useLive, useWindowState, usePicture } from '../base/Picture.ts';
import { QUIETLY, useWindowCommands } from '../base/WindowCommands.ts';
import { type Find, type Searched, useFind } from './useFind.ts';
import { findClosed, findEdited } from '#shared/actions/windowActions.ts';

/** Shows the find bar while it is open, and marks what it finds in the conversation. */
export function FindBar(searched: Searched) {
  const find = useWindowState('find');
  return find && <OpenBar find={find} searched={searched} />;
}

interface Props {
  readonly find: NonNullable<FindState>;
  readonly searched: Searched;
}

function OpenBar({ find, searched }: Props) {
  const { progress, current, step } = useFind(find, searched);
  const { entered, close, cancel } = useClose(searched);
  useFindKeys({ step, cancel });
  return (
    <search className="find" aria-label="Find in the conversation" onFocus={entered}>
      <Field text={find.text} step={step} />
      <p className="find-count" aria-live={useLive()} aria-busy={!progress.isComplete}>
        {find.text.trim() !== '' && countText(progress, current)}
      </p>
      <Steps isDisabled={progress.count === 0} step={step} />
      <button
        type="button"
        className="quiet"
        aria-label="Hide the find bar"
        title="Hide the find bar, and stay here"
        onClick={close}
      >
        <CloseIcon />
      </button>
    </search>
  );
}

/** Returns how the bar is closed: at the current position, or back at the position and in the text box where it was opened. */
function useClose({ log, list }: Searched) {
  const { dispatch, focus } = useWindowCommands();
  const before = useRef<EventTarget | null>(undefined);
  const goBack = useRef<() => void>(null);
  useLayoutEffect(() => {
    goBack.current = list.current?.rememberPosition() ?? null;
  }, [list]);
  // The first focus is the field's, when the bar opens.
  const entered = ({ relatedTarget }: FocusEvent) => {
    if (before.current === undefined) before.current = relatedTarget;
  };
  const close = () => {
    const box = before.current;
    focus(box instanceof HTMLTextAreaElement && box.isConnected ? box : log.current, QUIETLY);
    dispatch(findClosed());
  };
  const cancel = () => {
    close();
    goBack.current?.();
  };
  return { entered, close, cancel };
}

interface FieldProps extends Pick<Find, 'step'> {
  readonly text: string;
}

/** Shows the field of the text to find. It takes the focus. */
function Field({ text, step }: FieldProps) {
  const { dispatch, focus } = useWindowCommands();
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => focus(input.current), [focus]);
  return (
    <input
      ref={input}
      type="text"
      dir="auto"
      aria-label="Find in the conversation"
      placeholder="Find in the conversation"
      autoComplete="off"
      spellCheck={false}
      maxLength={STATE_TEXT_LENGTH}
      value={text}
      onChange={(event) => dispatch(findEdited({ text: event.target.value }))}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
        event.preventDefault();
        step(event.shiftKey ? 'newer' : 'older');
      }}
    />
  );
}

interface StepsProps extends Pick<Find, 'step'> {
  readonly isDisabled: boolean;
}

const Steps = ({ isDisabled, step }: StepsProps) => (
  <>
    <button
      type="button"
      className="quiet"
      aria-label="Next"
      title="Next, which is older (Enter)"
      disabled={isDisabled}
      onClick={() => step('older')}
    >
      <OlderIcon />
    </button>
    <button
      type="button"
      className="quiet"
      aria-label="Previous"
      title="Previous, which is newer (Shift+Enter)"
      disabled={isDisabled}
      onClick={() => step('newer')}
    >
      <NewerIcon />
    </button>
  </>
);

const format = (count: number) => count.toLocaleString('en');

/** Returns the number of hits in words, with the number of the current hit: `3 of 552`. An ellipsis says that the search continues. */
function countText({ count, isComplete }: SearchProgress, current: number | undefined): string {
  if (count === 0) return isComplete ? 'No hits' : '…';
  const total = `${format(count)}${isComplete ? '' : '…'}`;
  return current === undefined
    ? `${total} ${count === 1 ? 'hit' : 'hits'}`
    : `${format(current)} of ${total}`;
}

interface Options {
  readonly step: (direction: Direction) => void;
  /** Closes the bar, and returns to the position before the search. */
  readonly cancel: () => void;
}

/** Elements whose Escape is their own. */
const OTHERS = 'dialog, [role="menu"], .text-box';

/** Follows the keys of the find bar in the whole window, also while the focus is in the conversation. */
function useFindKeys(options: Options): void {
  const newest = useRef(options);
  const isPicture = usePicture() !== null;
  useLayoutEffect(() => {
    newest.current = options;
  });
  useEffect(() => {
    if (isPicture) return undefined;
    const follow = (event: KeyboardEvent) => {
      const isOthers = event.target instanceof Element && event.target.closest(OTHERS) !== null;
      const step = stepOfKey(event);
      if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return;
      if (step !== null) newest.current.step(step);
      else if (event.key === 'Escape' && !isOthers) newest.current.cancel();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', follow);
    return () => window.removeEventListener('keydown', follow);
  }, [isPicture]);
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Returns whether a key opens the find bar: Ctrl+F, or ⌘F. */
export const isFindKey = (press: KeyPress): boolean => isShortcut(press, 'f') && !press.shiftKey;

/** Returns the direction in which a key steps through the hits: F3 and Ctrl+G, or ⌘G, to the older one; with Shift to the newer one. */
function stepOfKey(press: KeyPress): Direction | null {
  const isStep =
    isShortcut(press, 'g') || (press.key === 'F3' && !press.ctrlKey && !press.metaKey && !press.altKey);
  if (!isStep) return null;
  return press.shiftKey ? 'newer' : 'older';
}

const isShortcut = ({ key, ctrlKey, metaKey, altKey }: KeyPress, letter: string): boolean =>
  key.toLowerCase() === letter && ctrlKey !== metaKey && !altKey;
