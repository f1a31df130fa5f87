import { expect, test } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import { FRAME_INTERVAL_MS } from './answer/createPace.ts';
import { eveningPicture } from './assistant/pictures.ts';
import { STUB_PATHS } from './endpoint/testing/createScripts.ts';
import { failure } from './endpoint/testing/stubReply.ts';
import {
  answeringPlatform,
  ask,
  askByWord,
  endpointStub,
  noticeOf,
  settingsOf,
  shownAnswer,
} from './testing/answeringPlatform.ts';
import { testPlatform } from './testing/testPlatform.ts';

const CODE = ['Here', ' it is:\n\n', '```ts\nconst a', ' = 1;\n```\n', '\nThat', ' is all.'];

test('contract §9 format: streams an answer with reasoning and Markdown, the same to every client, and stores it', async () => {
  const stub = await endpointStub();
  stub.next({ steps: [{ reasoning: 'Hm.' }, ...CODE] });
  const { platform, account, client } = await answeringPlatform(settingsOf(stub.url));
  const other = await platform.connect(account);
  await ask(client, 'A program');
  expect(client.newest()).toMatchObject({
    modifier: 'ai',
    context: 'stub-model',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    content: [
      { category: 'text', format: 'markdown', text: '' },
      { category: 'text', format: 'reasoning', text: 'Hm.' },
      { category: 'text', format: 'markdown', text: CODE.join('') },
    ],
  });
  await other.until(({ newest }) => newest()?.context === 'stub-model');
  expect(other.conversation()).toEqual(client.conversation());
  await platform.close();
  const restarted = await testPlatform(platform.dataFile, { assistant: settingsOf(stub.url) });
  const again = await restarted.connect(account);
  expect(again.conversation()).toEqual(client.conversation());
});

