import { ASSISTANT, type NewId } from '../assistant.ts';
import type { MarkedMessage } from '../context/markedMessage.ts';
import { avatar } from '../demonstration/pictures.ts';

/** Returns a message in which the platform, not the model, says something. */
export const notice = (newId: NewId, text: string, fields: Partial<MarkedMessage> = {}): MarkedMessage => ({
  id: newId(),
  modifier: 'ai',
  content: [{ category: 'text', text, html: null, blob: null }],
  context: ASSISTANT,
  avatar: avatar(),
  seen: true,
  notice: true,
  ...fields,
});

/** What the platform says once, when the conversation is longer than the model's context window. */
const CUT = 'Earlier messages are no longer sent to the assistant.';

/** Returns the message in the middle about the cut; `null` when the conversation has it. */
export const cutNotice = (newId: NewId, messages: readonly MarkedMessage[]): MarkedMessage | null =>
  messages.some(({ modifier, content }) => modifier === 'admin' && content?.[0]?.text === CUT)
    ? null
    : notice(newId, CUT, { modifier: 'admin', avatar: '' });
