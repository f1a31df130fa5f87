import { execFileSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/testPlatform.ts';
import { parseEndpointUrl, readEndpointSettings } from './endpointSettings.ts';

const URL = 'http://127.0.0.1:11434';

/** Writes a key's file with this mode; resolves with its path. */
async function keyFile(text: string, mode = 0o600): Promise<string> {
  const path = join(await temporaryFolder(), 'key');
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
}

test('returns null without an address, also when the variables are blank', () => {
  expect(readEndpointSettings({})).toBeNull();
  expect(readEndpointSettings({ PARLEY_ASSISTANT_URL: '', PARLEY_ASSISTANT_MODEL: ' ' })).toBeNull();
});

test('needs no more than the address', () => {
  expect(readEndpointSettings({ PARLEY_ASSISTANT_URL: URL })).toEqual({
    url: `${URL}/v1`,
    model: null,
    key: null,
    prompt: null,
  });
});

test('reads the model, the key and the prompt', () => {
  expect(
    readEndpointSettings({
      PARLEY_ASSISTANT_URL: `${URL}/v1/`,
      PARLEY_ASSISTANT_MODEL: 'llama3.2:3b',
      PARLEY_ASSISTANT_KEY: 'sk-1',
      PARLEY_ASSISTANT_PROMPT: 'Answer in French.\n',
    }),
  ).toEqual({ url: `${URL}/v1`, model: 'llama3.2:3b', key: 'sk-1', prompt: 'Answer in French.' });
});

test('reads the key from a file with mode 0600, without its line break', async () => {
  const PARLEY_ASSISTANT_KEY_FILE = await keyFile('sk-from-file\n');
  expect(readEndpointSettings({ PARLEY_ASSISTANT_URL: URL, PARLEY_ASSISTANT_KEY_FILE })?.key).toBe(
    'sk-from-file',
  );
});

test.each([
  [{ PARLEY_ASSISTANT_MODEL: 'm' }, 'PARLEY_ASSISTANT_MODEL needs PARLEY_ASSISTANT_URL'],
  [{ PARLEY_ASSISTANT_PROMPT: 'p' }, 'PARLEY_ASSISTANT_PROMPT needs PARLEY_ASSISTANT_URL'],
  [{ PARLEY_ASSISTANT_URL: 'ollama' }, 'PARLEY_ASSISTANT_URL takes an http or https address'],
  [{ PARLEY_ASSISTANT_URL: 'http://a:b@host/' }, 'PARLEY_ASSISTANT_URL takes an http or https address'],
  [
    { PARLEY_ASSISTANT_URL: URL, PARLEY_ASSISTANT_FIRST_BYTE_S: '1.5' },
    'PARLEY_ASSISTANT_FIRST_BYTE_S takes a whole number of seconds from 1 to 99999',
  ],
  [{ PARLEY_ASSISTANT_URL: URL, PARLEY_ASSISTANT_KEY: 'two words' }, 'PARLEY_ASSISTANT_KEY takes a key'],
  [
    { PARLEY_ASSISTANT_URL: URL, PARLEY_ASSISTANT_KEY: 'k', PARLEY_ASSISTANT_KEY_FILE: '/k' },
    'PARLEY_ASSISTANT_KEY and PARLEY_ASSISTANT_KEY_FILE are both set',
  ],
  [
    { PARLEY_ASSISTANT_URL: URL, PARLEY_ASSISTANT_KEY_FILE: '/nowhere/key' },
    'PARLEY_ASSISTANT_KEY_FILE cannot be read: there is no such file',
  ],
])('refuses %j in one line', (environment, words) => {
  const read = () => readEndpointSettings(environment);
  expect(read).toThrow(words);
  expect(read).toThrow(/^[^\n]+$/);
  expect(read).toThrow(expect.objectContaining({ name: 'EndpointSettingsError' }));
});

test.each([0o640, 0o604, 0o644])(
  'refuses a key file with mode %o, and says how to close it',
  async (mode) => {
    const PARLEY_ASSISTANT_KEY_FILE = await keyFile('sk-1', mode);
    expect(() => readEndpointSettings({ PARLEY_ASSISTANT_URL: URL, PARLEY_ASSISTANT_KEY_FILE })).toThrow(
      `run \`chmod 600 ${PARLEY_ASSISTANT_KEY_FILE}\``,
    );
  },
);

const read = (PARLEY_ASSISTANT_KEY_FILE: string) => () =>
  readEndpointSettings({ PARLEY_ASSISTANT_URL: URL, PARLEY_ASSISTANT_KEY_FILE });

test('refuses a key file that is empty, a folder or a pipe, without waiting for it', async () => {
  const folder = join(await temporaryFolder(), 'folder');
  await mkdir(folder, { mode: 0o700 });
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', ['-m', '600', pipe]);
  expect(read(await keyFile('\n'))).toThrow('a file without a key');
  expect(read(folder)).toThrow('is not a file');
  expect(read(pipe)).toThrow('is not a file');
});

test('reads the time for the first part of an answer', () => {
  expect(
    readEndpointSettings({ PARLEY_ASSISTANT_URL: URL, PARLEY_ASSISTANT_FIRST_BYTE_S: '90' }),
  ).toMatchObject({
    firstByteS: 90,
  });
});

test('never repeats a key in an error', async () => {
  const PARLEY_ASSISTANT_KEY_FILE = await keyFile('sk-secret in two words');
  for (const key of [{ PARLEY_ASSISTANT_KEY: 'sk-secret in two words' }, { PARLEY_ASSISTANT_KEY_FILE }])
    expect(() => readEndpointSettings({ PARLEY_ASSISTANT_URL: URL, ...key })).toThrow(/^(?!.*sk-secret)/);
});

test.each([
  ['http://127.0.0.1:11434', 'http://127.0.0.1:11434/v1'],
  ['http://127.0.0.1:11434/', 'http://127.0.0.1:11434/v1'],
  ['http://localhost:1234/v1/', 'http://localhost:1234/v1'],
  ['HTTPS://Example.org/api/v1', 'https://example.org/api/v1'],
  ['https://example.org/v1/chat/completions', 'https://example.org/v1'],
  ['http://[::1]:8080', 'http://[::1]:8080/v1'],
])('returns the base URL of %s', (text, url) => {
  expect(parseEndpointUrl(text)).toBe(url);
});

test.each([
  '',
  'ollama',
  '127.0.0.1:11434',
  'localhost:11434',
  'ftp://127.0.0.1',
  'ws://127.0.0.1/v1',
  'http://ada:secret@127.0.0.1/v1',
  'http://127.0.0.1/v1?key=secret',
  'http://127.0.0.1/v1#models',
  'http://127.0.0.1:65536',
])('returns null for %j', (text) => {
  expect(parseEndpointUrl(text)).toBeNull();
});
