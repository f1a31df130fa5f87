import { type KeyboardEvent, useId, useLayoutEffect, useRef } from 'react';
import { alertDismissed } from '#shared/actions/windowActions.ts';
import { useWindowCommands } from '../base/WindowCommands.ts';

/** Shows a modal alert. OK, Enter and Escape close it; then the focus returns to the previous element. */
export function Alert({ text }: { readonly text: string }) {
  const commands = useWindowCommands();
  const dialog = useRef<HTMLDialogElement>(null);
  const ok = useRef<HTMLButtonElement>(null);
  const textId = useId();
  const restoreCaret = useRef<() => void>(null);
  useLayoutEffect(() => {
    restoreCaret.current = rememberCaret();
    commands.showModal(dialog.current);
    commands.focus(ok.current);
  }, [commands]);
  // Once, and immediately: the `close` event is later, and keys may be pressed before it.
  const restoreOnce = () => {
    restoreCaret.current?.();
    restoreCaret.current = null;
  };
  const closed = () => {
    restoreOnce();
    commands.dispatch(alertDismissed());
  };
  const close = () => {
    dialog.current?.close();
    restoreOnce();
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    close();
  };
  return (
    // The browser closes it with Escape too, but restores the caret later.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className="dialog alert"
      role="alertdialog"
      aria-labelledby={textId}
      onClose={closed}
      onKeyDown={pressed}
    >
      <p id={textId} dir="auto">
        {text}
      </p>
      <button ref={ok} type="button" className="primary" onClick={close}>
        OK
      </button>
    </dialog>
  );
}

/** Returns a function that restores the caret: the browser restores the focus, but moves the caret of a field to its beginning. */
function rememberCaret(): (() => void) | null {
  const field = document.activeElement;
  if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return null;
  const { selectionStart, selectionEnd } = field;
  // Radio buttons and check boxes, for example, have no caret, and refuse one.
  if (selectionStart === null) return null;
  return () => field.setSelectionRange(selectionStart, selectionEnd);
}
