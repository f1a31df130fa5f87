import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startEndpointStub } from '#platform/endpoint/testing/startEndpointStub.ts';
import { testPlatform } from '#platform/testing/testPlatform.ts';
import type { AssistantChange } from '#shared/protocol/assistantSettings.ts';
import { readSettings } from '#shared/settings.ts';
import { type Clock, virtualClock } from '#shared/clock.ts';
import { mainEncryption } from '#tests/builders/mainStore.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { mainLog } from '#tests/builders/mainLog.ts';
import { giveToPlatform, setUpAssistant, mergeChange } from './setUpAssistant.ts';
import { assistantVariables, testAssistant } from './setUpAssistant.ts';
import axios from 'axios';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type BuiltInPlatform, builtInPlatform } from './builtInPlatform.ts';

const SETTINGS = { url: 'http://127.0.0.1:11434/v1', model: 'small', prompt: null, key: 'sk-of-ada' };
const CHANGE: AssistantChange = { ...SETTINGS, keepsKey: false };

const SECRET = 'of-the-owner';
const never = new AbortController().signal;

/** A clock whose waits are over at once, and these waits. */
const waits: number[] = [];
const hurried: Clock = {
  ...virtualClock(),
  after: (ms, run) => (waits.push(ms), queueMicrotask(run), () => {}),
};
const failure = (words: string) => ({ kind: 'failed', field: null, message: expect.stringContaining(words) });

/** Starts a platform and the app's part against it; `start` starts that again. */
async function started({ dataDir = mainFolder(), secret = SECRET, environment = {}, clock = hurried } = {}) {
  const platform = await testPlatform(undefined, { ownerSecret: SECRET });
  const kept = mainLog();
  const notes: string[] = [];
  const builtIn = { PARLEY_BUILT_IN_API_URL: platform.apiUrl, PARLEY_BUILT_IN_SECRET: secret };
  const start = async (addresses = {}) =>
    setUpAssistant({
      dataDir,
      settings: readSettings(addresses),
      environment: { ...builtIn, ...environment },
      encryption: mainEncryption(1),
      clock,
      log: kept.log,
      notify: (text) => notes.push(text),
    });
  const assistant = await start();
  if (assistant === undefined) throw new Error('the built-in platform is in use');
  return { platform, kept, notes, start, assistant, path: join(dataDir, 'assistant.json') };
}

test('stores settings, gives them to the platform at once, and again at the next start, shows no key, and deletes them for the demonstration; is absent while another platform is in use', async () => {
  const { assistant, platform, start, kept, path } = await started();
  const elsewhere = { PARLEY_API_URL: 'http://127.0.0.1:1', PARLEY_PLATFORM_URL: 'ws://127.0.0.1:1' };
  expect([await start(elsewhere), assistant.summary()]).toEqual([undefined, { url: null, model: null }]);
  expect([await assistant.save(CHANGE), platform.assistant.get()]).toEqual([{ kind: 'saved' }, SETTINGS]);
  platform.assistant.set(null);
  const next = await start();
  expect(platform.assistant.get()).toEqual(SETTINGS);
  expect([next?.summary(), kept.lines()]).toEqual([{ url: SETTINGS.url, model: 'small' }, []]);
  const shown = { url: SETTINGS.url, model: 'small', prompt: '', hasKey: true, variables: [] };
  expect(next?.dialogData()).toEqual(shown);
  await next?.save({ ...CHANGE, key: null, keepsKey: true, model: null });
  expect(next?.dialogData()).toEqual({ ...shown, model: '' });
  await next?.save({ ...CHANGE, key: null });
  expect(next?.dialogData()).toEqual({ ...shown, hasKey: false });
  for (const demonstrate of [() => next?.save(null), () => next?.forget()]) {
    await next?.save(CHANGE);
    expect(existsSync(path)).toBe(true);
    await demonstrate();
    expect([existsSync(path), platform.assistant.get()]).toEqual([false, null]);
  }
});

