import { useState } from 'react';
import type { DeletionDialogData, ParleyToolsBridge } from '#shared/ipc/tools.ts';
import { Dialog } from './Dialog.tsx';

interface Props extends DeletionDialogData {
  readonly tools: Pick<ParleyToolsBridge, 'send'>;
  readonly onClose: () => void;
}

const DELETED = [
  'the account on this computer: you are signed out',
  'recorded and saved sessions',
  'logs',
  'settings and window places',
  'text that you have not sent',
];

/** Asks the person to confirm the deletion of their data. Closes when main reports that it was deleted. */
export function DeleteData({ folder, isPlatformBuiltIn, tools, onClose }: Props) {
  const [withPlatform, setWithPlatform] = useState(false);
  const [isDeleting, setIsDeleting] = useState(false);
  const confirm = () => {
    setIsDeleting(true);
    tools.send('deleteData', { platformFile: withPlatform });
  };
  const buttons = (
    <>
      <form method="dialog">
        <button type="submit" className="secondary" disabled={isDeleting}>
          Cancel
        </button>
      </form>
      <button type="button" className="danger" disabled={isDeleting} onClick={confirm}>
        {isDeleting ? 'Deleting…' : 'Delete'}
      </button>
    </>
  );
  return (
    <Dialog title="Delete my data" buttons={buttons} onClose={onClose}>
      <p>This deletes from this computer, and cannot be undone:</p>
      <ul>
        {DELETED.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      {isPlatformBuiltIn ? (
        <PlatformChoice isOn={withPlatform} isDisabled={isDeleting} onChange={setWithPlatform} />
      ) : (
        <p>The platform keeps your conversation. Parley cannot delete it there.</p>
      )}
      <div className="setting">
        <p>
          The data folder is <code>{folder}</code>
        </p>
      </div>
    </Dialog>
  );
}

interface ChoiceProps {
  readonly isOn: boolean;
  readonly isDisabled: boolean;
  readonly onChange: (isOn: boolean) => void;
}

const PlatformChoice = ({ isOn, isDisabled, onChange }: ChoiceProps) => (
  <label className="check">
    <input
      type="checkbox"
      checked={isOn}
      disabled={isDisabled}
      onChange={(event) => onChange(event.target.checked)}
    />
    <span>
      Also delete the built-in platform’s file: every account on it, with its conversation. Without this, you
      can sign in again and see the conversation.
    </span>
  </label>
);
