import { type FocusEvent, useLayoutEffect, useRef } from 'react';
import { OWN_TEXT_LENGTH } from '#shared/limits.ts';
import { type FindState, findClosed, findEdited } from '#shared/window/find.ts';
import { CloseIcon, NewerIcon, OlderIcon } from '#ui/base/icons.tsx';
import { useLive } from '../base/Picture.ts';
import { QUIETLY } from '../base/quietly.ts';
import { useOwn } from '../base/useOwn.ts';
import { useWindowActs } from '../base/WindowActs.ts';
import { countText } from './countText.ts';
import type { Searched } from './searched.ts';
import { type Find, useFind } from './useFind.ts';
import { useFindKeys } from './useFindKeys.ts';

/** Shows the find bar while it is open, and marks what it finds in the conversation. */
export function FindBar(searched: Searched) {
  const find = useOwn('find');
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
  const { dispatch, focus } = useWindowActs();
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
  const { dispatch, focus } = useWindowActs();
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
      maxLength={OWN_TEXT_LENGTH}
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
