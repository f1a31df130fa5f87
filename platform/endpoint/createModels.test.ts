import { expect, test, describe } from 'vitest';
import { listEndpoint, testEndpoint } from './testEndpoint.ts';
import { endpointForTest } from './testing/endpointForTest.ts';
import { STUB_PATHS, type StubReply, failure } from './testing/startEndpointStub.ts';
import type { EndpointErrorKind } from './endpoint.ts';

const signal = new AbortController().signal;

test.each([
  ['vLLM', { max_model_len: 32_768 }, 32_768],
  ['llama.cpp', { meta: { n_ctx_train: 131_072, n_vocab: 5 } }, 131_072],
  ['a service', { context_length: 200_000, top_provider: {} }, 200_000],
  ['another service', { context_window: 8192 }, 8192],
  ['a server that gives nonsense', { max_model_len: 0, context_length: '8k' }, null],
])('reads the context window from the list of %s', async (_, fields, contextTokens) => {
  const { endpoint } = await endpointForTest({}, { models: [{ id: 'm', object: 'model', ...fields }] });
  expect(await endpoint.models(signal)).toEqual([{ id: 'm', contextTokens }]);
  expect(await endpoint.model(signal)).toEqual({ id: 'm', contextTokens });
});

test.each([
  ['library', '/api/ps', { models: [{ name: 'm', context_length: 4096 }] }],
  ['llamacpp', '/props', { default_generation_settings: { n_ctx: 4096 } }],
  [
    'organization_owner',
    '/api/v0/models',
    { data: [{ id: 'm', max_context_length: 131_072, loaded_context_length: 4096 }] },
  ],
])(
  'asks Ollama, llama.cpp and LM Studio for the size of the context window in use: owner %s',
  async (owned_by, path, body) => {
    const models = [{ id: 'm', owned_by, meta: { n_ctx_train: 131_072 } }];
    const { endpoint, stub } = await endpointForTest({ key: 'sk-1' }, { models, key: 'sk-1' });
    stub.next({ body }, path);
    expect(await endpoint.model(signal)).toEqual({ id: 'm', contextTokens: 4096 });
    const other = await endpointForTest({}, { models });
    expect(await other.endpoint.model(signal)).toEqual({ id: 'm', contextTokens: 131_072 });
  },
);

test.each([
  { models: [{ name: 'm', size: 1 }] },
  { data: ['m'] },
  { data: [{ object: 'model' }, { id: 'm' }] },
])('reads the list %j', async (body) => {
  const { endpoint, stub } = await endpointForTest();
  stub.next({ body }, STUB_PATHS.models);
  expect(await endpoint.models(signal)).toEqual([{ id: 'm', contextTokens: null }]);
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

describe('the test of an endpoint', () => {
  type Setup = Parameters<typeof endpointForTest>;

  async function setUp(...setup: Setup) {
    const { settings, stub, clock } = await endpointForTest(...setup);
    const run = (stop = new AbortController()) => testEndpoint(settings, { clock, signal: stop.signal });
    const list = () => listEndpoint(settings, { clock, signal });
    return { run, list, stub, clock };
  }

  test('returns the model in use and all models, and lists them without an answer', async () => {
    const { run, list, stub } = await setUp({}, { models: [{ id: 'a' }, { id: 'b' }] });
    expect(await list()).toEqual({ ok: true, model: 'a', models: ['a', 'b'] });
    expect(stub.requests.filter(({ path }) => path === STUB_PATHS.chat)).toEqual([]);
    expect(await run()).toEqual({ ok: true, model: 'a', models: ['a', 'b'] });
    expect((await stub.request(0)).json).toMatchObject({ model: 'a', max_tokens: 16 });
  });

  test('finds a wrong key, also when the list needs none', async () => {
    const { run, stub } = await setUp({ key: 'sk-wrong' }, { key: 'sk-right' });
    const message = expect.stringContaining('does not accept the key (401)');
    expect(await run()).toEqual({ ok: false, message });
    const open = await setUp({ key: 'sk-wrong' });
    open.stub.next(failure(401, 'Invalid key'));
    expect(await open.run()).toEqual({ ok: false, message });
    expect(stub.requests.length).toBe(1);
  });

  test('names the models when the setting’s is unknown', async () => {
    const models = Array.from({ length: 12 }, (_, i) => ({ id: `m${i}` }));
    const { run, stub } = await setUp({ model: 'x' }, { models });
    stub.next(failure(404, 'model "x" not found'));
    expect(await run()).toEqual({
      ok: false,
      message:
        'The server has no model “x”. It has m0, m1, m2, m3, m4, m5, m6, m7, m8, m9 and 2 more. Choose one of these.',
    });
  });
});
