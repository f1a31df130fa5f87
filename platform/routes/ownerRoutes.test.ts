import { EventEmitter, once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { dirname, join } from 'node:path';
import Fastify from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAssistantHolder } from '../assistant/assistant.ts';
import type { EndpointTest } from '../endpoint/testEndpoint.ts';
import { type AssistantRoutesOptions, assistantRoutes } from './ownerRoutes.ts';
import { recordingLogger } from '../testing/recordingLogger.ts';
import { postAuth, request, ADA, testPlatform } from '../testing/testPlatform.ts';

const SECRET = 'of-the-owner';
const OWNER = { ownerSecret: SECRET };

const headers = { authorization: 'Bearer of-the-owner', 'content-type': 'application/json' };

const setRevoked = (apiUrl: string, email: string, isRevoked: boolean) =>
  request(`${apiUrl}/accounts/revoked`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, isRevoked }),
  });

const logIn = (apiUrl: string) => postAuth(apiUrl, { ...ADA, name: '' });

describe('the routes of the accounts', () => {
  test('signs every client of a revoked account out at once, and refuses its sign-in in words', async () => {
    const platform = await testPlatform(undefined, OWNER);
    const account = await platform.register();
    const clients = await Promise.all([platform.connect(account), platform.connect(account)]);
    const other = await platform.connect(await platform.register({ email: 'bob@example.org' }));
    clients[0]?.sendText('stream');
    await other.until(() => true);
    expect(await setRevoked(platform.apiUrl, 'ADA@example.org', true)).toMatchObject({ status: 204 });
    for (const client of clients) expect(await client.closed).toEqual({ code: 4401, reason: 'unauthorized' });
    expect(await logIn(platform.apiUrl)).toMatchObject({
      status: 403,
      body: 'This account was revoked. Ask the administrator of the platform.',
    });
    expect(await postAuth(platform.apiUrl, { ...ADA, password: 'engine1844!', name: '' })).toMatchObject({
      status: 401,
    });
    expect(await (await platform.connect(account)).closed).toEqual({ code: 4401, reason: 'unauthorized' });
    expect(other.socket.readyState).toBe(other.socket.OPEN);
  });

  test('lets a restored account continue with its conversation', async () => {
    const platform = await testPlatform(undefined, OWNER);
    const account = await platform.register();
    const before = await platform.connect(account);
    before.sendText('remember');
    await before.until(({ newest }) => newest()?.modifier === 'client');
    await setRevoked(platform.apiUrl, ADA.email, true);
    expect(await setRevoked(platform.apiUrl, ADA.email, false)).toMatchObject({ status: 204 });
    expect(await logIn(platform.apiUrl)).toMatchObject({ status: 200, body: account });
    const after = await platform.connect(account);
    expect(after.conversation()).toEqual(before.conversation());
  });

  test('lists the accounts for the owner only', async () => {
    const platform = await testPlatform(undefined, OWNER);
    const account = await platform.register();
    const { status, body } = await request(`${platform.apiUrl}/accounts`, { headers });
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject([{ email: ADA.email, messages: 1, revokedAt: null }]);
    expect(body).not.toContain(account);
    const foreign = { authorization: 'Bearer other' };
    expect((await request(`${platform.apiUrl}/accounts`, { headers: foreign })).status).toBe(403);
    expect((await request(`${platform.apiUrl}/accounts/revoked`, { method: 'POST' })).status).toBe(403);
  });

  test('has a file with its address and secret that only its owner can read, while it runs', async () => {
    const platform = await testPlatform(undefined, OWNER);
    const file = join(dirname(platform.dataFile), 'platform-owner.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      apiUrl: platform.apiUrl,
      secret: 'of-the-owner',
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await platform.close();
    expect(existsSync(file)).toBe(false);
  });
});

const deleteAll = (apiUrl: string, secret: string) =>
  request(`${apiUrl}/accounts`, { method: 'DELETE', headers: { authorization: `Bearer ${secret}` } });

describe('the deletion of all accounts', () => {
  test('deletes every account, the file and its copies, and signs the clients out', async () => {
    const platform = await testPlatform(undefined, OWNER);
    const client = await platform.connect(await platform.register());
    client.sendText('the engine');
    await client.until(({ updates }) => updates().length > 1);
    await writeFile(`${platform.dataFile}.corrupt-1`, 'Ada Lovelace');
    expect(await deleteAll(platform.apiUrl, OWNER.ownerSecret)).toMatchObject({ status: 204 });
    expect(await client.closed).toEqual({ code: 4401, reason: 'unauthorized' });
    // An unfinished answer would continue now.
    platform.clock.advance(60_000);
    await platform.close();
    expect(await readdir(dirname(platform.dataFile))).toEqual([]);
  });

  test.each(['', 'of-the-owner-too'])('refuses the wrong secret %j and deletes nothing', async (secret) => {
    const platform = await testPlatform(undefined, OWNER);
    await platform.register();
    expect(await deleteAll(platform.apiUrl, secret)).toMatchObject({ status: 403 });
    expect(await postAuth(platform.apiUrl, { ...ADA, name: '' })).toMatchObject({ status: 200 });
  });
});

const SETTINGS = {
  url: 'http://127.0.0.1:11434/v1',
  model: 'small',
  key: 'sk-of-ada',
  prompt: 'Be short.',
};

/** Starts the routes alone, with this test of endpoints. */
async function startRoutes(
  testWith: AssistantRoutesOptions['test'] = async () => ({ ok: false, message: '' }),
) {
  const assistant = createAssistantHolder();
  const { logger, logged } = recordingLogger();
  const app = Fastify();
  const options = { assistant, ownerSecret: SECRET, test: testWith, list: testWith, logger };
  void app.register(assistantRoutes, options);
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

describe('the routes of the assistant', () => {
  test('keeps the settings of the owner, and selects the demonstration', async () => {
    const platform = await testPlatform(undefined, { ownerSecret: SECRET });
    expect(await send(platform.apiUrl, 'PUT', SETTINGS)).toMatchObject({ status: 204 });
    expect(platform.assistant.get()).toEqual(SETTINGS);
    expect(await send(platform.apiUrl, 'PUT', null)).toMatchObject({ status: 204 });
    expect(platform.assistant.get()).toBeNull();
    for (const value of Object.values(SETTINGS)) expect(platform.logged()).not.toContain(value);
  });

  test.each(['', 'of-the-owner-too'])('refuses the wrong secret %j', async (secret) => {
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
    { ...SETTINGS, other: 1 },
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

  test('lists the models of the settings in use, for the owner only', async () => {
    const listed = { ok: true, model: 'small', models: ['small', 'large'] } as const;
    const { origin, assistant } = await startRoutes(async (settings) => {
      expect(settings).toEqual(SETTINGS);
      return listed;
    });
    const list = (owner: string) =>
      request(`${origin}/assistant/models`, { headers: { authorization: `Bearer ${owner}` } });
    expect(JSON.parse((await list(SECRET)).body)).toMatchObject({ ok: false });
    assistant.set(SETTINGS);
    expect(JSON.parse((await list(SECRET)).body)).toEqual(listed);
    expect(await list('of-the-other')).toMatchObject({ status: 403 });
  });

  test('changes the model of the settings in use, and nothing else', async () => {
    const { origin, assistant, logged } = await startRoutes();
    const choose = (body: unknown) =>
      request(`${origin}/assistant/model`, { method: 'PUT', headers, body: JSON.stringify(body) });
    expect(await choose({ model: 'large' })).toMatchObject({ status: 409 });
    assistant.set(SETTINGS);
    expect(await choose({ model: 'large' })).toMatchObject({ status: 204 });
    expect(assistant.get()).toEqual({ ...SETTINGS, model: 'large' });
    for (const body of [{ model: '' }, { model: 'large', url: 'http://127.0.0.1:1' }, null])
      expect(await choose(body)).toMatchObject({ status: 400 });
    expect(assistant.get()).toEqual({ ...SETTINGS, model: 'large' });
    expect(logged()).not.toContain('large');
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
    const asked = httpRequest(`${origin}/assistant/test`, { method: 'POST', headers }).on('error', () => {});
    asked.end(JSON.stringify(SETTINGS));
    await begun;
    asked.destroy();
    expect(await ended).toMatchObject([{ name: 'AbortError' }]);
  });
});
