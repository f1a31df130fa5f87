import { expect, onTestFinished, test, vi } from 'vitest';
import { withoutSystem } from './createChat.ts';
import type { ChatMessage } from './endpoint.ts';
import { endpointForTest, partsOf, QUESTION } from './testing/endpointForTest.ts';
import { STUB_PATHS, failure, type StubReply } from './testing/startEndpointStub.ts';
import { listEndpoint, testEndpoint } from './testEndpoint.ts';

const signal = new AbortController().signal;

test('streams an answer with its usage and its end, and sends no key when there is none', async () => {
  const { endpoint, stub } = await endpointForTest({ model: 'm' });
  expect(await partsOf(endpoint.chat(QUESTION, { signal, maxTokens: 50 }))).toEqual([
    { kind: 'text', text: 'Hello,' },
    { kind: 'text', text: ' Ada.' },
    { kind: 'usage', usage: { promptTokens: 10, answerTokens: 2 } },
    { kind: 'end', reason: 'stop' },
  ]);
  const { json, headers } = await stub.request(0);
  const stream = { stream: true, stream_options: { include_usage: true } };
  expect(json).toEqual({ model: 'm', messages: QUESTION, ...stream, max_tokens: 50 });
  expect(headers).toMatchObject({ 'user-agent': 'Parley', 'accept-encoding': 'identity' });
  expect([headers['content-type'], headers.authorization]).toEqual(['application/json', undefined]);
});

test('uses the endpoint’s first model that can chat when the settings name none, and for a server on this machine no proxy of the environment', async () => {
  for (const name of ['HTTP_PROXY', 'http_proxy']) vi.stubEnv(name, 'http://127.0.0.1:9');
  onTestFinished(() => void vi.unstubAllEnvs());
  const others = 'nomic-embed-text whisper-1 tts-1 rerank-2 omni-moderation dall-e-3 bge-m3 BGE-large';
  const models = [...others.split(' '), 'llama3.2', 'qwen3'].map((id) => ({ id }));
  const { endpoint, stub } = await endpointForTest({}, { models });
  await partsOf(endpoint.chat(QUESTION, { signal }));
  expect((await stub.request(0)).json).toMatchObject({ model: 'llama3.2' });
  // Nor for plain http to another address.
  const plain = await endpointForTest({ url: stub.url.replace('127.0.0.1', '0.0.0.0') });
  expect(await plain.endpoint.models(signal)).toHaveLength(models.length);
  const noChat = await endpointForTest({}, { models: [{ id: 'bge-m3' }, { id: 'tts-1' }] });
  expect(await noChat.endpoint.model(signal)).toEqual({ id: 'bge-m3', contextTokens: null });
  const named = await endpointForTest({ model: 'm' }, { models: [{ id: 'm:latest', max_model_len: 4096 }] });
  expect(await named.endpoint.model(signal)).toEqual({ id: 'm', contextTokens: 4096 });
});

