import { ModalDialog } from '../parts/ModalDialog.tsx';
import { SHORTCUTS } from './keys.ts';

/** The keys of single panes. */
const IN_PANES = [
  ['↑ ↓', 'In the list: the steps that match the filters'],
  ['↑ ↓ ← →', 'In the state: from entry to entry, unfold and fold'],
  ['Ctrl C', 'In the state: copy the value as JSON'],
  ['← →', 'On a line between panes: their size'],
] as const;

/** Shows all keys by purpose. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <ModalDialog title="Keyboard shortcuts" onClose={onClose}>
      <div className="keys">
        {Object.entries(SHORTCUTS).map(([group, shortcuts]) => (
          <section key={group}>
            <h3>{group}</h3>
            <KeyList keys={shortcuts.map(({ shown, description }) => [shown, description])} />
          </section>
        ))}
        <section>
          <h3>Within panes</h3>
          <KeyList keys={IN_PANES} />
        </section>
      </div>
    </ModalDialog>
  );
}

const KeyList = ({ keys }: { readonly keys: readonly (readonly [shown: string, description: string])[] }) => (
  <dl>
    {keys.map(([shown, description]) => (
      <div key={description}>
        <dt>
          <kbd>{shown}</kbd>
        </dt>
        <dd>{description}</dd>
      </div>
    ))}
  </dl>
);