test('the settings of the environment win, and are not changed; there are none when no variable has a value, and a key when a file contains it', async () => {
  const dataDir = mainFolder();
  await (await started({ dataDir })).assistant.save(CHANGE);
  const environment = { PARLEY_ASSISTANT_URL: 'http://127.0.0.1:1', PARLEY_ASSISTANT_KEY: 'sk-2' };
  const { assistant, platform, path } = await started({ dataDir, environment });
  const before = readFileSync(path);
  expect(platform.assistant.get()).toBeNull();
  expect(assistant.summary()).toEqual({ url: 'http://127.0.0.1:1', model: null });
  const variables = ['PARLEY_ASSISTANT_URL', 'PARLEY_ASSISTANT_KEY'];
  expect(assistant.dialogData()).toMatchObject({ hasKey: true, variables });
  for (const change of [CHANGE, null])
    expect(await assistant.save(change)).toEqual(failure('start Parley without these variables'));
  expect(readFileSync(path)).toEqual(before);
  platform.assistant.set(SETTINGS);
  await assistant.forget();
  expect([existsSync(path), platform.assistant.get()]).toEqual([false, SETTINGS]);
  expect(assistantVariables({ PARLEY_ASSISTANT_URL: '', PARLEY_ASSISTANT_MODEL: ' ' })).toBeUndefined();
  const names = ['URL', 'MODEL', 'KEY_FILE', 'PROMPT'].map((name) => `PARLEY_ASSISTANT_${name}`);
  const all = Object.fromEntries(names.map((name) => [name, ` of ${name} `]));
  const [url, model, , prompt] = names.map((name) => `of ${name}`);
  expect(assistantVariables(all)).toEqual({ url, model, prompt, hasKey: true, variables: names });
  expect(assistantVariables({ PARLEY_ASSISTANT_URL: 'http://a' })).toMatchObject({ hasKey: false });
});

test('says that the platform did not accept settings, without a secret, and gives them to one that is ready at the third try', async () => {
  const dataDir = mainFolder();
  const first = await started({ dataDir, secret: 'of-another' });
  const result = await first.assistant.save(CHANGE);
  expect(result).toEqual(failure('The settings are stored, but the built-in platform did not accept them'));
  waits.length = 0;
  const { notes, kept, platform } = await started({ dataDir, secret: 'of-another' });
  expect([platform.assistant.get(), waits]).toEqual([null, [500, 500]]);
  expect(notes).toEqual([
    'The built-in platform did not accept the assistant’s settings. Open Settings, then Assistant, and save them again.',
  ]);
  const msg = 'the platform did not accept the assistant’s settings';
  expect(kept.lines()).toEqual([{ level: 'error', msg }]);
  await expect(first.assistant.forget()).rejects.toThrow('403');
  expect(existsSync(first.path)).toBe(false);
  for (const text of [JSON.stringify(result), kept.text(), ...notes])
    for (const secret of ['sk-of-ada', 'of-another']) expect(text).not.toContain(secret);
  const setAssistant = vi.fn<BuiltInPlatform['setAssistant']>(async () => undefined);
  for (let times = 0; times < 2; times++) setAssistant.mockRejectedValueOnce(new Error('starts'));
  const options = { clock: hurried, log: mainLog().log, notify: expect.unreachable };
  await giveToPlatform(SETTINGS, { ...options, platform: { setAssistant } });
  expect(setAssistant.mock.calls).toEqual([[SETTINGS], [SETTINGS], [SETTINGS]]);
});

