import { expect, onTestFinished, test, vi } from 'vitest';
import type { ChatMessage, EndpointErrorKind } from './endpoint.ts';
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
  expect(headers.authorization).toBeUndefined();
});

test('uses the endpoint’s first model that can chat when the settings name none, and for a server on this machine no proxy of the environment', async () => {
  for (const name of ['HTTP_PROXY', 'http_proxy']) vi.stubEnv(name, 'http://127.0.0.1:9');
  onTestFinished(() => void vi.unstubAllEnvs());
  const models = [{ id: 'nomic-embed-text' }, { id: 'llama3.2' }, { id: 'qwen3' }];
  const { endpoint, stub } = await endpointForTest({}, { models });
  await partsOf(endpoint.chat(QUESTION, { signal }));
  expect((await stub.request(0)).json).toMatchObject({ model: 'llama3.2' });
  const listed = { models: [{ id: 'm:latest', max_model_len: 4096 }] };
  const named = await endpointForTest({ model: 'm' }, listed);
  expect(await named.endpoint.model(signal)).toEqual({ id: 'm', contextTokens: 4096 });
});

test('repeats a request without the usage for an endpoint that rejects it, and remembers that', async () => {
  const { endpoint, stub } = await endpointForTest({ model: 'm' });
  stub.next(failure(400, 'Unrecognized request argument supplied: stream_options'));
  const parts = await partsOf(endpoint.chat(QUESTION, { signal }));
  expect(parts.map(({ kind }) => kind)).toEqual(['text', 'text', 'end']);
  await partsOf(endpoint.chat(QUESTION, { signal }));
  const asked = stub.requests.map(({ json }) => Object.hasOwn(Object(json), 'stream_options'));
  expect(asked).toEqual([true, false, false]);
});

test('reads an answer of an endpoint that does not stream', async () => {
  const { endpoint, stub } = await endpointForTest();
  const message = { role: 'assistant', content: '<think>Hm.</think>Ada.' };
  const usage = { prompt_tokens: 3, completion_tokens: 1 };
  stub.next({ body: { choices: [{ message, finish_reason: 'length' }], usage } });
  expect(await partsOf(endpoint.chat(QUESTION, { signal }))).toEqual([
    { kind: 'reasoning', text: 'Hm.' },
    { kind: 'text', text: 'Ada.' },
    { kind: 'usage', usage: { promptTokens: 3, answerTokens: 1 } },
    { kind: 'end', reason: 'length' },
  ]);
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
  expect(form).toMatch(/name="model"\r\n\r\nwhisper-large-v3\r\n/);
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
  await expect(endpoint.transcribe(Buffer.from('OggS'), signal)).rejects.toMatchObject({
    kind: 'unsupported',
    message: `${new URL(stub.url).origin} cannot turn voice into text. Write the message instead.`,
  });
});

test.each<[string, StubReply]>([
  ['Gemma on vLLM', failure(400, 'System role not supported')],
  ['Mistral on vLLM', failure(400, 'Conversation roles must alternate user/assistant/user/assistant/...')],
  ['LM Studio', { steps: [{ raw: 'event: error\ndata: {"error":"System role not supported"}\n\n' }] }],
])('joins the system prompt and the question for %s, and remembers that', async (_, reply) => {
  const messages: ChatMessage[] = [{ role: 'system', content: 'Be brief.' }, ...QUESTION];
  const { endpoint, stub } = await endpointForTest({ model: 'm' });
  stub.next(reply);
  const parts = await partsOf(endpoint.chat(messages, { signal }));
  expect(parts[0]).toEqual({ kind: 'text', text: 'Hello,' });
  await partsOf(endpoint.chat(messages, { signal }));
  const joined = { messages: [{ role: 'user', content: 'Be brief.\n\nWho are you?' }] };
  expect(stub.requests.map(({ json }) => json)).toMatchObject([{ messages }, joined, joined]);
});

test.each([
  ['vLLM', { data: [{ id: 'm', max_model_len: 32_768 }] }, 32_768],
  ['llama.cpp', { data: [{ id: 'm', meta: { n_ctx_train: 131_072, n_vocab: 5 } }] }, 131_072],
  ['a service', { data: [{ id: 'm', context_length: 200_000, top_provider: {} }] }, 200_000],
  ['another service', { data: [{ id: 'm', context_window: 8192 }] }, 8192],
  ['a server that gives nonsense', { data: [{ id: 'm', max_model_len: 0, context_length: '8k' }] }, null],
  ['a server that gives a name', { models: [{ name: 'm', size: 1 }] }, null],
  ['a server that gives names only', { data: ['m'] }, null],
  ['a server that lists other things, too', { data: [{ object: 'model' }, { id: 'm' }] }, null],
])('reads the models and the context window from the list of %s', async (_, body, contextTokens) => {
  const { endpoint, stub } = await endpointForTest();
  stub.always({ body }, STUB_PATHS.models);
  expect(await endpoint.models(signal)).toEqual([{ id: 'm', contextTokens }]);
  expect(await endpoint.model(signal)).toEqual({ id: 'm', contextTokens });
});

