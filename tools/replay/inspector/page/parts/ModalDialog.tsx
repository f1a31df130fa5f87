import { type ReactNode, useId } from 'react';
import { IconButton } from './controls.tsx';

type Props = Readonly<{ title: string; onClose: () => void; children: ReactNode }>;

/** Shows a modal dialog; Escape closes it, and the focus returns to the previous element. */
export function ModalDialog({ title, onClose, children }: Props) {
  const id = useId();
  return (
    <dialog ref={openDialog} className="dialog" aria-labelledby={id} onCancel={onClose}>
      <header className="dialog-head">
        <h2 id={id}>{title}</h2>
        <IconButton icon="close" name="Close" onClick={onClose} />
      </header>
      {children}
    </dialog>
  );
}

function openDialog(dialog: HTMLDialogElement) {
  dialog.showModal();
  return () => dialog.close();
}

/** A key as it is shown, and what it does. */
export type ShownKey = readonly [shown: string, description: string];

/** The keys of a page by purpose. */
export type ShownKeys = Readonly<Record<string, readonly (readonly [...ShownKey, ...unknown[]])[]>>;

/** Shows all keys of a page by purpose. */
export const KeysDialog = ({ keys, onClose }: { readonly keys: ShownKeys; readonly onClose: () => void }) => (
  <ModalDialog title="Keyboard shortcuts" onClose={onClose}>
    <div className="keys">
      {Object.entries(keys).map(([purpose, list]) => (
        <section key={purpose}>
          <h3>{purpose}</h3>
          <dl>
            {list.map(([shown, description]) => (
              <div key={description}>
                <dt>
                  <kbd>{shown}</kbd>
                </dt>
                <dd>{description}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  </ModalDialog>
);
