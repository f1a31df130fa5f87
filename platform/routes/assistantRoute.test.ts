import { EventEmitter, once } from 'node:events';
import { request as httpRequest } from 'node:http';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { createAssistantHolder } from '../assistant/assistantHolder.ts';
import { recordingLogger } from '../testing/recordingLogger.ts';
import { request } from '../testing/request.ts';
import { testPlatform } from '../testing/testPlatform.ts';
import { type AssistantRouteOptions, type EndpointTest, assistantRoute } from './assistantRoute.ts';

const SECRET = 'of-the-owner';
const SETTINGS = { url: 'http://127.0.0.1:11434/v1', model: 'small', key: 'sk-of-ada', prompt: 'Be short.' };

/** Starts the routes alone, with this test of endpoints. */
async function startRoutes(
  testWith: AssistantRouteOptions['test'] = async () => ({ ok: false, message: '' }),
) {
  const assistant = createAssistantHolder();
  const { logger, logged } = recordingLogger();
  const app = Fastify();
  void app.register(assistantRoute, { assistant, ownerSecret: SECRET, test: testWith, logger });
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  return { origin, assistant, logged };
}

const PATHS = { PUT: '/assistant', POST: '/assistant/test' } as const;

/** Sends a body as JSON to the route with this method. */
const sendWith = (secret: string) => (origin: string, method: 'PUT' | 'POST', body: unknown) =>
  request(`${origin}${PATHS[method]}`, {
    method,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const send = sendWith(SECRET);

test('keeps the settings of the owner, and selects the demonstration', async () => {
  const platform = await testPlatform(undefined, { ownerSecret: SECRET });
  expect(await send(platform.apiUrl, 'PUT', SETTINGS)).toMatchObject({ status: 204 });
  expect(platform.assistant.get()).toEqual(SETTINGS);
  expect(await send(platform.apiUrl, 'PUT', null)).toMatchObject({ status: 204 });
  expect(platform.assistant.get()).toBeNull();
  for (const value of Object.values(SETTINGS)) expect(platform.logged()).not.toContain(value);
});

test('adds the version to an address without a path', async () => {
  const { origin, assistant } = await startRoutes();
  await send(origin, 'PUT', { ...SETTINGS, url: 'http://127.0.0.1:11434/' });
  expect(assistant.get()).toEqual(SETTINGS);
});

test('keeps instructions of the maximum length', async () => {
  const { origin, assistant } = await startRoutes();
  const prompt = '語'.repeat(10_000);
  expect(await send(origin, 'PUT', { ...SETTINGS, prompt })).toMatchObject({ status: 204 });
  expect(assistant.get()).toEqual({ ...SETTINGS, prompt });
});

test.each(['', 'of-the-other', 'of-the-owner-too'])('refuses the wrong secret %j', async (secret) => {
  let tests = 0;
  const { origin, assistant } = await startRoutes(async () => {
    tests += 1;
    return { ok: false, message: '' };
  });
  expect(await sendWith(secret)(origin, 'PUT', SETTINGS)).toMatchObject({ status: 403 });
  expect(await sendWith(secret)(origin, 'POST', SETTINGS)).toMatchObject({ status: 403 });
  expect(assistant.get()).toBeNull();
  expect(tests).toBe(0);
});

test.each([
  { ...SETTINGS, url: 'file:///etc/passwd' },
  { ...SETTINGS, key: 'two words' },
  { url: SETTINGS.url },
  { ...SETTINGS, other: 1 },
  [],
])('refuses %j, keeps the settings and repeats no key', async (body) => {
  const { origin, assistant } = await startRoutes();
  for (const method of ['PUT', 'POST'] as const) {
    const answer = await send(origin, method, body);
    expect(answer).toMatchObject({ status: 400 });
    expect(answer.body).not.toContain('two words');
  }
  expect(assistant.get()).toBeNull();
});

test.each<EndpointTest>([
  { ok: true, model: 'small', models: ['small', 'large'] },
  { ok: false, message: 'The server refuses the key.' },
])('answers a test with its result %j and keeps none of the settings', async (result) => {
  const { origin, assistant, logged } = await startRoutes(async (settings) => {
    expect(settings).toEqual(SETTINGS);
    return result;
  });
  const answer = await send(origin, 'POST', SETTINGS);
  expect(answer).toMatchObject({ status: 200 });
  expect(JSON.parse(answer.body)).toEqual(result);
  expect(assistant.get()).toBeNull();
  for (const value of Object.values(SETTINGS)) expect(logged()).not.toContain(value);
});

test('tests the settings in use', async () => {
  const tested: unknown[] = [];
  const { origin, assistant } = await startRoutes(async (settings) => {
    tested.push(settings);
    return { ok: true, model: 'small', models: [] };
  });
  expect(JSON.parse((await send(origin, 'POST', null)).body)).toEqual({
    ok: false,
    message: 'The demonstration answers: there is nothing to test.',
  });
  assistant.set(SETTINGS);
  expect(JSON.parse((await send(origin, 'POST', null)).body)).toMatchObject({ ok: true });
  expect(tested).toEqual([SETTINGS]);
});

test('ends a test when the caller closes the connection', async () => {
  const tests = new EventEmitter();
  const [begun, ended] = [once(tests, 'begun'), once(tests, 'ended')];
  const { origin } = await startRoutes(async (_, signal) => {
    tests.emit('begun');
    await once(signal, 'abort');
    tests.emit('ended', signal.reason);
    return { ok: false, message: '' };
  });
  const headers = { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' };
  const asked = httpRequest(`${origin}/assistant/test`, { method: 'POST', headers }).on('error', () => {});
  asked.end(JSON.stringify(SETTINGS));
  await begun;
  asked.destroy();
  expect(await ended).toMatchObject([{ name: 'AbortError' }]);
});

test('has no such routes on a platform without an owner', async () => {
  const platform = await testPlatform();
  expect(await sendWith('')(platform.apiUrl, 'PUT', null)).toMatchObject({ status: 404 });
});

test('starts with the settings of the start', async () => {
  const platform = await testPlatform(undefined, { assistant: SETTINGS });
  expect(platform.assistant.get()).toEqual(SETTINGS);
});
