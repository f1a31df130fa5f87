import { expect, test } from 'vitest';
import { EndpointError } from '../endpoint/endpoint.ts';
import { END, stream, text } from './testing/answeringConversation.ts';
import { answeringConversation } from './testing/answeringConversation.ts';
import { type ManualEndpoint, manualEndpoint, settled } from './testing/answeringConversation.ts';

const NEWEST = -1;

function conversation(endpoint: ManualEndpoint = manualEndpoint()) {
  const tested = answeringConversation(endpoint);
  const { clock, ada } = tested;
  const fail = async (retryAfterS: number) => {
    endpoint.chats.at(-1)?.fail(new EndpointError('rateLimited', 'Wait, then try again.', retryAfterS));
    await settled();
  };
  /** Advances the time second by second, as the countdown does. */
  const wait = async (seconds: number) => {
    for (let s = 0; s < seconds; s++) {
      clock.advance(1000);
      await settled();
    }
  };
  const newest = () => ada.conversation().messages.at(NEWEST);
  return { ...tested, endpoint, fail, wait, newest };
}

test('contract §9 wait: counts down in a notice in place of the answer, asks again by itself, and replaces the notice by the answer', async () => {
  const { say, fail, wait, newest, shown, endpoint, ada, clock } = conversation();
  await say('A joke');
  await fail(7);
  expect(newest()).toMatchObject({ modifier: 'admin', notice: true, action: 'cancel', context: '' });
  expect(shown().slice(1)).toEqual([['admin', '', 'The server limits the requests. Trying again in 7 s.']]);
  const before = ada.updates.length;
  await wait(2);
  expect(ada.updates.slice(before).map(({ frame }) => frame)).toEqual([
    { text: 'The server limits the requests. Trying again in 6 s.' },
    { text: 'The server limits the requests. Trying again in 5 s.' },
  ]);
  expect(endpoint.chats).toHaveLength(1);
  await wait(5);
  expect(shown().at(NEWEST)?.[2]).toBe('The server limits the requests. Trying again now.');
  expect(endpoint.chats[1]?.messages).toEqual(endpoint.chats[0]?.messages);
  await stream(endpoint, text('Ha.'), END);
  clock.advance(1000);
  expect(shown().slice(1)).toEqual([['ai', 'stub', 'Ha.']]);
  expect(clock.nextDue()).toBeUndefined();
});

test.each(['cancel', 'stop'])(
  'contract §9 words: `%s` ends the wait, and `again` asks again',
  async (word) => {
    const { say, fail, wait, shown, endpoint, newest, clock } = conversation();
    await say('A joke');
    await fail(60);
    await wait(2);
    await say(word);
    expect(clock.nextDue()).toBeUndefined();
    expect(shown().slice(1)).toEqual([
      ['admin', '', 'The answer was stopped before it began. Send “again” to ask again.'],
    ]);
    expect(newest()).toMatchObject({ action: 'again' });
    expect(endpoint.chats).toHaveLength(1);
    await say('again');
    expect(endpoint.chats).toHaveLength(2);
  },
);

test('a new message ends the wait', async () => {
  const { say, fail, shown, endpoint } = conversation();
  await say('A joke');
  await fail(60);
  await say('A story');
  expect(shown().slice(1, 3)).toEqual([
    ['admin', '', 'The answer was stopped before it began. Send “again” to ask again.'],
    ['client', 'Ada Lovelace', 'A story'],
  ]);
  expect(endpoint.chats).toHaveLength(2);
});

test('a wait during which the platform was killed is said to be cut off when the conversation is opened', async () => {
  const { say, fail, live } = conversation();
  await say('A joke');
  await fail(60);
  const { shown, ada } = answeringConversation(manualEndpoint(), live.stored().messages);
  expect(shown().slice(1)).toEqual([
    ['admin', '', 'The answer was cut off before it began. Send “again” to ask again.'],
  ]);
  expect(ada.conversation().messages.at(NEWEST)).toMatchObject({ action: 'again' });
});

test('a wait of more than a minute is a failure that offers `again`', async () => {
  const { say, fail, shown, newest } = conversation();
  await say('A joke');
  await fail(61);
  expect(shown().slice(1)).toEqual([['admin', '', 'Wait, then try again.']]);
  expect(newest()).toMatchObject({ action: 'again', failed: true });
});

/** Returns an endpoint whose model is loading until it is loaded. */
function loadingEndpoint() {
  let isLoading = true;
  const model = async () => {
    if (isLoading) throw new EndpointError('loading', 'The model is loaded.', 5);
    return { id: 'stub', contextTokens: null };
  };
  const loaded = () => void (isLoading = false);
  return { endpoint: { ...manualEndpoint(), model }, loaded };
}

test('contract §9 label: counts down in the label while the server loads the model, also when it does not list its models meanwhile', async () => {
  const { endpoint, loaded } = loadingEndpoint();
  const { say, wait, shown, clock, ada } = conversation(endpoint);
  const labels = () => ada.updates.flatMap(({ frame }) => ('context' in frame ? frame.context : []));
  await say('A joke');
  await wait(6);
  expect(shown().slice(1)).toEqual([['ai', 'Parley is loading the model, next try in 4 s…', '']]);
  const snapshots = ada.updates.filter(({ frame }) => 'messages' in frame).length;
  loaded();
  await wait(4);
  clock.advance(125);
  expect(shown().at(NEWEST)?.[1]).toBe('stub is loading the model…');
  await stream(endpoint, text('Ha.'), END);
  clock.advance(1000);
  expect(shown().slice(1)).toEqual([['ai', 'stub', 'Ha.']]);
  expect(ada.updates.filter(({ frame }) => 'messages' in frame)).toHaveLength(snapshots);
  expect(labels()).toContain('Parley is loading the model, next try in 1 s…');
});

test('contract §9 words: `stop` ends the wait for a server that loads the model', async () => {
  const { say, wait, shown, clock } = conversation(loadingEndpoint().endpoint);
  await say('A joke');
  await wait(2);
  await say('stop');
  expect(clock.nextDue()).toBeUndefined();
  expect(shown().slice(1)).toEqual([
    ['admin', '', 'The answer was stopped before it began. Send “again” to ask again.'],
  ]);
});

test('a server that loads the model after it was busy is said in the notice', async () => {
  const { say, fail, wait, shown, endpoint } = conversation();
  await say('A joke');
  await fail(1);
  await wait(1);
  endpoint.chats.at(-1)?.fail(new EndpointError('loading', 'The model is loaded.', 5));
  await settled();
  expect(shown().slice(1)).toEqual([['admin', '', 'The server loads the model. Trying again in 5 s.']]);
});
