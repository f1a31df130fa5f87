import { ModalDialog } from '../parts/ModalDialog.tsx';

/** A key as it is shown, and what it does. */
export interface ShownKey {
  readonly shown: string;
  readonly description: string;
}

interface Props {
  /** The keys by purpose. */
  readonly keys: Readonly<Record<string, readonly ShownKey[]>>;
  readonly onClose: () => void;
}

/** Shows all keys of a page by purpose. */
export function KeysDialog({ keys, onClose }: Props) {
  return (
    <ModalDialog title="Keyboard shortcuts" onClose={onClose}>
      <div className="keys">
        {Object.entries(keys).map(([purpose, list]) => (
          <section key={purpose}>
            <h3>{purpose}</h3>
            <KeyList keys={list} />
          </section>
        ))}
      </div>
    </ModalDialog>
  );
}

const KeyList = ({ keys }: { readonly keys: readonly ShownKey[] }) => (
  <dl>
    {keys.map(({ shown, description }) => (
      <div key={description}>
        <dt>
          <kbd>{shown}</kbd>
        </dt>
        <dd>{description}</dd>
      </div>
    ))}
  </dl>
);
