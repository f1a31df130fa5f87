import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, describe } from 'vitest';
import { readAdminCommand } from './adminCommand.ts';
import { parseEndpointUrl, readEndpointSettings } from './endpoint/endpointSettings.ts';
import { HostSettingsError, readHostSettings } from './hostSignIn/hostSettings.ts';
import { readOptions } from './options.ts';
import { temporaryFolder } from './testing/testPlatform.ts';

function read(argv: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const written = { out: '', err: '' };
  const options = readOptions(argv, {
    environment,
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
  });
  return { options, ...written };
}

test('returns no port and no folder without arguments', () => {
  const limits = {
    messagesPerMinute: 120,
    messageBytes: 2_000_000,
    wrongPasswords: 5,
    registrationsPerHour: 200,
  };
  expect(read([])).toEqual({
    options: { port: null, dataDir: null, registration: 'open', host: {}, limits },
    out: '',
    err: '',
  });
});

test.each([
  [['--port', '0', '--data-dir=here'], { port: 0, dataDir: 'here' }],
  [['--registration', 'owner'], { registration: 'owner' }],
  [
    ['--hostauth', 'http://127.0.0.1:4320', '--host-name=box'],
    { host: { hostauth: 'http://127.0.0.1:4320', hostName: 'box' } },
  ],
])('parses %j', (argv, options) => {
  expect(read(argv).options).toMatchObject(options);
});

test.each([
  [['--prot', '1'], "unknown option '--prot'"],
  [['--port', '65536'], "'65536' is invalid. It takes a port, 0 to 65535."],
  [['--messages-per-minute', '0'], 'It takes a whole number, 1 to 1000000.'],
  [['--registration', 'closed'], 'Allowed choices are open, owner.'],
])('rejects %j with exit code 2 and one line that says what is wrong', (argv, words) => {
  const { options, out, err } = read(argv);
  expect({ options, out }).toEqual({ options: { exitCode: 2 }, out: '' });
  expect(err).toMatch(/^[^\n]+\n$/);
  expect(err).toContain(words);
});

test('reads the limits of the options, else of the environment', () => {
  const environment = {
    PARLEY_PLATFORM_MESSAGES_PER_MINUTE: '10',
    PARLEY_PLATFORM_WRONG_PASSWORDS: '3',
    PARLEY_PLATFORM_REGISTRATIONS_PER_HOUR: '9',
  };
  expect(read(['--messages-per-minute', '7', '--message-bytes', '5000'], environment).options).toMatchObject({
    limits: { messagesPerMinute: 7, messageBytes: 5000, wrongPasswords: 3, registrationsPerHour: 9 },
  });
});

test('rejects a bad value of the environment with exit code 2 and one line that names the variable', () => {
  expect(read([], { PARLEY_PLATFORM_MESSAGE_BYTES: 'large' })).toEqual({
    options: { exitCode: 2 },
    out: '',
    err: 'PARLEY_PLATFORM_MESSAGE_BYTES takes a whole number, 1000 to 2000000\n',
  });
});

test('contract §1 help: lists the options for --help and exits with 0', () => {
  const { options, out, err } = read(['--help']);
  expect({ options, err }).toEqual({ options: { exitCode: 0 }, err: '' });
  expect(out).toContain('--port <n>');
  expect(out).toContain('--data-dir <dir>');
  expect(out).toContain('PARLEY_ASSISTANT_URL');
});

