import { expect, test } from 'vitest';
import { systemClock } from '#shared/clock.ts';
import {
  answeringPlatform,
  ask,
  endpointStub,
  settingsOf,
  shownAnswer,
} from './testing/answeringPlatform.ts';
import { testPlatform } from './testing/testPlatform.ts';

test('a client has the end of its answer before the platform closes the socket', async () => {
  const stub = await endpointStub();
  stub.next({ steps: ['Once upon', { hold: true }] });
  const { platform, client } = await answeringPlatform(settingsOf(stub.url));
  client.sendText('A story');
  await client.until(({ newest }) => newest()?.content?.[0]?.text === 'Once upon');
  await platform.close();
  expect(await client.closed).toEqual({ code: 1001, reason: '' });
  expect(shownAnswer(client)).toEqual(['stub-model · cut off', 'Once upon']);
});

test('collapses reasoning that ends with a lone tag, the same to a later client and after a restart', async () => {
  const stub = await endpointStub();
  stub.next({ steps: ['They greet', ' me.\n</th', 'ink>', '\n', '\nHello, ', 'Ada.'], everyMs: 20 });
  const { platform, account, client } = await answeringPlatform(settingsOf(stub.url));
  await ask(client, 'Hello');
  // A slow machine sends the reasoning as text first.
  expect(client.newest()?.content?.filter(({ text }) => text !== '')).toMatchObject([
    { category: 'text', text: 'They greet me.\n', format: 'reasoning' },
    { category: 'text', text: 'Hello, Ada.', format: 'markdown' },
  ]);
  const later = await platform.connect(account);
  expect(later.conversation()).toEqual(client.conversation());
  await platform.close();
  const clock = systemClock(globalThis);
  const restarted = await testPlatform(platform.dataFile, { assistant: settingsOf(stub.url), clock });
  const again = await restarted.connect(account);
  expect(again.conversation()).toEqual(client.conversation());
  await ask(again, 'Thanks');
  expect((await stub.request(1)).json).toMatchObject({
    messages: [
      {},
      { content: 'Hello' },
      { role: 'assistant', content: 'Hello, Ada.' },
      { content: 'Thanks' },
    ],
  });
});
