import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';

interface Props {
  readonly title: string;
  readonly children: ReactNode;
  /** In the place of the button `Close`. A `<form method="dialog">` among them closes the dialog. */
  readonly buttons?: ReactNode;
  readonly onClose: () => void;
}

/** Something that stands before the window until it is closed: by its button or by Escape. The focus returns. */
export function Dialog({ title, children, buttons, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Another dialog may take its place: the focus returns first, so that the other one can return it too.
    return () => element?.close();
  }, []);
  const closed = () => {
    if (dialog.current !== null) onClose();
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
