import { onTestFinished, expect, test } from 'vitest';
import { systemClock } from '#shared/clock.ts';
import { startEndpointStub } from './endpoint/testing/startEndpointStub.ts';
import { type Client, testPlatform } from './testing/testPlatform.ts';

// What an answer is, is tested with a conversation alone (`accounts/`); what an endpoint sends, with a client alone (`endpoint/`).

/** Sends a text; resolves with the label and the texts of its answer when it has ended. */
async function ask(client: Client, question: string): Promise<readonly unknown[]> {
  const known = new Set(client.conversation().messages.map(({ id }) => id));
  client.sendText(question);
  await client.until(({ newest }) => {
    const answer = newest();
    return (
      answer?.modifier !== 'client' && !known.has(answer?.id) && answer?.context?.endsWith('…') === false
    );
  });
  const { context, content = [] } = client.newest() ?? {};
  return [context, ...content.map(({ text }) => text).filter((text) => text !== '')];
}

const CODE = ['Here', ' it is:\n\n', '```ts\nconst a', ' = 1;\n```\n', '\nThat', ' is all.'];

test('contract §9 format, one source: streams answers with reasoning and Markdown, the same to every client, cuts one off before the platform closes, continues it after the restart, and shows the key to the endpoint only', async () => {
  const stub = await startEndpointStub({ key: 'sk-a-very-secret-key' });
  onTestFinished(() => stub.stop());
  stub.next({ steps: ['They greet', ' me.\n</th', 'ink>', '\n', '\n', ...CODE] });
  const assistant = { url: stub.url, model: null, key: 'sk-a-very-secret-key', prompt: 'Be brief.' };
  const start = (dataFile?: string) => testPlatform(dataFile, { assistant, clock: systemClock(globalThis) });
  const platform = await start();
  const account = await platform.register();
  const [client, other] = [await platform.connect(account), await platform.connect(account)];
  expect(await ask(client, 'A program')).toEqual(['stub-model', 'They greet me.\n', CODE.join('')]);
  expect(client.newest()).toMatchObject({
    modifier: 'ai',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  // A slow machine sends the reasoning as text first.
  const items = client.newest()?.content?.filter(({ text }) => text !== '');
  expect(items).toMatchObject([{ format: 'reasoning' }, { category: 'text', format: 'markdown' }]);
  await other.until(({ newest }) => newest()?.context === 'stub-model');
  expect(other.conversation()).toEqual(client.conversation());

  stub.next({ steps: ['Once upon', { hold: true }] });
  client.sendText('A story');
  await client.until(({ newest }) => newest()?.content?.[0]?.text === 'Once upon');
  await platform.close();
  await client.closed;
  expect(client.newest()).toMatchObject({
    context: 'stub-model · cut off',
    content: [{ text: 'Once upon' }],
  });

  stub.next({ steps: ['a time.'] });
  const later = await start(platform.dataFile);
  const again = await later.connect(account);
  expect(again.conversation()).toEqual(client.conversation());
  expect(await ask(again, 'continue')).toEqual(['stub-model', 'a time.']);
  expect((await stub.request(2)).json).toMatchObject({
    model: 'stub-model',
    stream: true,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'A program' },
      { role: 'assistant', content: CODE.join('') },
      { role: 'user', content: 'A story' },
      { role: 'assistant', content: 'Once upon' },
      { role: 'user', content: expect.stringContaining('Continue') },
    ],
  });
  later.assistant.set({ ...assistant, key: 'sk-a-very-secret-key-wrong' });
  expect(await ask(again, 'again')).toEqual(['', expect.stringMatching(/does not accept the key \(401\)/)]);
  const logged = platform.logged() + later.logged();
  expect(JSON.stringify(again.conversation()) + logged).not.toContain('secret');
  expect(logged).toContain('"outcome":"unauthorized"');
  expect(logged).not.toMatch(/story|Once upon/);
});
