import { expect, test } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import { conversation, text, manualEndpoint, type ManualEndpoint } from './testing/answeringConversation.ts';
import { createRetries } from '../assistant/retryLater.ts';
import { EndpointError } from '../endpoint/endpoint.ts';

const NEWEST = -1;

/** A conversation whose time passes second by second, as the countdown does. */
function limited(endpoint?: ManualEndpoint) {
  const tested = conversation([], endpoint);
  const fail = (retryAfterS: number) =>
    tested.fail(new EndpointError('rateLimited', 'Wait, then try again.', retryAfterS));
  const pass = async (seconds: number) => {
    for (let s = 0; s < seconds; s++) await tested.wait(1000);
  };
  return { ...tested, fail, pass };
}

test('contract §9 wait: counts down in a notice in place of the answer, asks again by itself, and replaces the notice by the answer', async () => {
  const { say, fail, pass, newest, shown, endpoint, ada, clock, answer } = limited();
  await say('A joke');
  await fail(7);
  expect(newest()).toMatchObject({ modifier: 'admin', notice: true, action: 'cancel', context: '' });
  expect(shown().slice(1)).toEqual([['admin', '', 'The server limits the requests. Trying again in 7 s.']]);
  const before = ada.updates.length;
  await pass(2);
  expect(ada.updates.slice(before).map(({ frame }) => frame)).toEqual([
    { text: 'The server limits the requests. Trying again in 6 s.' },
    { text: 'The server limits the requests. Trying again in 5 s.' },
  ]);
  expect(endpoint.chats).toHaveLength(1);
  await pass(5);
  expect(shown().at(NEWEST)?.[2]).toBe('The server limits the requests. Trying again now.');
  expect(endpoint.chats[1]?.messages).toEqual(endpoint.chats[0]?.messages);
  await answer(text('Ha.'));
  expect(shown().slice(1)).toEqual([['ai', 'stub', 'Ha.']]);
  expect(clock.nextDue()).toBeUndefined();
});

test.each(['cancel', 'stop'])(
  'contract §9 words: `%s` ends the wait, and a new message asks again',
  async (word) => {
    const { say, fail, pass, shown, endpoint, newest, clock } = limited();
    await say('A joke');
    await fail(60);
    await pass(2);
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

test('a wait of more than a minute is a failure that offers `again`', async () => {
  const { say, fail, shown, newest } = limited();
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
  const { say, pass, shown, clock, ada, answer } = limited(endpoint);
  const labels = () => ada.updates.flatMap(({ frame }) => ('context' in frame ? frame.context : []));
  await say('A joke');
  await pass(6);
  expect(shown().slice(1)).toEqual([['ai', 'Parley is loading the model, next try in 4 s…', '']]);
  const snapshots = ada.updates.filter(({ frame }) => 'messages' in frame).length;
  loaded();
  await pass(4);
  clock.advance(125);
  expect(shown().at(NEWEST)?.[1]).toBe('stub is loading the model…');
  await answer(text('Ha.'));
  expect(shown().slice(1)).toEqual([['ai', 'stub', 'Ha.']]);
  expect(ada.updates.filter(({ frame }) => 'messages' in frame)).toHaveLength(snapshots);
  expect(labels()).toContain('Parley is loading the model, next try in 1 s…');
});

test.each([
  ['rateLimited', 5],
  ['failed', 5],
  ['loading', 120],
] as const)('waits after %s at most %i times, at least a second each time', async (kind, most) => {
  const clock = virtualClock();
  const retry = createRetries({ clock, signal: new AbortController().signal, show: () => undefined });
  const failure = new EndpointError(kind, 'A sentence.', 0);
  for (let count = 0; count < most; count++) {
    const result = retry(failure);
    clock.advance(999);
    expect(clock.nextDue()).toBe((count + 1) * 1000);
    clock.advance(1);
    expect(await result).toBe(true);
  }
  expect(await retry(failure)).toBe(false);
});
