import { type FormEvent, useState } from 'react';
import { ModalDialog } from '../parts/ModalDialog.tsx';
import { errorText } from '../session/inspectorStore.ts';
import { shownInfo } from '../session/inspectorState.ts';
import { plainName } from '../session/whatIf.ts';
import { useInspector } from '../session/InspectorContext.ts';
import { fieldOf } from './Editors.tsx';

/**
 * Requests the name and folder of the test, and shows the result.
 *
 *   asking ─submit─▶ writing ─written─▶ done
 *                    writing ─refused─▶ asking
 */
type Progress =
  | { readonly kind: 'asking'; readonly error?: string }
  | { readonly kind: 'writing' }
  | { readonly kind: 'done'; readonly files: readonly string[] };

/** Writes the shown session and its golden into a folder, for `verify`. */
export function MakeTestDialog({ onClose }: { readonly onClose: () => void }) {
  const { whatIf, store } = useInspector();
  const [progress, setProgress] = useState<Progress>({ kind: 'asking' });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const request = {
      folder: fieldOf(form, 'folder'),
      name: fieldOf(form, 'name'),
      redact: form.has('redact'),
    };
    setProgress({ kind: 'writing' });
    whatIf.makeTest(request).then(
      (files) => setProgress({ kind: 'done', files }),
      (error: unknown) => setProgress({ kind: 'asking', error: errorText(error) }),
    );
  };
  return (
    <ModalDialog title="Make a test of this" onClose={onClose}>
      {progress.kind === 'done' ? (
        <Done files={progress.files} onClose={onClose} />
      ) : (
        <form className="dialog-form" onSubmit={submit}>
          <Fields name={plainName(shownInfo(store.get())?.name ?? 'session')} />
          <p className="form-error" role="alert">
            {progress.kind === 'asking' ? progress.error : ''}
          </p>
          <div className="form-foot">
            <button type="button" className="secondary" onClick={onClose}>
              Cancel
            </button>
            <button type="submit" className="primary" disabled={progress.kind === 'writing'}>
              Write the test
            </button>
          </div>
        </form>
      )}
    </ModalDialog>
  );
}

const Fields = ({ name }: { readonly name: string }) => (
  <>
    <label>
      Folder
      <input name="folder" defaultValue="tests/captures" required spellCheck={false} />
    </label>
    <label>
      Name
      <input name="name" defaultValue={name} required spellCheck={false} />
    </label>
    <label className="check">
      <input type="checkbox" name="redact" defaultChecked />
      Replace what is personal
    </label>
  </>
);

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
        <button type="button" className="primary" onClick={onClose}>
          Done
        </button>
      </div>
    </div>
  );
}
