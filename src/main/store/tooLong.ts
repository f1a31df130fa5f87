import { clip } from '#shared/formatText.ts';
import { WINDOW_MESSAGE_LENGTH } from '#shared/limits.ts';
import type { ContentItem, Message, Update } from '#shared/protocol/update.ts';
import { itemForWindows, messageForWindows } from './blobReferences.ts';

const TOO_LONG = 'This message is too long to be shown. Save the session to read it in a file.';
const NOTICE: ContentItem = { category: 'text', text: TOO_LONG, html: null, blob: null };
/** Identifiers and names are clipped to this length. */
const CLIPPED = 500;

/** The log message for a message that is too long. */
export const TOO_LONG_FOR_WINDOWS = 'a message is too long for the windows: they show a notice in its place';

/** Called when a window receives a notice in place of a message. */
export type OnTooLong = () => void;

/** Returns the JSON of a message as a window receives it; of a notice when the message is too long. */
export function messageJson(message: Message, onTooLong?: OnTooLong): string {
  const json = jsonWithinLimit(messageForWindows(message));
  if (json === undefined) onTooLong?.();
  return json ?? JSON.stringify(noticeOf(message));
}

/** Returns a notice for an update that is too long for a window, otherwise `undefined`. A snapshot is sent in parts. */
export function tooLongUpdate(update: Update): Update | undefined {
  switch (update.kind) {
    case 'message':
      if (jsonWithinLimit(messageForWindows(update.frame)) !== undefined) return undefined;
      return { kind: 'message', frame: noticeOf(update.frame) };
    case 'content':
      if (jsonWithinLimit(itemForWindows(update.frame)) !== undefined) return undefined;
      return { kind: 'content', frame: NOTICE };
    case 'text':
      return { kind: 'text', frame: { text: TOO_LONG } };
    case 'name':
      return { kind: 'name', frame: { name: clip(update.frame.name, CLIPPED) } };
    case 'context':
      return { kind: 'context', frame: { context: clip(update.frame.context, CLIPPED) } };
    case 'snapshot':
    case 'notification':
      return undefined;
    default:
      return update satisfies never;
  }
}

/** Returns a name, clipped when it is too long for a window. */
export const nameForWindows = <T extends string | null>(name: T): T | string =>
  name !== null && name.length > WINDOW_MESSAGE_LENGTH ? clip(name, CLIPPED) : name;

const noticeOf = ({ id = '', modifier = '' }: Message): Message => ({
  id: clip(id, CLIPPED),
  modifier: clip(modifier, CLIPPED),
  content: [NOTICE],
});

function jsonWithinLimit(value: object): string | undefined {
  try {
    const json = JSON.stringify(value);
    return json.length > WINDOW_MESSAGE_LENGTH ? undefined : json;
  } catch (error) {
    // The JSON exceeds the maximum length of a string.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
