import { isJsonObject } from '#shared/isJsonObject.ts';
import { kindOf } from '#shared/protocol/decodeUpdate.ts';

/**
 * Replaces numbers as ids of messages by their decimal text, as `decodeUpdate` does (contract §5): both forms then have the same alias. The
 * frame has just been parsed, so it has no other owner.
 */
export function useTextIds(frame: unknown): void {
  for (const message of messagesOf(frame))
    if (isJsonObject(message) && typeof message.id === 'number')
      Object.assign(message, { id: String(message.id) });
}

/** Returns the messages in a frame: the frame itself, or those of a snapshot. */
function messagesOf(frame: unknown): readonly unknown[] {
  if (!isJsonObject(frame)) return [];
  const kind = kindOf(frame);
  if (kind === 'message') return [frame];
  return kind === 'snapshot' && Array.isArray(frame.messages) ? frame.messages : [];
}