test('contract §9 one source: sends the conversation so far with the next question, as the model wrote it', async () => {
  const stub = await endpointStub();
  const { client } = await answeringPlatform(settingsOf(stub.url, { prompt: 'Be brief.' }));
  stub.next({ steps: CODE });
  await ask(client, 'A program');
  await ask(client, 'Thanks');
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

test.each([
  ['401', failure(401, 'No.'), /needs a key \(401\)\. Add it in Settings › Assistant\.$/],
  [
    '404',
    failure(404, 'The model does not exist.', { code: 'model_not_found' }),
    /has no model “stub-model”\./,
  ],
  [
    '429',
    failure(429, 'Slow down.', { headers: { 'retry-after': '61' } }),
    /Wait 61 seconds, then try again\.$/,
  ],
  ['500', failure(500, 'Oh.'), /failed \(500\): “Oh\.” Send “again” to repeat the question\.$/],
  ['a broken stream', { steps: [{ raw: 'data: {"choices"\n\n' }] }, /Settings › Assistant/],
])('says in one message what %s means, and the next message works', async (_, reply, expected) => {
  const stub = await endpointStub();
  stub.next(reply);
  const { client } = await answeringPlatform(settingsOf(stub.url));
  expect(await ask(client, 'hello')).toEqual(['', expect.stringMatching(expected)]);
  expect(await ask(client, 'hello?')).toEqual(['stub-model', 'Hello, Ada.']);
  expect(client.conversation().messages).toHaveLength(5);
});

test('keeps the answer so far when the connection is cut in the middle, and continues it', async () => {
  const stub = await endpointStub();
  stub.next({ steps: ['Once upon', { pauseMs: 50 }], end: 'cut' });
  const { client } = await answeringPlatform(settingsOf(stub.url));
  expect(await ask(client, 'A story')).toEqual(['stub-model · cut off', 'Once upon']);
  expect(await noticeOf(client)).toMatch(/ended before the answer did\. Send “continue” for the rest\.$/);
  stub.next({ steps: ['a time.'] });
  expect(await askByWord(client, 'continue')).toEqual(['stub-model', 'a time.']);
  expect((await stub.request(1)).json).toMatchObject({
    messages: [{}, { content: 'A story' }, { role: 'assistant', content: 'Once upon' }, { role: 'user' }],
  });
});

test('says that a certificate is not trusted', async () => {
  const stub = await endpointStub({ tls: 'selfSigned' });
  const { client } = await answeringPlatform(settingsOf(stub.url));
  expect(await ask(client, 'hello')).toEqual(['', expect.stringMatching(/^The certificate of https:/)]);
});

test('answers again when the endpoint is gone and comes back', async () => {
  const stub = await endpointStub();
  const { client } = await answeringPlatform(settingsOf(stub.url));
  expect(await ask(client, 'hello')).toEqual(['stub-model', 'Hello, Ada.']);
  await stub.stop();
  expect(await ask(client, 'hello?')).toEqual(['', expect.stringMatching(/^No server answers at/)]);
  await endpointStub({ port: stub.port });
  expect(await askByWord(client, 'again')).toEqual(['stub-model', 'Hello, Ada.']);
});

test('ends an answer after 60 s without a byte', async () => {
  const stub = await endpointStub();
  stub.next({ steps: [{ hold: true }, 'Once upon'], end: 'stall' });
  const clock = virtualClock();
  const { client } = await answeringPlatform(settingsOf(stub.url), { clock });
  client.sendText('A story');
  await stub.request(0);
  // The label with the name of the model uses one interval.
  clock.advance(2 * FRAME_INTERVAL_MS);
  stub.release();
  await client.until(({ newest }) => newest()?.content?.[0]?.text === 'Once upon');
  clock.advance(61_000);
  await client.until(({ newest }) => newest()?.context === 'stub-model · cut off');
  expect(shownAnswer(client)).toEqual(['stub-model · cut off', 'Once upon']);
  clock.advance(FRAME_INTERVAL_MS);
  expect(await noticeOf(client)).toMatch(/sent nothing for 60 seconds\. Send “continue” for the rest\.$/);
  expect(
    client
      .updates()
      .map(({ kind }) => kind)
      .slice(-2),
  ).toEqual(['notification', 'message']);
});

test('a conversation that the endpoint finds too long is answered, and no error is shown', async () => {
  const stub = await endpointStub();
  stub.always(({ body }) =>
    body.length > 3000
      ? failure(400, 'This model has a maximum context length of 700 tokens.', {
          code: 'context_length_exceeded',
        })
      : { steps: ['Hello.'] },
  );
  const { client } = await answeringPlatform(settingsOf(stub.url));
  for (let turn = 0; turn < 14; turn++)
    expect(await ask(client, `Question ${turn} ${'x'.repeat(220)}`)).toEqual(['stub-model', 'Hello.']);
  const texts = client.conversation().messages.map(({ content }) => content?.[0]?.text);
  expect(texts.filter((text) => text?.startsWith('Earlier messages'))).toHaveLength(1);
});

test('asks again without the picture when the model accepts none', async () => {
  const stub = await endpointStub();
  stub.next(failure(500, 'image input is not supported: provide the mmproj'));
  const { client } = await answeringPlatform(settingsOf(stub.url));
  client.send({ category: 'image', text: 'evening.png', blob: eveningPicture() });
  await client.until(({ conversation }) => conversation().messages.length === 4);
  expect(shownAnswer(client)).toEqual(['stub-model', 'Hello, Ada.']);
  expect(await noticeOf(client)).toBe('stub-model does not accept pictures: it answers without them.');
  expect((await stub.request(0)).body.toString()).toContain('data:image/png;base64,');
  expect((await stub.request(1)).body.toString()).not.toContain('data:image/png');
});

test.each([
  [{ body: { text: ' Who are you? ' } }, 'Who are you?', 'Hello, Ada.'],
  [failure(404, 'Not Found'), null, expect.stringMatching(/cannot turn voice into text\. Write the message/)],
])('hears a recording where the endpoint can', async (reply, heard, expected) => {
  const stub = await endpointStub();
  stub.always(reply, STUB_PATHS.transcriptions);
  const { client } = await answeringPlatform(settingsOf(stub.url));
  client.send({ category: 'audio', text: null, blob: 'GkXfow==' });
  await client.until(
    ({ newest, conversation }) =>
      conversation().messages.length === 3 && newest()?.context?.endsWith('…') === false,
  );
  expect(client.conversation().messages[1]?.content).toMatchObject([{ category: 'audio', text: heard }]);
  expect(client.newest()?.content).toMatchObject([{ text: expected }]);
});

test('an answer is cut off by the close of the platform, is stored, and continues after the restart', async () => {
  const stub = await endpointStub();
  stub.next({ steps: ['Once upon', { hold: true }] });
  const { platform, account, client } = await answeringPlatform(settingsOf(stub.url));
  client.sendText('A story');
  await client.until(({ newest }) => newest()?.content?.[0]?.text === 'Once upon');
  await platform.close();
  stub.next({ steps: ['a time.'] });
  const restarted = await answeringPlatform(settingsOf(stub.url), { dataFile: platform.dataFile });
  const again = await restarted.platform.connect(account);
  expect(shownAnswer(again)).toEqual(['stub-model · cut off', 'Once upon']);
  expect(await askByWord(again, 'continue')).toEqual(['stub-model', 'a time.']);
});

test('the key reaches the endpoint, and neither the conversation nor the log', async () => {
  const key = 'sk-a-very-secret-key';
  const stub = await endpointStub({ key });
  const { client, platform } = await answeringPlatform(settingsOf(stub.url, { key }));
  expect(await ask(client, 'A private question')).toEqual(['stub-model', 'Hello, Ada.']);
  platform.assistant.set(settingsOf(stub.url, { key: `${key}-wrong` }));
  client.sendText('again');
  await client.until(({ newest }) => newest()?.modifier === 'admin');
  expect(JSON.stringify(client.conversation()) + platform.logged()).not.toContain('secret');
  expect(platform.logged()).toContain('"outcome":"unauthorized"');
  expect(platform.logged()).not.toMatch(/private|Hello/);
});
