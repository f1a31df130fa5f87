import { expect, test } from 'vitest';
import { listEndpoint, testEndpoint } from './testEndpoint.ts';
import { STUB_PATHS } from './testing/createScripts.ts';
import { endpointForTest } from './testing/endpointForTest.ts';
import { failure } from './testing/stubReply.ts';

type Setup = Parameters<typeof endpointForTest>;

async function setUp(...setup: Setup) {
  const { settings, stub, clock } = await endpointForTest(...setup);
  const run = (signal = new AbortController().signal) => testEndpoint(settings, { clock, signal });
  const list = () => listEndpoint(settings, { clock, signal: new AbortController().signal });
  return { run, list, stub, clock };
}

test('returns the model in use and all models', async () => {
  const { run, stub } = await setUp({}, { models: [{ id: 'a' }, { id: 'b' }] });
  expect(await run()).toEqual({ ok: true, model: 'a', models: ['a', 'b'] });
  expect((await stub.request(0)).json).toMatchObject({ model: 'a', max_tokens: 16 });
});

test('lists the models, with the one in use, without an answer', async () => {
  const { list, stub } = await setUp({}, { models: [{ id: 'a' }, { id: 'b' }] });
  expect(await list()).toEqual({ ok: true, model: 'a', models: ['a', 'b'] });
  expect(stub.requests.filter(({ path }) => path === STUB_PATHS.chat)).toEqual([]);
});

test('requests no more than the start of an answer', async () => {
  const { run, stub } = await setUp();
  stub.next({ steps: ['Hello'], end: 'stall' });
  expect(await run()).toMatchObject({ ok: true });
  expect(await (await stub.request(0)).isComplete).toBe(false);
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

test('accepts an endpoint without a list when the setting names a model', async () => {
  const { run, stub } = await setUp({ model: 'x' });
  stub.always(failure(404, 'Not Found'), STUB_PATHS.models);
  expect(await run()).toEqual({ ok: true, model: 'x', models: [] });
});

test('says that no server answers', async () => {
  const { run, stub } = await setUp();
  await stub.stop();
  expect(await run()).toEqual({ ok: false, message: expect.stringMatching(/^No server answers at http/) });
});

test('accepts a model that is still loaded after 4 s', async () => {
  const { run, stub, clock } = await setUp();
  stub.next({});
  void stub.request(0).then(() => clock.advance(4000));
  expect(await run()).toMatchObject({ ok: true });
  expect(clock.nextDue()).toBeUndefined();
});

test('says that it was cancelled', async () => {
  const { run, stub } = await setUp();
  stub.next({});
  const stop = new AbortController();
  void stub.request(0).then(() => stop.abort());
  expect(await run(stop.signal)).toEqual({ ok: false, message: 'The test was cancelled.' });
});
