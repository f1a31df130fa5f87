import { type RefObject, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';
import type { AssistantResult } from '#shared/ipc/assistant.ts';
import { pluralize } from '#shared/pluralize.ts';
import { type AssistantWork, type DialogState, dialogClosed } from '#shared/window/dialog.ts';
import { useLive } from '../base/Picture.ts';
import { useWindowActs } from '../base/WindowActs.ts';
import { AssistantFields } from './AssistantFields.tsx';
import { Dialog } from './Dialog.tsx';
import { readAssistantForm } from './readAssistantForm.ts';

type Props = Extract<DialogState, { readonly dialog: 'assistant' }>;

/** Shows the settings of the assistant. They are tested and stored on request. Closes when main reports that they are stored. */
export function Assistant({ contents, work, result, models }: Props) {
  const acts = useWindowActs();
  const form = useRef<HTMLFormElement>(null);
  const [formId, lineId] = [useId(), useId()];
  const live = useLive();
  const failedField = result?.kind === 'failed' ? result.field : null;
  useLayoutEffect(() => {
    if (failedField !== null) acts.focus(form.current?.querySelector(`[name="${failedField}"]`));
  }, [acts, failedField]);
  const isFixed = contents.variables.length > 0;
  const save = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (work === null && !isFixed)
      acts.saveAssistant(readAssistantForm(new FormData(event.currentTarget), contents.hasKey));
  };
  return (
    <Dialog title="Assistant" buttons={<Buttons {...{ form, formId, contents, work }} />}>
      <form ref={form} id={formId} className="assistant" noValidate aria-busy={work !== null} onSubmit={save}>
        <p>{isFixed ? fixedText(contents.variables) : INTRODUCTION}</p>
        <AssistantFields
          {...contents}
          models={models}
          errorId={(field) => (field === failedField ? lineId : undefined)}
        />
        {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a paragraph, and no output of a calculation */}
        <p id={lineId} role="status" aria-live={live} data-result={result?.kind}>
          {statusText(work, result)}
        </p>
      </form>
      {contents.url !== '' && !isFixed && <Demonstration isDisabled={work !== null} />}
    </Dialog>
  );
}

const INTRODUCTION = 'Your messages are sent to the server that you enter here.';

const fixedText = (variables: readonly string[]) =>
  `Set by ${variables.join(', ')}. To choose here, start Parley without ${variables.length === 1 ? 'it' : 'them'}.`;

function statusText(work: AssistantWork | null, result: AssistantResult | null): string {
  if (work !== null) return work === 'test' ? 'Testing…' : 'Saving…';
  if (result?.kind === 'failed') return result.message;
  if (result?.kind !== 'tested') return '';
  return `The server answers with the model ${result.model}. It offers ${pluralize(result.models.length, 'model')}.`;
}

interface ButtonsProps extends Pick<Props, 'contents' | 'work'> {
  readonly form: RefObject<HTMLFormElement | null>;
  readonly formId: string;
}

function Buttons({ form, formId, contents: { hasKey, variables }, work }: ButtonsProps) {
  const acts = useWindowActs();
  const isFixed = variables.length > 0;
  const test = () => {
    if (work === 'test') acts.request('cancelAssistantTest');
    else if (isFixed) acts.testAssistant(null);
    else if (form.current !== null) acts.testAssistant(readAssistantForm(new FormData(form.current), hasKey));
  };
  return (
    <>
      <button type="button" className="secondary" onClick={() => acts.dispatch(dialogClosed())}>
        Close
      </button>
      <button type="button" className="secondary" disabled={work === 'save'} onClick={test}>
        {work === 'test' ? 'Cancel test' : 'Test'}
      </button>
      {!isFixed && (
        <button type="submit" className="primary" form={formId} disabled={work !== null}>
          Save
        </button>
      )}
    </>
  );
}

function Demonstration({ isDisabled }: { readonly isDisabled: boolean }) {
  const acts = useWindowActs();
  return (
    <section className="setting">
      <button
        type="button"
        className="secondary"
        disabled={isDisabled}
        onClick={() => acts.saveAssistant(null)}
      >
        Use the demonstration
      </button>
      <p>Parley’s own assistant repeats what you write. The settings above are deleted, with the key.</p>
    </section>
  );
}
