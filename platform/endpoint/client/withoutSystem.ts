import type { ChatContent, ChatMessage } from '../endpoint.ts';

/** What the templates of models without a system prompt say: Gemma 2, Mistral 7B and others. */
const REFUSAL =
  /system (?:role|message|prompt)s?\b[^.]{0,40}\bnot supported|not support[^.]{0,30}\bsystem (?:role|message|prompt)|only user(?:,| and|\/| or)[^.]{0,30}roles are supported|roles must alternate/i;

/** Returns whether the words of a failure say that the model has no system prompt. */
export const refusesSystem = (words: string): boolean => REFUSAL.test(words);

/** Moves the system prompt into the first message of the person. */
export function withoutSystem(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const [system, first, ...others] = messages;
  if (system?.role !== 'system') return messages;
  if (first?.role !== 'user') return [{ ...system, role: 'user' }, ...messages.slice(1)];
  return [{ role: 'user', content: join(system.content, first.content) }, ...others];
}

type Content = ChatMessage['content'];

const join = (one: Content, other: Content): Content =>
  typeof one === 'string' && typeof other === 'string'
    ? `${one}\n\n${other}`
    : [...partsOf(one), ...partsOf(other)];

const partsOf = (content: Content): readonly ChatContent[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;
