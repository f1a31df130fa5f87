import { type FormEvent, useState } from 'react';
import { ModalDialog } from '../parts/ModalDialog.tsx';
import { TextButton } from '../parts/controls.tsx';
import { errorText } from '../session/inspectorStore.ts';
import { plainName } from '../session/whatIf.ts';
import { useInspector } from '../session/InspectorContext.ts';
import { fieldOf } from './Editors.tsx';

/** Writes the shown session and its golden into a folder, for `verify`. */
export function MakeTestDialog({ onClose }: { readonly onClose: () => void }) {
  const { whatIf, store } = useInspector();
  const [isWriting, setWriting] = useState(false);
  const [error, setError] = useState<string>();
  const [files, setFiles] = useState<readonly string[]>();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [folder, name, redact] = [fieldOf(form, 'folder'), fieldOf(form, 'name'), form.has('redact')];
    setWriting(true);
    setError(undefined);
    whatIf
      .makeTest({ folder, name, redact })
      .then(setFiles, (thrown: unknown) => setError(errorText(thrown)))
      .finally(() => setWriting(false));
  };
  return (
    <ModalDialog title="Make a test of this" onClose={onClose}>
      {files ? (
        <Done files={files} onClose={onClose} />
      ) : (
        <form className="dialog-form" onSubmit={submit}>
          <label>
            Folder
            <input name="folder" defaultValue="tests/captures" required spellCheck={false} />
          </label>
          <label>
            Name
            <input name="name" defaultValue={plainName(store.get())} required spellCheck={false} />
          </label>
          <label className="check">
            <input type="checkbox" name="redact" defaultChecked />
            Replace what is personal
          </label>
          <p className="form-error" role="alert">
            {error}
          </p>
          <div className="form-foot">
            <TextButton className="secondary" name="Cancel" onClick={onClose} />
            <TextButton className="primary" name="Write the test" type="submit" disabled={isWriting} />
          </div>
        </form>
      )}
    </ModalDialog>
  );
}

function Done({ files, onClose }: { readonly files: readonly string[]; readonly onClose: () => void }) {
  return (
    <div className="dialog-form">
      <output>
        The test and its golden are written. `npm run replay -- verify` checks them from now on.
      </output>
      <ul className="files">
        {files.map((file) => (
          <li key={file}>
            <code>{file}</code>
          </li>
        ))}
      </ul>
      <div className="form-foot">
        <TextButton className="primary" name="Done" onClick={onClose} />
      </div>
    </div>
  );
}
