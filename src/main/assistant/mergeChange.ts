import {
  type AssistantChange,
  type AssistantMistake,
  type AssistantSettings,
  assistantMistake,
} from '#shared/protocol/assistantSettings.ts';

const OTHER_SERVER: AssistantMistake = {
  field: 'key',
  message: 'The stored key belongs to another server. Enter the key of this one, or remove the stored key.',
};

/**
 * Returns the settings that a change makes of the current ones, or the first mistake. The stored key is used for the server only for
 * which it was entered, so that no change of the address sends it to another one.
 */
export function mergeChange(
  { keepsKey, ...entered }: AssistantChange,
  current: AssistantSettings | null,
): AssistantSettings | AssistantMistake {
  const settings = keepsKey ? { ...entered, key: current?.key ?? null } : entered;
  const mistake = assistantMistake(settings);
  if (mistake !== undefined) return mistake;
  if (keepsKey && settings.key !== null && !isSameServer(settings.url, current?.url)) return OTHER_SERVER;
  return settings;
}

const isSameServer = (url: string, other = ''): boolean =>
  URL.canParse(other) && new URL(url).origin === new URL(other).origin;
