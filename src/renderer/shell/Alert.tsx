import { useId, useLayoutEffect, useRef } from 'react';

interface Props {
  readonly words: string;
  readonly onClose: () => void;
}

/** Words that must be read: the rest of the window waits. OK, Enter and Escape close it, and the focus returns. */
export function Alert({ words, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const ok = useRef<HTMLButtonElement>(null);
  const wordsId = useId();
  const putCaretBack = useRef<() => void>(null);
  useLayoutEffect(() => {
    putCaretBack.current = rememberCaret();
    dialog.current?.showModal();
    ok.current?.focus();
  }, []);
  const closed = () => {
    putCaretBack.current?.();
    onClose();
  };
  // The caret at once, too: `close` is told a moment later, and a key may come before.
  const close = () => {
    dialog.current?.close();
    putCaretBack.current?.();
  };
  return (
    <dialog
      ref={dialog}
      className="dialog alert"
      role="alertdialog"
      aria-labelledby={wordsId}
      onClose={closed}
    >
      <p id={wordsId}>{words}</p>
      <button ref={ok} type="button" className="primary" onClick={close}>
        OK
      </button>
    </dialog>
  );
}

/** The browser gives the focus back, but in a field it moves the caret to the beginning. */
function rememberCaret(): (() => void) | null {
  const field = document.activeElement;
  if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return null;
  const { selectionStart, selectionEnd } = field;
  return () => field.setSelectionRange(selectionStart, selectionEnd);
}