test('repeats a request without what the endpoint rejects, one thing after the other, and remembers that', async () => {
  const { endpoint, stub } = await endpointForTest({ model: 'm' });
  const ask = () => partsOf(endpoint.chat(QUESTION, { signal, maxTokens: 5 }));
  const named = failure(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.");
  for (const reply of [named, failure(422, 'Unrecognized request argument: stream_options')])
    stub.next(reply);
  expect((await ask()).map(({ kind }) => kind)).toEqual(['text', 'text', 'end']);
  stub.next(named);
  await expect(ask()).rejects.toMatchObject({ kind: 'rejected' });
  await ask();
  const base = { model: 'm', messages: QUESTION, stream: true };
  const usage = { stream_options: { include_usage: true } };
  const last = { ...base, max_completion_tokens: 5 };
  const asked = [{ ...base, ...usage, max_tokens: 5 }, { ...last, ...usage }, last, last, last];
  expect(stub.requests.map(({ json }) => json)).toEqual(asked);
});

test('reads an answer of an endpoint that does not stream', async () => {
  const { endpoint, stub } = await endpointForTest();
  const message = { role: 'assistant', content: '<think>Hm.</think>Ada.' };
  const usage = { prompt_tokens: 3, completion_tokens: 1 };
  stub.next({ status: 201, body: { choices: [{ message, finish_reason: 'length' }], usage } });
  expect(await partsOf(endpoint.chat(QUESTION, { signal }))).toEqual([
    { kind: 'reasoning', text: 'Hm.' },
    { kind: 'text', text: 'Ada.' },
    { kind: 'usage', usage: { promptTokens: 3, answerTokens: 1 } },
    { kind: 'end', reason: 'length' },
  ]);
  // A proxy can send the events as a page.
  const events = [': ping', 'data: {"choices":[{"delta":{"content":"Hi"}}]}', 'data: [DONE]'];
  stub.next({ headers: { 'content-type': 'text/html' }, body: events.join('\n\n') });
  const end = { kind: 'end', reason: 'stop' };
  expect(await partsOf(endpoint.chat(QUESTION, { signal }))).toEqual([{ kind: 'text', text: 'Hi' }, end]);
});

test('ends the request when the signal aborts it, and fails with the signal’s reason', async () => {
  const { endpoint, stub, clock } = await endpointForTest();
  stub.next({ steps: ['One'], end: 'stall' });
  const stop = new AbortController();
  const parts = endpoint.chat(QUESTION, { signal: stop.signal })[Symbol.asyncIterator]();
  await parts.next();
  const next = parts.next();
  stop.abort('stopped');
  await expect(next).rejects.toBe('stopped');
  expect(await (await stub.request(0)).isComplete).toBe(false);
  expect(clock.nextDue()).toBeUndefined();
  await expect(endpoint.models(stop.signal)).rejects.toBe('stopped');
});

test('returns the words of a recording, also of a server that answers with plain text', async () => {
  const { endpoint, stub } = await endpointForTest({}, { models: [{ id: 'a' }, { id: 'whisper-large-v3' }] });
  stub.next({ body: { text: ' Hello.\n' } }, STUB_PATHS.transcriptions);
  const webm = Buffer.from('\x1a\x45\xdf\xa3sound', 'latin1');
  expect(await endpoint.transcribe(webm, signal)).toBe('Hello.');
  const { headers, body } = await stub.request(0, STUB_PATHS.transcriptions);
  expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  const form = body.toString('latin1');
  expect(form).toMatch(/name="model"\r\n\r\nwhisper-large-v3\r\n[^]+name="response_format"\r\n\r\njson\r\n/);
  expect(form).toMatch(/name="file"; filename="voice\.webm"\r\nContent-Type: audio\/webm\r\n\r\n[^]{4}sound/);
  stub.always({ body: ' Hello.\n' }, STUB_PATHS.transcriptions);
  const names: unknown[] = [];
  for (const [index, start] of ['OggS', 'RIFF', '0000ftyp', 'ID3'].entries()) {
    expect(await endpoint.transcribe(Buffer.from(start), signal)).toBe('Hello.');
    const sent = await stub.request(index + 1, STUB_PATHS.transcriptions);
    names.push(/voice\.\w+/.exec(sent.body.toString('latin1'))?.[0]);
  }
  expect(names).toEqual(['voice.ogg', 'voice.wav', 'voice.mp4', 'voice.mp3']);
  stub.next({ headers: { 'content-type': 'text/html' }, body: '<h1>Hi</h1>' }, STUB_PATHS.transcriptions);
  await expect(endpoint.transcribe(Buffer.from('OggS'), signal)).rejects.toMatchObject({ kind: 'broken' });
});

test.each([404, 501])('says that an endpoint has no transcriptions: %i', async (status) => {
  const { endpoint, stub } = await endpointForTest();
  stub.next(failure(status, 'No audio input'), STUB_PATHS.transcriptions);
  if (status === 501) stub.next(failure(500, 'No list'), STUB_PATHS.models);
  await expect(endpoint.transcribe(Buffer.from('OggS'), signal)).rejects.toMatchObject({
    kind: 'unsupported',
    message: `${new URL(stub.url).origin} cannot turn voice into text. Write the message instead.`,
  });
  expect((await stub.request(0, STUB_PATHS.transcriptions)).body.toString()).toContain('whisper-1');
});

test.each<[string, StubReply]>([
  ['Gemma on vLLM', failure(400, 'System role not supported')],
  ['Mistral on vLLM', failure(400, 'Conversation roles must alternate user/assistant/user/assistant/...')],
  ['LM Studio', { steps: [{ raw: 'event: error\ndata: {"error":"System role not supported"}\n\n' }] }],
])('joins the system prompt and the question for %s, and remembers that', async (_, reply) => {
  const messages: ChatMessage[] = [{ role: 'system', content: 'Be brief.' }, ...QUESTION];
  const { endpoint, stub } = await endpointForTest({ model: 'm' });
  stub.next(reply);
  expect((await partsOf(endpoint.chat(messages, { signal })))[0]).toEqual({ kind: 'text', text: 'Hello,' });
  await partsOf(endpoint.chat(messages, { signal }));
  const joined = { messages: [{ role: 'user', content: 'Be brief.\n\nWho are you?' }] };
  expect(stub.requests.map(({ json }) => json)).toMatchObject([{ messages }, joined, joined]);
  stub.always(reply);
  await expect(partsOf(endpoint.chat(messages, { signal }))).rejects.toThrow(/ role/);
});

test('without a system prompt, its words come first in a question with a picture, or as a question before an answer', () => {
  const said = { type: 'text', text: 'Be brief.' } as const;
  const hi = { type: 'text', text: 'Hi' } as const;
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } } as const;
  const system: ChatMessage = { role: 'system', content: 'Be brief.' };
  const answer: ChatMessage = { role: 'assistant', content: 'Hello.' };
  const asked: ChatMessage = { role: 'user', content: [hi, image] };
  const joined = { role: 'user', content: [said, hi, image] };
  expect(withoutSystem([system, asked, answer])).toEqual([joined, answer]);
  expect(withoutSystem([system, answer])).toEqual([{ ...system, role: 'user' }, answer]);
  expect(withoutSystem([asked, answer])).toEqual([asked, answer]);
});