test('sends each request with the owner’s secret, in its time, to the platform only, not to a redirect’s target or a proxy of the environment', async () => {
  const asked: unknown[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(url);
    response.writeHead(307, { location: '/elsewhere' }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  onTestFinished(() => void vi.unstubAllEnvs());
  const apiUrl = `http://127.0.0.1:${Object(server.address()).port}`;
  for (const name of ['HTTP_PROXY', 'http_proxy']) vi.stubEnv(name, apiUrl);
  for (const name of ['NO_PROXY', 'no_proxy']) vi.stubEnv(name, '');
  const environment = { PARLEY_BUILT_IN_API_URL: apiUrl, PARLEY_BUILT_IN_SECRET: SECRET };
  const platform = builtInPlatform(readSettings({}), environment);
  const sent = vi.spyOn(axios, 'request');
  for (const request of [
    () => platform?.deleteAll(),
    () => platform?.setAssistant(null),
    () => platform?.setModel('m'),
    () => platform?.listModels(never),
    () => platform?.testAssistant(null, never),
  ])
    await expect(request()).rejects.toThrow('the platform answered with 307');
  const urls = ['/accounts', '/assistant', '/assistant/model', '/assistant/models', '/assistant/test'];
  expect(asked).toEqual(urls);
  const headers = { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' };
  const unlimited = { timeout: 0, signal: never };
  expect(sent.mock.calls.map(([config]) => config)).toMatchObject([
    { method: 'DELETE', timeout: 10_000, headers: { authorization: `Bearer ${SECRET}` } },
    { method: 'PUT', timeout: 10_000, headers, data: 'null' },
    { method: 'PUT', timeout: 10_000, headers, data: '{"model":"m"}' },
    unlimited,
    { ...unlimited, method: 'POST', headers, data: 'null' },
  ]);
  sent.mockRestore();
});

test('lists the models of the server, and knows the first one then as the one in use', async () => {
  const { assistant } = await started({ clock: virtualClock() });
  const stub = await startEndpointStub({ models: [{ id: 'small' }, { id: 'large' }] });
  onTestFinished(() => stub.stop());
  expect(assistant.inUse()).toEqual({ isDemonstration: true, model: null });
  const message = expect.stringMatching('.');
  expect(await assistant.models(never)).toEqual({ kind: 'failed', field: null, message });
  await assistant.save({ ...CHANGE, url: stub.url, model: null });
  expect(assistant.inUse()).toEqual({ isDemonstration: false, model: null });
  const models = ['small', 'large'];
  expect(await assistant.models(never)).toEqual({ kind: 'tested', model: 'small', models });
  expect(assistant.inUse()).toEqual({ isDemonstration: false, model: 'small' });
  const list = assistant.models(never);
  await assistant.save({ ...CHANGE, url: stub.url, model: null, prompt: 'Be brief.' });
  // The list was requested for the settings before.
  expect(await list).toMatchObject({ kind: 'tested' });
  expect(assistant.inUse().model).toBeNull();
  await assistant.save(CHANGE);
  await assistant.save({ ...CHANGE, model: null });
  expect(assistant.inUse().model).toBeNull();
});

test('stores a chosen model with the other settings, which it does not change; chooses one until the program ends when the environment sets the server, and none when it sets the model', async () => {
  const free = await started();
  expect(await free.assistant.chooseModel('large')).toEqual(failure('did not accept the model'));
  // The choice waits for it.
  void free.assistant.save(CHANGE);
  expect(await free.assistant.chooseModel('large')).toEqual({ kind: 'chosen' });
  expect(free.platform.assistant.get()).toEqual({ ...SETTINGS, model: 'large' });
  expect((await free.start())?.inUse()).toEqual({ isDemonstration: false, model: 'large' });
  const environment = { PARLEY_ASSISTANT_URL: SETTINGS.url };
  const { assistant, platform, path, start } = await started({ environment });
  expect(await assistant.chooseModel('large')).toMatchObject({ kind: 'failed' });
  expect(assistant.inUse().model).toBeNull();
  platform.assistant.set(SETTINGS);
  expect(await assistant.chooseModel('large')).toEqual({ kind: 'chosen' });
  expect(platform.assistant.get()).toEqual({ ...SETTINGS, model: 'large' });
  expect(assistant.dialogData()).toMatchObject({ model: 'large', variables: ['PARLEY_ASSISTANT_URL'] });
  expect(existsSync(path)).toBe(false);
  expect((await start())?.inUse()).toEqual({ isDemonstration: false, model: null });
  const fixed = await started({ environment: { ...environment, PARLEY_ASSISTANT_MODEL: 'small' } });
  fixed.platform.assistant.set(SETTINGS);
  const message = expect.stringContaining('PARLEY_ASSISTANT_MODEL');
  expect(await fixed.assistant.chooseModel('large')).toMatchObject({ kind: 'failed', message });
  expect(fixed.platform.assistant.get()).toEqual(SETTINGS);
});

const STORED = { url: 'https://api.example.org/v1', model: 'small', key: 'sk-of-ada', prompt: null } as const;
const KEPT = { ...CHANGE, url: 'https://api.example.org/v2', model: null, key: null, keepsKey: true };

test('keeps the stored key for the same server, uses the entered key, or none, and gives the stored one to no other server', () => {
  expect(mergeChange(KEPT, STORED)).toEqual({ ...STORED, url: KEPT.url, model: null });
  expect(mergeChange({ ...KEPT, keepsKey: false, key: 'sk-2' }, STORED)).toMatchObject({ key: 'sk-2' });
  expect(mergeChange({ ...KEPT, keepsKey: false }, STORED)).toMatchObject({ key: null });
  expect(mergeChange(KEPT, null)).toMatchObject({ key: null });
  expect(mergeChange(KEPT, { ...STORED, key: null })).toMatchObject({ key: null });
  const message =
    'The stored key belongs to another server. Enter the key of this one, or remove the stored key.';
  for (const url of ['http://api.example.org/v1', 'https://api.example.org:8443/v1']) {
    expect(mergeChange({ ...KEPT, url }, STORED)).toEqual({ field: 'key', message });
    expect(mergeChange({ ...KEPT, url, keepsKey: false }, STORED)).toMatchObject({ url, key: null });
  }
});

function startTest(answer: BuiltInPlatform['testAssistant'], signal = never) {
  const clock = virtualClock();
  const platform = { testAssistant: answer };
  return { clock, result: testAssistant(SETTINGS, { platform, clock, signal }) };
}

const fail = () => Promise.reject(new Error(SETTINGS.key));

test('says that a test was cancelled, that the platform could not run it, or that settings cannot be stored; gives up after 15 s, and not before', async () => {
  const cancelled = startTest(fail, AbortSignal.abort());
  expect(await cancelled.result).toEqual(failure('The test was cancelled.'));
  expect(cancelled.clock.nextDue()).toBeUndefined();
  expect(await startTest(fail).result).toEqual(failure('could not run the test. Try again.'));
  const { assistant, platform, kept } = await started({ dataDir: join(mainFolder(), 'none') });
  expect(await assistant.save(CHANGE)).toEqual(failure('The settings could not be stored: '));
  expect([platform.assistant.get(), assistant.summary().url]).toEqual([null, null]);
  const msg = 'the assistant’s settings could not be stored';
  expect(kept.lines()).toEqual([{ level: 'error', code: 'ENOENT', msg }]);
  const { clock, result } = startTest(async (_, signal) => {
    await once(signal, 'abort');
    throw new Error(SETTINGS.key);
  });
  clock.advance(15_000);
  const message =
    'The server has not answered within 15 s. Check the address, or test again when the server is less busy.';
  expect(await result).toEqual({ kind: 'failed', field: null, message });
  const answered = startTest(async (_, { aborted }) => {
    await Promise.resolve();
    return { ok: !aborted, model: 'm', models: [], message: '' };
  });
  answered.clock.advance(14_999);
  expect(await answered.result).toMatchObject({ kind: 'tested' });
});
