import { expect, test } from 'vitest';
import { tryParseJson } from '#shared/tryParseJson.ts';
import { ConversationTail } from './conversationTail.ts';

const message = (id: string, text: string) => ({ id, modifier: 'ai', content: [{ category: 'text', text }] });

test('a snapshot of the newest message replaces that message only, and updates continue it', () => {
  const tail = new ConversationTail({ person: 'Ada', number: 7, messages: [message('7', 'earlier')] });
  tail.add(JSON.stringify(message('8', 'Hm.')));
  tail.add(JSON.stringify({ person: 'Ada', messages: [message('8', 'Hello')] }));
  const { person, message: changed } = tail.add(JSON.stringify({ text: 'Hello, Ada.' }));
  expect(person).toBe(null);
  expect([changed?.number, tryParseJson(changed?.json() ?? '')]).toEqual([8, message('8', 'Hello, Ada.')]);
});
