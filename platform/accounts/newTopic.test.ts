import { expect, test } from 'vitest';
import { END, stream, text } from './testing/answeringConversation.ts';
import { answeringConversation } from './testing/answeringConversation.ts';
import { manualEndpoint } from './testing/answeringConversation.ts';

function conversation() {
  const endpoint = manualEndpoint();
  const tested = answeringConversation(endpoint);
  const answer = async (words: string) => {
    await stream(endpoint, text(words), END);
    tested.clock.advance(1000);
  };
  return { ...tested, endpoint, answer, sent: () => endpoint.chats.at(-1)?.messages.slice(1) };
}

const NEWEST = -1;

test('contract §9 new topic: adds a divider once, and the model gets only what is after it', async () => {
  const { say, answer, sent, ada, shown } = conversation();
  await say('A story');
  await answer('Once upon a time.');
  await say(' New Topic ');
  expect(ada.conversation().messages.at(NEWEST)).toMatchObject({
    modifier: 'admin',
    divider: true,
    context: '',
    content: [{ category: 'text', text: 'New topic' }],
  });
  await say('new topic');
  expect(shown()).toHaveLength(3);
  await say('A joke');
  expect(sent()).toEqual([{ role: 'user', content: 'A joke' }]);
  await answer('Ha.');
  await say('again');
  expect(sent()).toEqual([{ role: 'user', content: 'A joke' }]);
});

test('contract §9 new topic: ends a running answer first', async () => {
  const { say, shown, endpoint, clock } = conversation();
  await say('A story');
  await stream(endpoint, text('Once upon a time'));
  await say('new topic');
  await stream(endpoint, text(', there was'), END);
  clock.advance(60_000);
  expect(shown().slice(1)).toEqual([
    ['ai', 'stub · stopped', 'Once upon a time'],
    ['admin', '', 'New topic'],
  ]);
  expect(endpoint.chats[0]?.signal.aborted).toBe(true);
});

test('`again` and `continue` are questions when the topic has none', async () => {
  const { say, sent } = conversation();
  await say('A story');
  await say('new topic');
  await say('again');
  expect(sent()).toEqual([{ role: 'user', content: 'again' }]);
});

test('the demonstration begins a new topic too', async () => {
  const { say, holder, shown, clock } = conversation();
  holder.set(null);
  await say('hello');
  clock.advance(1000);
  await say('new topic');
  await say('new topic');
  clock.advance(1000);
  expect(shown().slice(1)).toEqual([
    ['ai', 'Parley', 'You said: hello'],
    ['admin', '', 'New topic'],
  ]);
});
