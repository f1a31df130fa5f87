import { type SyntheticEvent, useId } from 'react';
import { dialogClosed } from '#shared/actions/windowActions.ts';
import { EXPORT_FORMATS, type ExportFormat } from '#ui/export/exportConversation.ts';
import { useWindowCommands } from '../base/WindowCommands.ts';
import { Dialog } from './Dialog.tsx';

const FORMATS: readonly ExportFormat[] = ['html', 'markdown', 'text'];

/** Asks for the format in which the conversation is exported. */
export function Export() {
  const commands = useWindowCommands();
  const name = useId();
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const chosen = new FormData(event.currentTarget).get(name);
    const format = FORMATS.find((one) => one === chosen);
    commands.dispatch(dialogClosed());
    if (format !== undefined) commands.exportConversation(format);
  };
  const formId = useId();
  const buttons = (
    <>
      <button type="button" className="secondary" onClick={() => commands.dispatch(dialogClosed())}>
        Cancel
      </button>
      <button type="submit" className="primary" form={formId}>
        Export
      </button>
    </>
  );
  return (
    <Dialog title="Export the conversation" buttons={buttons}>
      <form id={formId} onSubmit={submit}>
        <fieldset className="setting">
          <legend>Format</legend>
          <div className="formats">
            {FORMATS.map((format) => (
              <label key={format}>
                <input type="radio" name={name} value={format} defaultChecked={format === 'html'} />
                {EXPORT_FORMATS[format].name}
                <small>{EXPORT_FORMATS[format].about}</small>
              </label>
            ))}
          </div>
        </fieldset>
      </form>
    </Dialog>
  );
}