describe('the commands of an administrator', () => {
  test('parses the commands', () => {
    expect(readAdminCommand(['accounts'])).toEqual({ name: 'accounts', dataDir: null });
    expect(readAdminCommand(['revoke', 'a@b.c', '--data-dir', 'x'])).toEqual({
      name: 'revoke',
      email: 'a@b.c',
      dataDir: 'x',
    });
    expect(readAdminCommand(['restore', '--data-dir=x', 'a@b.c'])).toMatchObject({ name: 'restore' });
    expect(readAdminCommand(['revoke', '--help'])).toBe('help');
  });

  test.each([
    [['accounts', 'more'], 'accounts takes no argument'],
    [['restore', 'a@b.c', 'd@e.f'], 'restore takes one email'],
    [['accounts', '--data-dir', ''], '--data-dir takes a folder'],
  ])('rejects %j with a message', (argv, message) => {
    const command = readAdminCommand(argv);
    expect(command).toMatchObject({ message: expect.stringContaining(message) });
  });
});

const readUrl = (url: string, name = 'box') =>
  readHostSettings({ PARLEY_PLATFORM_HOSTAUTH: url, PARLEY_PLATFORM_HOST_NAME: name });

describe('the sign-in with the users of the machine', () => {
  test.each([
    ['http://127.0.0.1:4320', 'http://127.0.0.1:4320', true],
    ['http://[::1]:80', 'http://[::1]', true],
    ['https://auth.example.org/hostauth/', 'https://auth.example.org/hostauth', false],
  ])('accepts %s', (given, url, isLocal) => {
    expect(readUrl(given)).toEqual({ url, isLocal, hostName: 'box' });
  });

  test.each([
    ['http://auth.example.org', 'https'],
    ['http://127.0.0.1.example.org', 'https'],
    ['https://ada:secret@auth.example.org', 'without a user'],
    ['127.0.0.1:4320', 'http://127.0.0.1:4320'],
  ])('refuses %s with one line that names the variable and does not repeat the value', (given, words) => {
    expect(() => readUrl(given)).toThrow(HostSettingsError);
    expect(() => readUrl(given)).toThrow(/^PARLEY_PLATFORM_HOSTAUTH [^\n]+$/);
    expect(() => readUrl(given)).toThrow(words);
    expect(() => readUrl(given)).not.toThrow('secret');
  });

  test('uses the options of the command line before the environment, and names them in errors', () => {
    const environment = {
      PARLEY_PLATFORM_HOSTAUTH: 'http://127.0.0.1:1',
      PARLEY_PLATFORM_HOST_NAME: 'environment',
    };
    expect(readHostSettings(environment, { hostauth: 'http://127.0.0.1:2', hostName: 'Option' })).toEqual({
      url: 'http://127.0.0.1:2',
      isLocal: true,
      hostName: 'option',
    });
    expect(() => readHostSettings({}, { hostauth: 'x' })).toThrow(/^--hostauth takes/);
    expect(() => readHostSettings(environment, { hostName: 'a b' })).toThrow(/^--host-name takes/);
  });

  test('refuses a name of the machine without an address of hostauth', () => {
    expect(() => readUrl('')).toThrow('PARLEY_PLATFORM_HOST_NAME needs PARLEY_PLATFORM_HOSTAUTH');
  });
});

/** Writes a key's file with this mode; resolves with its path. */
async function keyFile(text: string, mode = 0o600): Promise<string> {
  const path = join(await temporaryFolder(), 'key');
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
}

