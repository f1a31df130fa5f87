import { onTestFinished, expect, test } from 'vitest';
import { systemClock } from '#shared/clock.ts';
import type { EndpointSettings } from './endpoint/endpointSettings.ts';
import {
  type EndpointStub,
  type StubOptions,
  startEndpointStub,
} from './endpoint/testing/startEndpointStub.ts';
import { type Client, testPlatform } from './testing/testPlatform.ts';

// What an answer is, is tested with a conversation alone (`accounts/`); what an endpoint sends, with a client alone (`endpoint/`).

async function endpointStub(options: StubOptions = {}): Promise<EndpointStub> {
  const stub = await startEndpointStub(options);
  onTestFinished(() => stub.stop());
  return stub;
}

/** Starts a platform that this endpoint answers. */
const answered = (assistant: EndpointSettings, dataFile?: string) =>
  testPlatform(dataFile, { assistant, clock: systemClock(globalThis) });

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
  return [context, ...content.map(({ text }) => text)];
}

const CODE = ['Here', ' it is:\n\n', '```ts\nconst a', ' = 1;\n```\n', '\nThat', ' is all.'];
const SETTINGS = { model: null, key: 'sk-a-very-secret-key', prompt: 'Be brief.' };

test('contract §9 format, one source: streams an answer with reasoning and Markdown, the same to every client, stores it, and sends it with the next question as the model wrote it', async () => {
  const stub = await endpointStub({ key: SETTINGS.key });
  stub.next({ steps: ['They greet', ' me.\n</th', 'ink>', '\n', '\n', ...CODE] });
  const settings = { ...SETTINGS, url: stub.url };
  const platform = await answered(settings);
  const account = await platform.register();
  const [client, other] = [await platform.connect(account), await platform.connect(account)];
  await ask(client, 'A program');
  expect(client.newest()).toMatchObject({
    modifier: 'ai',
    context: 'stub-model',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  // A slow machine sends the reasoning as text first.
  expect(client.newest()?.content?.filter(({ text }) => text !== '')).toMatchObject([
    { category: 'text', format: 'reasoning', text: 'They greet me.\n' },
    { category: 'text', format: 'markdown', text: CODE.join('') },
  ]);
  await other.until(({ newest }) => newest()?.context === 'stub-model');
  expect(other.conversation()).toEqual(client.conversation());
  await platform.close();
  const again = await (await answered(settings, platform.dataFile)).connect(account);
  expect(again.conversation()).toEqual(client.conversation());
  expect(await ask(again, 'Thanks')).toEqual(['stub-model', 'Hello, Ada.']);
  expect((await stub.request(1)).json).toMatchObject({
    model: 'stub-model',
    stream: true,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'A program' },
      { role: 'assistant', content: CODE.join('') },
      { role: 'user', content: 'Thanks' },
    ],
  });
});

test('the close of the platform cuts an answer off before it closes the socket, and the answer continues after the restart', async () => {
  const stub = await endpointStub();
  stub.next({ steps: ['Once upon', { hold: true }] });
  const settings = { ...SETTINGS, url: stub.url };
  const platform = await answered(settings);
  const account = await platform.register();
  const client = await platform.connect(account);
  client.sendText('A story');
  await client.until(({ newest }) => newest()?.content?.[0]?.text === 'Once upon');
  await platform.close();
  await client.closed;
  expect(client.newest()).toMatchObject({
    context: 'stub-model · cut off',
    content: [{ text: 'Once upon' }],
  });
  stub.next({ steps: ['a time.'] });
  const again = await (await answered(settings, platform.dataFile)).connect(account);
  expect(again.conversation()).toEqual(client.conversation());
  expect(await ask(again, 'continue')).toEqual(['stub-model', 'a time.']);
});

test('the key reaches the endpoint, and neither the conversation nor the log', async () => {
  const stub = await endpointStub({ key: SETTINGS.key });
  const settings = { ...SETTINGS, url: stub.url };
  const platform = await answered(settings);
  const client = await platform.connect(await platform.register());
  expect(await ask(client, 'A private question')).toEqual(['stub-model', 'Hello, Ada.']);
  platform.assistant.set({ ...settings, key: `${SETTINGS.key}-wrong` });
  expect(await ask(client, 'again')).toEqual(['', expect.stringMatching(/does not accept the key \(401\)/)]);
  expect(JSON.stringify(client.conversation()) + platform.logged()).not.toContain('secret');
  expect(platform.logged()).toContain('"outcome":"unauthorized"');
  expect(platform.logged()).not.toMatch(/private|Hello/);
});
