import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { dirname, join } from 'node:path';
import Fastify from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ASSISTANT_PROMPT_LENGTH } from '#shared/limits.ts';
import { tableOf } from '#tests/builders/tableOf.ts';
import { createAssistantHolder } from '../assistant/assistant.ts';
import type { EndpointTest } from '../endpoint/testEndpoint.ts';
import { type AssistantRoutesOptions, assistantRoutes } from './ownerRoutes.ts';
import { recordingLogger } from '../testing/observers.ts';
import { fillDisk, postAuth, request, ADA, testPlatform } from '../testing/testPlatform.ts';

const SECRET = 'of-the-owner';
const OWNER = { ownerSecret: SECRET };
const PROMPT = '€'.repeat(ASSISTANT_PROMPT_LENGTH);
const SETTINGS = { url: 'http://127.0.0.1:11434/v1', model: 'small', key: 'sk-of-ada', prompt: PROMPT };

const JSON_TYPE = { 'content-type': 'application/json' };

const call = (route: string, body?: unknown, secret = SECRET) => {
  const [method = '', url = ''] = route.split(' ');
  const headers = { authorization: `Bearer ${secret}`, ...(body !== undefined && JSON_TYPE) };
  return request(url, { method, headers, body: JSON.stringify(body) });
};

const logIn = (apiUrl: string) => postAuth(apiUrl, { ...ADA, name: '' });

test('signs every client of a revoked account out at once, and refuses its sign-in in words; a restored account continues with its conversation', async () => {
  const platform = await testPlatform(undefined, OWNER);
  const setRevoked = (email: string, isRevoked: boolean) =>
    call(`POST ${platform.apiUrl}/accounts/revoked`, { email, isRevoked });
  const account = await platform.register();
  const clients = [await platform.connect(account), await platform.connect(account)];
  const other = await platform.connect(await platform.register({ email: 'bob@example.org' }));
  clients[0]?.sendText('stream');
  await clients[1]?.until(({ newest }) => newest()?.modifier === 'client');
  expect(await setRevoked('ADA@example.org', true)).toMatchObject({ status: 204 });
  for (const client of clients) expect(await client.closed).toEqual({ code: 4401, reason: 'unauthorized' });
  expect(await logIn(platform.apiUrl)).toMatchObject({
    status: 403,
    body: 'This account was revoked. Ask the administrator of the platform.',
  });
  const wrong = await postAuth(platform.apiUrl, { ...ADA, password: 'engine1844!', name: '' });
  expect(wrong).toMatchObject({ status: 401 });
  expect(await (await platform.connect(account)).closed).toEqual({ code: 4401, reason: 'unauthorized' });
  expect(other.socket.readyState).toBe(other.socket.OPEN);
  expect(await setRevoked(ADA.email, false)).toMatchObject({ status: 204 });
  expect(await logIn(platform.apiUrl)).toMatchObject({ status: 200, body: account });
  const after = (await platform.connect(account)).conversation();
  expect(after.messages.slice(0, 2)).toEqual(clients[1]?.conversation().messages.slice(0, 2));
  const changes = [true, false].map((is) => `"isRevoked":${is},"msg":"an account was revoked or restored"`);
  expect(platform.logged().match(/"isRevoked".+(?=\})/g)).toEqual(changes);
});

