import {
  type HTMLInputTypeAttribute,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useId,
  useLayoutEffect,
  useRef,
} from 'react';
import type {
  AssistantChange,
  AssistantDialogData,
  AssistantResult,
  AssistantField as Name,
} from '#shared/protocol/assistantSettings.ts';
import { pluralize } from '#shared/formatText.ts';
import type { AssistantWork, DialogState } from '#shared/actions/windowSchemas.ts';
import { ASSISTANT_KEY_LENGTH, ASSISTANT_NAME_LENGTH, ASSISTANT_PROMPT_LENGTH } from '#shared/limits.ts';
import { useLive } from '../base/Picture.ts';
import { useWindowCommands } from '../base/WindowCommands.ts';
import { Dialog } from './Dialog.tsx';
import { assistantTestCancelRequested } from '#shared/actions/userActions.ts';
import { dialogClosed } from '#shared/actions/windowActions.ts';

type Props = Extract<DialogState, { readonly dialog: 'assistant' }>;

/** Shows the settings of the assistant. They are tested and stored on request. Closes when main reports that they are stored. */
export function Assistant({ contents, work, result, models }: Props) {
  const commands = useWindowCommands();
  const form = useRef<HTMLFormElement>(null);
  const [formId, lineId] = [useId(), useId()];
  const live = useLive();
  const failedField = result?.kind === 'failed' ? result.field : null;
  useLayoutEffect(() => {
    if (failedField !== null) commands.focus(form.current?.querySelector(`[name="${failedField}"]`));
  }, [commands, failedField]);
  const isFixed = contents.variables.length > 0;
  const save = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (work === null && !isFixed)
      commands.saveAssistant(readAssistantForm(new FormData(event.currentTarget), contents.hasKey));
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
  const commands = useWindowCommands();
  const isFixed = variables.length > 0;
  const test = () => {
    if (work === 'test') commands.send(assistantTestCancelRequested());
    else if (isFixed) commands.testAssistant(null);
    else if (form.current !== null)
      commands.testAssistant(readAssistantForm(new FormData(form.current), hasKey));
  };
  return (
    <>
      <button type="button" className="secondary" onClick={() => commands.dispatch(dialogClosed())}>
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
  const commands = useWindowCommands();
  return (
    <section className="setting">
      <button
        type="button"
        className="secondary"
        disabled={isDisabled}
        onClick={() => commands.saveAssistant(null)}
      >
        Use the demonstration
      </button>
      <p>Parley’s own assistant repeats what you write. The settings above are deleted, with the key.</p>
    </section>
  );
}

interface AssistantFieldsProps extends AssistantDialogData {
  /** The models that the field offers. */
  readonly models: readonly string[];
  /** Returns the id of the element that shows a field's error, while it does. */
  readonly errorId: (field: Name) => string | undefined;
}

/** Shows the fields of the dialog "Assistant". */
function AssistantFields({ url, model, prompt, hasKey, variables, models, errorId }: AssistantFieldsProps) {
  const isReadOnly = variables.length > 0;
  const field = (name: Name) => ({ name, isReadOnly, errorId: errorId(name) });
  return (
    <>
      <AssistantField
        {...field('url')}
        label="Address"
        note="Of a server with OpenAI’s interface: Ollama, llama.cpp, vLLM, LM Studio or a hosted one."
        value={url}
        type="url"
        placeholder="http://127.0.0.1:11434/v1"
        maxLength={ASSISTANT_NAME_LENGTH}
      />
      <AssistantField
        {...field('key')}
        label="Key"
        note={keyNote(hasKey, isReadOnly)}
        value=""
        type="password"
        maxLength={ASSISTANT_KEY_LENGTH}
      >
        {hasKey && !isReadOnly && (
          <label className="check">
            <input type="checkbox" name="removesKey" />
            <span>Remove the stored key</span>
          </label>
        )}
      </AssistantField>
      <AssistantField
        {...field('model')}
        label="Model"
        note={models.length === 0 ? 'Test finds the models of the server.' : 'Choose one, or leave it empty.'}
        value={model}
        placeholder="The server’s first"
        maxLength={ASSISTANT_NAME_LENGTH}
        offered={isReadOnly ? [] : models}
      />
      <AssistantField
        {...field('prompt')}
        label="Instructions"
        note="Instructions to the model before each conversation. Empty: a short text of Parley’s own."
        value={prompt}
        maxLength={ASSISTANT_PROMPT_LENGTH}
        lines={3}
      />
    </>
  );
}

function keyNote(hasKey: boolean, isReadOnly: boolean): string {
  if (isReadOnly) return 'A key of the environment is not shown.';
  return hasKey
    ? 'A key is stored and is not shown. Leave this empty to keep it, or enter another one.'
    : 'Only if the server needs one.';
}

interface AssistantFieldProps {
  readonly name: Name;
  readonly label: string;
  readonly note: string;
  /** The value at first; later ones are only in the element. */
  readonly value: string;
  readonly placeholder?: string;
  readonly maxLength: number;
  readonly isReadOnly: boolean;
  /** The id of the element that shows this field's error, while it does. */
  readonly errorId: string | undefined;
  readonly type?: HTMLInputTypeAttribute;
  /** The number of lines; `undefined`: a field of one line. */
  readonly lines?: number;
  /** The values that the field offers. */
  readonly offered?: readonly string[];
  readonly children?: ReactNode;
}

/** Shows a field of the dialog "Assistant". Its value is only in the element. */
function AssistantField(props: AssistantFieldProps) {
  const { name, label, note, value, placeholder, maxLength, isReadOnly, errorId, offered = [] } = props;
  const id = useId();
  const noteId = useId();
  const listId = useId();
  const given = {
    id,
    name,
    defaultValue: value,
    maxLength,
    readOnly: isReadOnly,
    'aria-invalid': errorId !== undefined,
    'aria-describedby': errorId === undefined ? noteId : `${errorId} ${noteId}`,
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
    ...(placeholder !== undefined && { placeholder }),
  };
  return (
    <div className="assistant-field">
      <label htmlFor={id}>{label}</label>
      {props.lines === undefined ? (
        <input type={props.type ?? 'text'} {...given} {...(offered.length > 0 && { list: listId })} />
      ) : (
        <textarea dir="auto" rows={props.lines} {...given} spellCheck />
      )}
      <p id={noteId}>{note}</p>
      {props.children}
      {offered.length > 0 && (
        <datalist id={listId}>
          {offered.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </datalist>
      )}
    </div>
  );
}

/** Returns what a person entered in the form of the dialog "Assistant". An empty key keeps the stored one, unless it is to be removed. */
export function readAssistantForm(data: FormData, hasKey: boolean): AssistantChange {
  const read = (name: string) => {
    const value = data.get(name);
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
  };
  const key = read('key');
  return {
    url: read('url') ?? '',
    model: read('model'),
    prompt: read('prompt'),
    key,
    keepsKey: hasKey && key === null && !data.has('removesKey'),
  };
}
