import type { AssistantChange } from '#shared/ipc/assistant.ts';

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
