import { type Message, toFrame } from '#shared/conversation/conversation.ts';
import { type Vector, itemAt } from '#shared/conversation/vector.ts';
import { NEWEST_PART_LENGTH, PART_LENGTH } from '#shared/limits.ts';
import { type SharedState, sharedPart } from '#shared/store/rootReducer.ts';
import { type Range, partForWindows } from '../store/partForWindows.ts';
import { type OnTooLong, nameForWindows } from '../store/tooLong.ts';

/** The state that a window can fetch: the shared part, and the number of the action that began its conversation. */
type FetchableState = SharedState & { readonly conversationStart: number };

/** Returns the state as JSON for `fetchState`, with the newest messages. */
export function stateText(state: FetchableState, onTooLong?: OnTooLong): string {
  const { conversation, conversationStart: start } = state;
  const shared = { ...sharedPart(state), conversation: { person: nameForWindows(conversation.person) } };
  const { messages } = conversation;
  const range = { before: messages.length, limit: NEWEST_PART_LENGTH, onTooLong };
  const newest = partBefore(messages, range);
  return `{"state":${JSON.stringify(shared)},"start":${start},"newest":${newest}}`;
}

/** Returns the response to `fetchPart`; `null` when the requested part does not exist. */
export function partText(
  { conversation, conversationStart }: FetchableState,
  { start, before }: { readonly start: unknown; readonly before: unknown },
  onTooLong?: OnTooLong,
): string | null {
  const { messages } = conversation;
  if (start !== conversationStart || typeof before !== 'number') return null;
  if (!Number.isInteger(before) || before < 1 || before > messages.length) return null;
  return partBefore(messages, { before, limit: PART_LENGTH, onTooLong });
}

const partBefore = (messages: Vector<Message>, range: Range) =>
  partForWindows({ length: messages.length, at: (index) => toFrame(itemAt(messages, index) ?? {}) }, range);
