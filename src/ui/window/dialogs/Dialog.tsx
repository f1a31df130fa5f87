import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { dialogClosed } from '#shared/actions/windowActions.ts';
import { useWindowCommands } from '../base/WindowCommands.ts';

interface Props {
  readonly title: string;
  readonly children: ReactNode;
  /** Shown in place of the button `Close`. A `<form method="dialog">` in it closes the dialog. */
  readonly buttons?: ReactNode;
}

/** Shows a modal dialog until its button or Escape closes it. Then the focus returns to the previous element. */
export function Dialog({ title, children, buttons }: Props) {
  const commands = useWindowCommands();
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    commands.showModal(element);
    // Another dialog may replace this one: the focus returns first, so that the other dialog can return it too.
    return () => element?.close();
  }, [commands]);
  const closed = () => {
    if (dialog.current !== null) commands.dispatch(dialogClosed());
  };
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={titleId} onClose={closed}>
      <h2 id={titleId}>{title}</h2>
      {children}
      <div className="dialog-buttons">
        {buttons ?? (
          <button type="button" className="primary" onClick={() => dialog.current?.close()}>
            Close
          </button>
        )}
      </div>
    </dialog>
  );
}
