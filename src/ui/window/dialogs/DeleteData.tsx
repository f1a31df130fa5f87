import type { DialogState } from '#shared/actions/windowSchemas.ts';
import { useWindowCommands } from '../base/WindowCommands.ts';
import { Dialog } from './Dialog.tsx';
import { dataDeletionRequested } from '#shared/actions/userActions.ts';
import { deletionConfirmed, platformFileChosen } from '#shared/actions/windowActions.ts';

type Props = Extract<DialogState, { readonly dialog: 'deleteData' }>;

const DELETED = [
  'the account on this computer: you are signed out',
  'recorded and saved sessions',
  'logs',
  'settings and window positions, and the assistant’s key',
  'text that you have not sent',
];

/** Asks the person to confirm the deletion of their data. Closes when main reports that it was deleted. */
export function DeleteData({ contents: { folder, isPlatformBuiltIn }, platformFile, isDeleting }: Props) {
  const commands = useWindowCommands();
  const confirm = () => {
    commands.dispatch(deletionConfirmed({ platformFile }));
    commands.send(dataDeletionRequested({ platformFile }));
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
    <Dialog title="Delete my data" buttons={buttons}>
      <p>This deletes from this computer, and cannot be undone:</p>
      <ul>
        {DELETED.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      {isPlatformBuiltIn ? (
        <label className="check">
          <input
            type="checkbox"
            checked={platformFile}
            disabled={isDeleting}
            onChange={({ target }) => commands.dispatch(platformFileChosen({ platformFile: target.checked }))}
          />
          <span>
            Also delete the built-in platform’s file: every account on it, with its conversation. Without
            this, you can sign in again and see the conversation.
          </span>
        </label>
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