describe('the endpoint', () => {
  const ADDRESS = 'http://127.0.0.1:11434';

  test.each([
    [{}, {}],
    [
      {
        PARLEY_ASSISTANT_MODEL: 'llama3.2:3b',
        PARLEY_ASSISTANT_KEY: 'sk-1',
        PARLEY_ASSISTANT_PROMPT: 'Answer in French.\n',
      },
      { model: 'llama3.2:3b', key: 'sk-1', prompt: 'Answer in French.' },
    ],
    [{ PARLEY_ASSISTANT_FIRST_BYTE_S: '90' }, { firstByteS: 90 }],
  ])('reads the address and %j', (environment, settings) => {
    expect(readEndpointSettings({ PARLEY_ASSISTANT_URL: `${ADDRESS}/v1/`, ...environment })).toEqual({
      url: `${ADDRESS}/v1`,
      model: null,
      key: null,
      prompt: null,
      ...settings,
    });
  });

  const readKey = (PARLEY_ASSISTANT_KEY_FILE: string) => () =>
    readEndpointSettings({ PARLEY_ASSISTANT_URL: ADDRESS, PARLEY_ASSISTANT_KEY_FILE });

  test('reads the key from a file with mode 0600, without its line break', async () => {
    expect(readKey(await keyFile('sk-from-file\n'))()?.key).toBe('sk-from-file');
  });

  test.each([
    [{ PARLEY_ASSISTANT_MODEL: 'm' }, 'PARLEY_ASSISTANT_MODEL needs PARLEY_ASSISTANT_URL'],
    [{ PARLEY_ASSISTANT_URL: 'ollama' }, 'PARLEY_ASSISTANT_URL takes an http or https address'],
    [
      { PARLEY_ASSISTANT_URL: ADDRESS, PARLEY_ASSISTANT_FIRST_BYTE_S: '1.5' },
      'PARLEY_ASSISTANT_FIRST_BYTE_S takes a whole number of seconds from 1 to 99999',
    ],
    [
      { PARLEY_ASSISTANT_URL: ADDRESS, PARLEY_ASSISTANT_KEY: 'k', PARLEY_ASSISTANT_KEY_FILE: '/k' },
      'PARLEY_ASSISTANT_KEY and PARLEY_ASSISTANT_KEY_FILE are both set',
    ],
    [
      { PARLEY_ASSISTANT_URL: ADDRESS, PARLEY_ASSISTANT_KEY_FILE: '/nowhere/key' },
      'PARLEY_ASSISTANT_KEY_FILE cannot be read: there is no such file',
    ],
  ])('refuses %j in one line', (environment, words) => {
    const readAgain = () => readEndpointSettings(environment);
    expect(readAgain).toThrow(words);
    expect(readAgain).toThrow(/^[^\n]+$/);
    expect(readAgain).toThrow(expect.objectContaining({ name: 'EndpointSettingsError' }));
  });

  test.each([0o640, 0o604])('refuses a key file with mode %o, and says how to close it', async (mode) => {
    const PARLEY_ASSISTANT_KEY_FILE = await keyFile('sk-1', mode);
    expect(() => readEndpointSettings({ PARLEY_ASSISTANT_URL: ADDRESS, PARLEY_ASSISTANT_KEY_FILE })).toThrow(
      `run \`chmod 600 ${PARLEY_ASSISTANT_KEY_FILE}\``,
    );
  });

  test('never repeats a key in an error', async () => {
    const PARLEY_ASSISTANT_KEY_FILE = await keyFile('sk-secret in two words');
    for (const key of [{ PARLEY_ASSISTANT_KEY: 'sk-secret in two words' }, { PARLEY_ASSISTANT_KEY_FILE }])
      expect(() => readEndpointSettings({ PARLEY_ASSISTANT_URL: ADDRESS, ...key })).toThrow(
        /^(?!.*sk-secret)/,
      );
  });

  test.each([
    ['http://127.0.0.1:11434', 'http://127.0.0.1:11434/v1'],
    ['http://localhost:1234/v1/', 'http://localhost:1234/v1'],
    ['HTTPS://Example.org/api/v1', 'https://example.org/api/v1'],
    ['https://example.org/v1/chat/completions', 'https://example.org/v1'],
  ])('returns the base ADDRESS of %s', (text, url) => {
    expect(parseEndpointUrl(text)).toBe(url);
  });

  test.each([
    'localhost:11434',
    'ws://127.0.0.1/v1',
    'http://ada:secret@127.0.0.1/v1',
    'http://127.0.0.1/v1?key=secret',
    'http://127.0.0.1/v1#models',
    'http://127.0.0.1:65536',
  ])('returns null for %j', (text) => {
    expect(parseEndpointUrl(text)).toBeNull();
  });
});