test('has a file with its address and secret that only its owner can read, while it runs; lists the accounts', async () => {
  const platform = await testPlatform(undefined, OWNER);
  const account = await platform.register();
  const { status, body } = await call(`GET ${platform.apiUrl}/accounts`);
  expect(status).toBe(200);
  expect(JSON.parse(body)).toMatchObject([{ email: ADA.email, messages: 1, revokedAt: null }]);
  expect(body).not.toContain(account);
  const file = join(dirname(platform.dataFile), 'platform-owner.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ apiUrl: platform.apiUrl, secret: SECRET });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const client = await platform.connect(account);
  fillDisk();
  for (const [email, code, words] of [
    [1, 400, 'An email, and whether it is revoked, are needed.'],
    ['bob@example.org', 404, 'There is no account with that email.'],
    [ADA.email, 503, 'The platform cannot write to its disk.'],
  ] as const) {
    const answer = await call(`POST ${platform.apiUrl}/accounts/revoked`, { email, isRevoked: true });
    expect(answer).toMatchObject({ status: code, body: words });
  }
  await platform.close();
  expect(await client.closed).toEqual({ code: 1001, reason: '' });
  expect(existsSync(file)).toBe(false);
});

test('deletes every account, the file and its copies, and signs the clients out', async () => {
  const platform = await testPlatform(undefined, OWNER);
  const client = await platform.connect(await platform.register());
  client.sendText('the engine');
  await client.until(({ updates }) => updates().length > 1);
  await writeFile(`${platform.dataFile}.corrupt-1`, 'Ada Lovelace');
  expect(await call(`DELETE ${platform.apiUrl}/accounts`)).toMatchObject({ status: 204 });
  expect(await client.closed).toEqual({ code: 4401, reason: 'unauthorized' });
  expect(platform.logged()).toContain('{"level":30,"msg":"every account was deleted"}\n');
  // An unfinished answer would continue now.
  platform.clock.advance(60_000);
  await platform.close();
  expect(await readdir(dirname(platform.dataFile))).toEqual([]);
});

test.each(['', 'of-the-owner-too'])('refuses every call with the secret %j', async (secret) => {
  const platform = await testPlatform(undefined, OWNER);
  const account = await platform.register();
  const file = join(import.meta.dirname, 'testing/refusals.txt');
  const table = await tableOf(file, async (line) => {
    const [, method = '', path = '', body] = /^(\S+) (\S+) ?(.*)$/.exec(line) ?? [];
    const fields = body ? JSON.parse(body) : undefined;
    const answer = await call(`${method} ${platform.apiUrl}/${path}`, fields, secret);
    return `${answer.status} ${answer.body}`;
  });
  await expect(table).toMatchFileSnapshot(file);
  expect(platform.assistant.get()).toBeNull();
  expect(await logIn(platform.apiUrl)).toMatchObject({ status: 200, body: account });
});

async function startRoutes() {
  const assistant = createAssistantHolder();
  const { logger, logged } = recordingLogger();
  const app = Fastify();
  const endpointTest = vi.fn<AssistantRoutesOptions['test']>(async () => RESULT);
  const listing = vi.fn<AssistantRoutesOptions['list']>(async () => LISTED);
  const options = { assistant, ownerSecret: SECRET, test: endpointTest, list: listing, logger };
  void app.register(assistantRoutes, options);
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  const tested = () => endpointTest.mock.calls.map(([settings]) => settings);
  return { origin, assistant, logged, tested, listing, endpointTest };
}

const DEMONSTRATION = 'The demonstration answers: there is nothing to test.';
const RESULT: EndpointTest = { ok: true, model: 'small', models: ['small', 'large'] };
const LISTED: EndpointTest = { ok: true, model: 'first', models: ['first'] };

test('refuses what are no settings, keeps the settings and repeats no key', async () => {
  const { origin, assistant, tested } = await startRoutes();
  const answers: string[] = [];
  for (const change of [{ url: 'file:///etc/passwd' }, { key: 'two words' }, { other: 1 }])
    for (const route of [`PUT ${origin}/assistant`, `POST ${origin}/assistant/test`]) {
      const answer = await call(route, { ...SETTINGS, ...change });
      answers.push(`${route.replace(origin, '')}: ${answer.status} ${answer.body}\n`);
    }
  await expect(answers.join('')).toMatchFileSnapshot('testing/refusedSettings.txt');
  expect([assistant.get(), tested()]).toEqual([null, []]);
});

test('answers a test and keeps none of the settings; without settings, tests those in use, and lists their models', async () => {
  const { origin, assistant, logged, tested, listing, endpointTest } = await startRoutes();
  const failed: EndpointTest = { ok: false, message: 'The server refuses the key.' };
  endpointTest.mockResolvedValueOnce(failed);
  const answer = await call(`POST ${origin}/assistant/test`, SETTINGS);
  expect([answer.status, JSON.parse(answer.body), tested()]).toEqual([200, failed, [SETTINGS]]);
  expect(assistant.get()).toBeNull();
  expect(logged()).toBe('{"level":30,"isOk":false,"msg":"the assistant was tested"}\n');
  const tryOut = async () => JSON.parse((await call(`POST ${origin}/assistant/test`, null)).body);
  const list = async () => JSON.parse((await call(`GET ${origin}/assistant/models`)).body);
  const demonstration = { ok: false, message: DEMONSTRATION };
  expect([await tryOut(), await list()]).toEqual([demonstration, demonstration]);
  assistant.set(SETTINGS);
  expect([await tryOut(), await list()]).toEqual([RESULT, LISTED]);
  expect(tested()).toEqual([SETTINGS, SETTINGS]);
  expect(listing.mock.calls).toEqual([[SETTINGS, expect.any(AbortSignal)]]);
});

test('keeps the assistant of the owner, changes its model and nothing else, and selects the demonstration', async () => {
  const { origin, assistant, logged } = await startRoutes();
  const choose = (body: unknown) => call(`PUT ${origin}/assistant/model`, body);
  for (const body of [{ model: 'large' }, null])
    expect(await choose(body)).toMatchObject({ status: 409, body: DEMONSTRATION });
  expect(await call(`PUT ${origin}/assistant`, SETTINGS)).toMatchObject({ status: 204 });
  expect(assistant.get()).toEqual(SETTINGS);
  expect(await choose({ model: 'large' })).toMatchObject({ status: 204 });
  for (const body of [{ model: '' }, { model: 'large', url: 'http://127.0.0.1:1' }, null])
    expect(await choose(body)).toMatchObject({ status: 400, body: 'The name of a model is needed.' });
  expect(assistant.get()).toEqual({ ...SETTINGS, model: 'large' });
  expect(await call(`PUT ${origin}/assistant`, null)).toMatchObject({ status: 204 });
  expect(assistant.get()).toBeNull();
  const said = [false, true].map((is) => `"isDemonstration":${is},"msg":"the assistant was chosen"`);
  said.splice(1, 0, '"msg":"the model was chosen"');
  expect(logged()).toBe(said.map((fields) => `{"level":30,${fields}}\n`).join(''));
});

test('ends a test and a list when the caller closes the connection', async () => {
  const { origin, assistant, endpointTest, listing } = await startRoutes();
  assistant.set(SETTINGS);
  const headers = { authorization: `Bearer ${SECRET}`, ...JSON_TYPE };
  for (const [method, path, mock] of [
    ['POST', 'test', endpointTest],
    ['GET', 'models', listing],
  ] as const) {
    const begun = new Promise<AbortSignal>((resolve) => {
      mock.mockImplementation(async (_, ended) => {
        resolve(ended);
        await once(ended, 'abort');
        return RESULT;
      });
    });
    const asked = httpRequest(`${origin}/assistant/${path}`, { method, headers }).on('error', () => {});
    asked.end(method === 'POST' ? 'null' : '');
    const signal = await begun;
    asked.destroy();
    if (!signal.aborted) await once(signal, 'abort');
    expect(signal.reason).toMatchObject({ name: 'AbortError' });
  }
});
