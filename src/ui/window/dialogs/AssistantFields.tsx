import type { AssistantDialogData } from '#shared/ipc/assistant.ts';
import { ASSISTANT_KEY_LENGTH, ASSISTANT_NAME_LENGTH, ASSISTANT_PROMPT_LENGTH } from '#shared/limits.ts';
import type { AssistantField as Name } from '#shared/protocol/assistantSettings.ts';
import { AssistantField } from './AssistantField.tsx';

interface Props extends AssistantDialogData {
  /** The models that the field offers. */
  readonly models: readonly string[];
  /** Returns the id of the element that shows a field's error, while it does. */
  readonly errorId: (field: Name) => string | undefined;
}

/** Shows the fields of the dialog "Assistant". */
export function AssistantFields({ url, model, prompt, hasKey, variables, models, errorId }: Props) {
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
        {hasKey && !isReadOnly && <RemoveKey />}
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

const RemoveKey = () => (
  <label className="check">
    <input type="checkbox" name="removesKey" />
    <span>Remove the stored key</span>
  </label>
);
