import { expect, onTestFinished, test } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import { STUB_PATHS } from './createScripts.ts';
import { type StubOptions, startEndpointStub } from './startEndpointStub.ts';
import { chunksOf, failure } from './stubReply.ts';

async function stubForTest(options: StubOptions = {}) {
  const stub = await startEndpointStub(options);
  onTestFinished(() => stub.stop());
  const post = (body: object = {}) =>
    fetch(`${stub.url}/chat/completions`, { method: 'POST', body: JSON.stringify(body) });
  return { stub, post };
}

const dataOf = (body: string) => body.split('\n\n').map((event) => event.replace(/^data: /, ''));

test('streams the steps in the public format, with the usage when it is requested', async () => {
  const { stub, post } = await stubForTest();
  stub.next({ steps: chunksOf('Hello, Ada.') });
  const response = await post({ model: 'm', stream: true, stream_options: { include_usage: true } });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const events = dataOf(await response.text());
  expect(events.slice(-2)).toEqual(['[DONE]', '']);
  const frames = events.slice(0, -2).map((event) => JSON.parse(event));
  expect(frames.map(({ choices: [choice] }) => choice?.delta.content ?? choice?.finish_reason)).toEqual([
    '',
    'Hello,',
    ' Ada.',
    'stop',
    undefined,
  ]);
  expect(frames.at(-1)).toMatchObject({ model: 'm', usage: { prompt_tokens: 10, completion_tokens: 2 } });
});

test('replies in the order of the scripts, then with the default, and records the requests', async () => {
  const { stub, post } = await stubForTest();
  stub.next(failure(429, 'Slow down.', { headers: { 'retry-after': '7' } }));
  stub.always({ body: 'always' });
  const first = await post({ messages: [1] });
  expect([first.status, first.headers.get('retry-after'), await first.json()]).toEqual([
    429,
    '7',
    { error: { message: 'Slow down.' } },
  ]);
  expect(await (await post()).text()).toBe('always');
  expect(stub.requests.map(({ method, path, json }) => [method, path, json])).toEqual([
    ['POST', STUB_PATHS.chat, { messages: [1] }],
    ['POST', STUB_PATHS.chat, {}],
  ]);
});

test('holds an answer until it is released, and pauses on its clock', async () => {
  const clock = virtualClock();
  const { stub, post } = await stubForTest({ clock });
  const sent: unknown[] = [];
  stub.next({ steps: ['a', { hold: true }, 'b', { pauseMs: 500 }, 'c'], onSent: (step) => sent.push(step) });
  const response = await post();
  await expect.poll(() => sent).toEqual(['a']);
  stub.release();
  await expect.poll(clock.nextDue).toBe(500);
  expect(sent).toEqual(['a', { hold: true }, 'b']);
  clock.advance(500);
  await response.text();
  expect(sent.at(-1)).toBe('c');
});

test('cuts an answer, and reports a client that leaves', async () => {
  const { stub, post } = await stubForTest();
  stub.next({ steps: ['a'], end: 'cut' });
  await expect((await post()).text()).rejects.toThrow('terminated');
  stub.next({ steps: ['a'], end: 'stall' });
  const left = await post();
  await left.body?.cancel();
  expect(await (await stub.request(1)).isComplete).toBe(false);
});

test('lists its models, refuses another key, and has no other paths', async () => {
  const { stub } = await stubForTest({ key: 'sk-1', models: [{ id: 'a' }] });
  const get = async (path: string, key: string) =>
    await fetch(`${stub.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
  expect(await (await get('/models', 'sk-1')).json()).toEqual({ object: 'list', data: [{ id: 'a' }] });
  expect((await get('/models', 'sk-2')).status).toBe(401);
  expect((await get('/nothing', 'sk-1')).status).toBe(404);
});

test.each(['', ' ', 'Hello, Ada.', '  two\n\nparagraphs and a verylongwordwithoutspaces 😀😀😀😀😀😀😀 '])(
  'splits %j into chunks that are together the text',
  (text) => {
    expect(chunksOf(text).join('')).toBe(text);
  },
);
