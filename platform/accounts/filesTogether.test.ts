import { expect, test } from 'vitest';
import type { Outgoing } from '#shared/protocol/outgoing.ts';
import { EndpointError } from '../endpoint/endpoint.ts';
import { END, stream, text } from './testing/answeringConversation.ts';
import { answeringConversation } from './testing/answeringConversation.ts';
import { manualEndpoint, settled } from './testing/answeringConversation.ts';

const file = (name: string, content: string): Outgoing => ({
  category: 'file',
  text: name,
  blob: Buffer.from(content).toString('base64'),
});
const ZIP = file('a.zip', 'PK\u{0}');

function conversation() {
  const endpoint = manualEndpoint();
  const tested = answeringConversation(endpoint);
  const drop = (...files: Outgoing[]) => files.forEach(tested.live.receive);
  const wait = async (ms: number) => {
    tested.clock.advance(ms);
    await settled();
  };
  const requests = () =>
    endpoint.chats.map(({ messages }) => messages.slice(1).map(({ content }) => content));
  return { ...tested, endpoint, drop, wait, requests };
}

const NEWEST = -1;

test('contract §9 together: files that are dropped together are one request, 3 s after the last one', async () => {
  const { drop, wait, requests } = conversation();
  drop(file('a.txt', 'One'));
  await wait(2999);
  drop(file('b.txt', 'Two'));
  await wait(2999);
  expect(requests()).toEqual([]);
  await wait(1);
  expect(requests()).toEqual([['File “a.txt”:\n\nOne\n\nFile “b.txt”:\n\nTwo']]);
});

test('contract §9 together: a question within 3 s is asked at once, with the files before it', async () => {
  const { drop, say, wait, requests } = conversation();
  drop(file('a.txt', 'One'), file('b.txt', 'Two'));
  await wait(2000);
  await say('Compare them');
  await wait(60_000);
  expect(requests()).toEqual([['File “a.txt”:\n\nOne\n\nFile “b.txt”:\n\nTwo\n\nCompare them']]);
});

test('a file that cannot be read is refused at once, and the others are sent', async () => {
  const { drop, wait, requests, shown, say } = conversation();
  drop(file('a.txt', 'One'), ZIP);
  expect(shown().at(NEWEST)?.[2]).toMatch(/^I cannot read “a\.zip”/);
  await wait(3000);
  expect(requests()).toEqual([['File “a.txt”:\n\nOne']]);
  await say('again');
  expect(requests()[1]).toEqual(['File “a.txt”:\n\nOne']);
});

test('files are kept with their question when the window of the model is small', async () => {
  const endpoint = manualEndpoint({ id: 'small', contextTokens: 1000 });
  const { live, say } = answeringConversation(endpoint);
  for (let at = 0; at < 8; at++) live.receive(file(`${at}.txt`, `Text ${at}`));
  await say('Which is the best?');
  const [request] = endpoint.chats;
  for (let at = 0; at < 8; at++) expect(request?.messages[1]?.content).toContain(`File “${at}.txt”`);
});

test('`stop` while a file waits sends nothing to the model, and `again` sends it', async () => {
  const { drop, say, wait, requests, shown, ada } = conversation();
  drop(file('a.txt', 'One'));
  await say('stop');
  await wait(60_000);
  expect(requests()).toEqual([]);
  expect(shown().slice(1)).toEqual([
    ['admin', '', 'The answer was stopped before it began. Send “again” to ask again.'],
  ]);
  expect(ada.conversation().messages.at(NEWEST)).toMatchObject({ action: 'again' });
  await say('again');
  expect(requests()).toEqual([['File “a.txt”:\n\nOne']]);
});

test('a file that waits when the platform stops has no timer left, and is said to be cut off', async () => {
  const { drop, live, clock, shown } = conversation();
  drop(file('a.txt', 'One'));
  live.finishAnswer();
  expect(clock.nextDue()).toBeUndefined();
  expect(shown().at(NEWEST)?.[2]).toMatch(/^The answer was cut off before it began\./);
});

test('a question that failed is not merged into the next one, unless the person says `again`', async () => {
  const { say, endpoint, requests, clock } = conversation();
  await say('A joke');
  endpoint.chats[0]?.fail(new EndpointError('refused', 'No server.'));
  await settled();
  await say('A story');
  expect(requests()[1]).toEqual(['A story']);
  endpoint.chats[1]?.fail(new EndpointError('refused', 'No server.'));
  await settled();
  await say('again');
  await stream(endpoint, text('Once upon a time.'), END);
  clock.advance(1000);
  await say('Thanks');
  expect(requests()[3]).toEqual(['A story', 'Once upon a time.', 'Thanks']);
});
