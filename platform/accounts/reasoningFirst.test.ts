import { expect, test } from 'vitest';
import type { AnswerPart } from '../endpoint/endpoint.ts';
import { END, stream, text } from './testing/answeringConversation.ts';
import { answeringConversation } from './testing/answeringConversation.ts';
import { foldingSocket } from './testing/answeringConversation.ts';
import { manualEndpoint } from './testing/answeringConversation.ts';

const ENDED: AnswerPart = { kind: 'reasoningEnded' };

/** Creates a conversation whose first answer began with reasoning that was shown as text. */
async function conversation() {
  const endpoint = manualEndpoint();
  const tested = answeringConversation(endpoint);
  const second = foldingSocket();
  tested.live.addSocket(second.socket);
  await tested.say('hello');
  await stream(endpoint, text('They greet me.'));
  tested.clock.advance(1000);
  const before = tested.shown().at(-1);
  await stream(endpoint, ENDED, text('Hello, Ada.'), END);
  tested.clock.advance(1000);
  return { ...tested, endpoint, second, before };
}

test('contract §9 collapse: sends the conversation again when text was reasoning: to every client, with the words, and as it is stored', async () => {
  const { ada, second, live, before, clock } = await conversation();
  expect(before).toEqual(['ai', 'stub is writing…', 'They greet me.']);
  expect(ada.updates.map(({ kind }) => kind)).toEqual([
    'snapshot',
    'message',
    'message',
    'text',
    'context',
    'snapshot',
    'content',
    'context',
  ]);
  expect(ada.updates[5]?.frame).toMatchObject({
    person: 'Ada Lovelace',
    words: ['stop', 'again', 'continue', 'edit', 'new topic'],
  });
  expect(ada.conversation().messages.at(-1)).toMatchObject({
    time: '1970-01-01T00:00:00.000Z',
    model: 'stub',
    context: 'stub',
    content: [
      { format: 'reasoning', text: 'They greet me.' },
      { format: 'markdown', text: 'Hello, Ada.' },
    ],
  });
  const later = foldingSocket();
  live.addSocket(later.socket);
  clock.advance(1000);
  expect([second.conversation(), later.conversation(), live.stored()]).toEqual(
    Array(3).fill(ada.conversation()),
  );
});

test('sends the reasoning to the model in no request, and shows the text of the next answer as it comes', async () => {
  const { say, endpoint, ada, clock, shown } = await conversation();
  await say('and now?');
  expect(endpoint.chats.at(-1)?.messages.slice(1)).toEqual([
    { role: 'user', content: 'hello' },
    { role: 'assistant', content: 'Hello, Ada.' },
    { role: 'user', content: 'and now?' },
  ]);
  await stream(endpoint, text('They ask.'));
  clock.advance(250);
  expect(shown().at(-1)).toEqual(['ai', 'stub is writing…', 'They ask.']);
  await stream(endpoint, ENDED, text('Now.'), END);
  clock.advance(1000);
  expect(shown().at(-1)).toEqual(['ai', 'stub', 'They ask.', 'Now.']);
  expect(ada.updates.filter(({ kind }) => kind === 'snapshot')).toHaveLength(3);
});

test('continues an answer that was stopped after its reasoning, without the reasoning', async () => {
  const { say, endpoint, clock } = await conversation();
  await say('again');
  await stream(endpoint, text('Hm.'), ENDED, text('Good'));
  clock.advance(1000);
  await say('stop');
  await say('continue');
  expect(endpoint.chats.at(-1)?.messages.slice(1)).toEqual([
    { role: 'user', content: 'hello' },
    { role: 'assistant', content: 'Good' },
    { role: 'user', content: expect.stringContaining('Continue') },
  ]);
});