const LM_STUDIO = { data: [{ id: 'm', max_context_length: 131_072, loaded_context_length: 4096 }] };

test.each([
  ['library', '/api/ps', { models: [{ name: 'm', context_length: 4096 }] }],
  ['llamacpp', '/props', { default_generation_settings: { n_ctx: 4096 } }],
  ['organization_owner', '/api/v0/models', LM_STUDIO],
])('asks a server for the size of the context window in use: owner %s', async (owned_by, path, body) => {
  const models = [{ id: 'm', owned_by, meta: { n_ctx_train: 131_072 } }];
  const { endpoint, stub } = await endpointForTest({ key: 'sk-1' }, { models, key: 'sk-1' });
  stub.next({ body }, path);
  expect(await endpoint.model(signal)).toEqual({ id: 'm', contextTokens: 4096 });
  const other = await endpointForTest({}, { models });
  expect(await other.endpoint.model(signal)).toEqual({ id: 'm', contextTokens: 131_072 });
});

const NO_LIST =
  /^http:\S+ has nothing at \/v1\/models \(404\)\. Check the address in Settings › Assistant: it usually ends with \/v1\. For a server without a list of models, enter the model’s name there\.$/;
const NO_MODEL = /^http:\S+:\d+ has no model\. Install one on the server, then try again\.$/;

test.each<[StubReply, EndpointErrorKind, RegExp]>([
  [{ status: 404, body: '404 page not found' }, 'rejected', NO_LIST],
  [{ body: { data: [] } }, 'unknownModel', NO_MODEL],
  // Ollama without a model.
  [{ body: { data: null } }, 'unknownModel', NO_MODEL],
  [{ body: '<html>' }, 'broken', /./],
  [{ body: { data: [{ object: 'model' }] } }, 'broken', /./],
])('says what is wrong with %j as a list of models', async (reply, kind, words) => {
  const { endpoint, stub } = await endpointForTest();
  stub.next(reply, STUB_PATHS.models);
  const message = expect.stringMatching(words);
  await expect(endpoint.model(signal)).rejects.toMatchObject({ kind, message });
});

test('requests the model in use once a minute, and again after a failure', async () => {
  const { endpoint, stub, clock } = await endpointForTest();
  const requested = () => stub.requests.filter(({ path }) => path === STUB_PATHS.models).length;
  await endpoint.model(signal);
  await endpoint.model(signal);
  expect(requested()).toBe(1);
  clock.advance(60_001);
  await endpoint.model(signal);
  expect(requested()).toBe(2);
  stub.next(failure(500, 'Oops'));
  const chat = endpoint.chat([], { signal })[Symbol.asyncIterator]();
  await expect(chat.next()).rejects.toThrow('Oops');
  await endpoint.model(signal);
  expect(requested()).toBe(3);
});

async function endpointTest(...setup: Parameters<typeof endpointForTest>) {
  const { settings, stub, clock } = await endpointForTest(...setup);
  const run = () => testEndpoint(settings, { clock, signal });
  return { run, list: () => listEndpoint(settings, { clock, signal }), stub };
}

test('the test of an endpoint returns the model in use and all models, and the list needs no answer', async () => {
  const { run, list, stub } = await endpointTest({}, { models: [{ id: 'a' }, { id: 'b' }] });
  expect(await list()).toEqual({ ok: true, model: 'a', models: ['a', 'b'] });
  expect(stub.requests.filter(({ path }) => path === STUB_PATHS.chat)).toEqual([]);
  expect(await run()).toEqual({ ok: true, model: 'a', models: ['a', 'b'] });
  expect((await stub.request(0)).json).toMatchObject({ model: 'a', max_tokens: 16 });
});

test('the test of an endpoint finds a wrong key, also when the list needs none', async () => {
  const { run, stub } = await endpointTest({ key: 'sk-wrong' }, { key: 'sk-right' });
  const refused = { ok: false, message: expect.stringContaining('does not accept the key (401)') };
  expect(await run()).toEqual(refused);
  expect(stub.requests.length).toBe(1);
  const open = await endpointTest({ key: 'sk-wrong' });
  open.stub.next(failure(401, 'Invalid key'));
  expect(await open.run()).toEqual(refused);
});

test('the test of an endpoint names the models when the setting’s is unknown', async () => {
  const models = Array.from({ length: 12 }, (_, i) => ({ id: `m${i}` }));
  const { run, stub } = await endpointTest({ model: 'x' }, { models });
  stub.next(failure(404, 'model "x" not found'));
  const listed = 'm0, m1, m2, m3, m4, m5, m6, m7, m8, m9 and 2 more';
  const message = `The server has no model “x”. It has ${listed}. Choose one of these.`;
  expect(await run()).toEqual({ ok: false, message });
});
