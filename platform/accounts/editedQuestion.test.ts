import { expect, test } from 'vitest';
import type { Message } from '#shared/protocol/update.ts';
import { END, stream, text } from './testing/answeringConversation.ts';
import { answeringConversation } from './testing/answeringConversation.ts';
import { manualEndpoint, settled } from './testing/answeringConversation.ts';

function conversation(messages: readonly Message[] = []) {
  const endpoint = manualEndpoint();
  const tested = answeringConversation(endpoint, messages);
  const answer = async (words: string) => {
    await stream(endpoint, text(words), END);
    tested.clock.advance(1000);
  };
  return { ...tested, endpoint, answer, sent: () => endpoint.chats.at(-1)?.messages.slice(1) };
}

const user = (content: string) => ({ role: 'user', content });

test('contract §9 edit: the next message replaces the last question and its answer for the model, and both stay in the conversation', async () => {
  const { say, answer, sent, shown, ada } = conversation();
  await say('Hello');
  await answer('Hi.');
  await say('A story');
  await answer('Once upon a time.');
  const old = ada.conversation().messages.at(2)?.id;
  await say(' Edit ');
  expect(shown()).toHaveLength(4);
  await say('A poem');
  expect(sent()).toEqual([user('Hello'), { role: 'assistant', content: 'Hi.' }, user('A poem')]);
  expect(ada.conversation().messages.at(4)).toMatchObject({ modifier: 'client', replaces: old });
  await answer('Roses.');
  expect(shown().map(([, , said]) => said)).toEqual([
    'Hello',
    'Hi.',
    'A story',
    'Once upon a time.',
    'A poem',
    'Roses.',
  ]);
  await say('More');
  expect(ada.conversation().messages.at(6)).not.toHaveProperty('replaces');
  expect(sent()?.slice(2)).toEqual([user('A poem'), { role: 'assistant', content: 'Roses.' }, user('More')]);
});

test('contract §9 edit: holds after a restart of the platform, and for a question that is edited twice and asked again', async () => {
  const before = conversation();
  await before.say('A story');
  await before.answer('Once.');
  await before.say('edit');
  await before.say('A poem');
  await before.answer('Roses.');
  const { say, sent } = conversation(before.live.stored().messages);
  await say('edit');
  await say('A song');
  expect(sent()).toEqual([user('A song')]);
  await say('again');
  expect(sent()).toEqual([user('A song')]);
});

test('contract §9 edit: ends a running answer first, and is forgotten when another word follows', async () => {
  const { say, answer, sent, shown, endpoint } = conversation();
  await say('A story');
  await stream(endpoint, text('Once upon'));
  await say('edit');
  expect(endpoint.chats[0]?.signal.aborted).toBe(true);
  expect(shown().at(-1)).toEqual(['ai', 'stub · stopped', 'Once upon']);
  await say('continue');
  await answer(' a time.');
  await say('And then?');
  expect(sent()?.[0]).toEqual(user('A story'));
});

test('an edited question keeps the files that were sent with it', async () => {
  const { say, answer, sent, live } = conversation();
  live.receive({ category: 'file', text: 'a.txt', blob: Buffer.from('The file.').toString('base64') });
  await say('What is it?');
  await answer('A file.');
  await say('edit');
  await say('How long is it?');
  await settled();
  expect(JSON.stringify(sent())).toContain('The file.');
  expect(JSON.stringify(sent())).toContain('How long is it?');
  expect(JSON.stringify(sent())).not.toContain('What is it?');
});

test('contract §9 edit: is a text as any other when there is no question', async () => {
  const { say, sent } = conversation();
  await say('edit');
  expect(sent()).toEqual([user('edit')]);
});
