import type { AssistantDialogData } from '#shared/protocol/assistantSettings.ts';
import type { Environment } from '#shared/settings.ts';

const NAMES = [
  'PARLEY_ASSISTANT_URL',
  'PARLEY_ASSISTANT_MODEL',
  'PARLEY_ASSISTANT_KEY',
  'PARLEY_ASSISTANT_KEY_FILE',
  'PARLEY_ASSISTANT_PROMPT',
] as const;

/**
 * Returns what the dialog "Assistant" shows when the environment sets the assistant (contract §2); `undefined` when it does not. The
 * program that starts the built-in platform reads and checks the values.
 */
export function assistantVariables(environment: Environment): AssistantDialogData | undefined {
  const value = (name: (typeof NAMES)[number]) => environment[name]?.trim() ?? '';
  const variables = NAMES.filter((name) => value(name) !== '');
  if (variables.length === 0) return undefined;
  return {
    url: value('PARLEY_ASSISTANT_URL'),
    model: value('PARLEY_ASSISTANT_MODEL'),
    prompt: value('PARLEY_ASSISTANT_PROMPT'),
    hasKey: variables.some((name) => name.startsWith('PARLEY_ASSISTANT_KEY')),
    variables,
  };
}