const LM_STUDIO = { data: [{ id: 'm', max_context_length: 131_072, loaded_context_length: 4096 }] };

test.each([
  ['library', '/api/ps', { models: [{ name: 'm', context_length: 4096 }] }],
  ['llamacpp', '/props', { default_generation_settings: { n_ctx: 4096 } }],
  ['organization_owner', '/api/v0/models', LM_STUDIO],
])('asks a server for the size of the context window in use: owner %s', async (owned_by, path, body) => {
  const models = [{ id: 'm', owned_by, meta: { n_ctx_train: 131_072 } }];
  const { endpoint, stub, clock } = await endpointForTest({ key: 'sk-1' }, { models, key: 'sk-1' });
  stub.next({ body }, path);
  expect(await endpoint.model(signal)).toEqual({ id: 'm', contextTokens: 4096 });
  clock.advance(60_001);
  stub.next({}, path);
  const late = endpoint.model(signal);
  await clock.untilDue(62_001);
  clock.advance(2000);
  expect(await late).toEqual({ id: 'm', contextTokens: 131_072 });
  const other = await endpointForTest({}, { models });
  other.stub.next({ body: {} }, path);
  expect(await other.endpoint.model(signal)).toEqual({ id: 'm', contextTokens: 131_072 });
  other.stub.always({ body: { data: models } }, '/models');
  await (await endpointForTest({ url: other.stub.url.replace('/v1', '') })).endpoint.model(signal);
  expect(other.stub.requests.map((request) => request.path)).toEqual([STUB_PATHS.models, path, '/models']);
});

test('requests the model in use once a minute, and again after a failure, and waits 10 s for the list', async () => {
  const { endpoint, stub, clock } = await endpointForTest();
  const requested = () => stub.requests.filter(({ path }) => path === STUB_PATHS.models).length;
  await endpoint.model(signal);
  await endpoint.model(signal);
  expect(requested()).toBe(1);
  clock.advance(60_001);
  await endpoint.model(signal);
  expect(requested()).toBe(2);
  stub.next(failure(500, 'Oops'));
  await expect(endpoint.chat([], { signal })[Symbol.asyncIterator]().next()).rejects.toThrow('Oops');
  await endpoint.model(signal);
  expect(requested()).toBe(3);
  stub.always({}, STUB_PATHS.models);
  const listed = endpoint.models(signal).catch(String);
  await clock.untilDue(70_001);
  clock.advance(10_000);
  expect(await listed).toMatch(/ sent nothing for 10 seconds\. Try again\.$/);
});

test('the test of an endpoint returns the model in use and all models, and the list needs no answer', async () => {
  const { settings, clock, stub } = await endpointForTest({}, { models: [{ id: 'a' }, { id: 'b' }] });
  const found = { ok: true, model: 'a', models: ['a', 'b'] };
  expect(await listEndpoint(settings, { clock, signal })).toEqual(found);
  expect(stub.requests.filter(({ path }) => path === STUB_PATHS.chat)).toEqual([]);
  stub.next({ steps: ['Hi'], end: 'stall' });
  expect(await testEndpoint(settings, { clock, signal })).toEqual(found);
  expect((await stub.request(0)).json).toMatchObject({ model: 'a', max_tokens: 16 });
});

test('the test of an endpoint waits 4 s for an answer that does not begin, which is no failure, and can be cancelled', async () => {
  const { settings, stub, clock } = await endpointForTest();
  stub.always({ steps: [], end: 'stall' });
  const running = testEndpoint(settings, { clock, signal });
  await stub.request(0);
  await clock.untilDue(4000);
  clock.advance(4000);
  expect(await running).toEqual({ ok: true, model: 'stub-model', models: ['stub-model'] });
  const stop = new AbortController();
  const stopped = testEndpoint(settings, { clock, signal: stop.signal });
  await stub.request(1);
  stop.abort();
  expect(await stopped).toEqual({ ok: false, message: 'The test was cancelled.' });
  expect(clock.nextDue()).toBeUndefined();
});

test('the test of an endpoint finds a wrong key, also when the list needs none, and names the models when the setting’s is unknown', async () => {
  const refused = { ok: false, message: expect.stringContaining('does not accept the key (401)') };
  for (const options of [{ key: 'sk-right' }, {}]) {
    const { settings, clock, stub } = await endpointForTest({ key: 'sk-wrong' }, options);
    stub.next(failure(401, 'Invalid key'));
    expect(await testEndpoint(settings, { clock, signal })).toEqual(refused);
    expect(stub.requests).toHaveLength(options.key === undefined ? 3 : 1);
  }
  const models = Array.from({ length: 12 }, (_, i) => ({ id: `m${i}` }));
  const { settings, clock, stub } = await endpointForTest({ model: 'x' }, { models });
  stub.next(failure(404, 'model "x" not found'));
  const listed = 'm0, m1, m2, m3, m4, m5, m6, m7, m8, m9 and 2 more';
  const message = `The server has no model “x”. It has ${listed}. Choose one of these.`;
  expect(await testEndpoint(settings, { clock, signal })).toEqual({ ok: false, message });
});
