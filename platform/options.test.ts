import { chmod, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { claimDataFolder } from '#node/claimDataFolder.ts';
import { virtualClock } from '#shared/clock.ts';
import { readAdminCommand, runAdminCommand } from './adminCommand.ts';
import { parseEndpointUrl, readEndpointSettings } from './endpoint/endpointSettings.ts';
import { HostSettingsError, readHostSettings } from './hostSignIn/hostSettings.ts';
import { readOptions } from './options.ts';
import { ADA, postAuth, temporaryFolder, testPlatform } from './testing/testPlatform.ts';

function read(argv: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const written = { out: '', err: '' };
  const options = readOptions(argv, {
    environment,
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
  });
  return { options, ...written };
}

test('contract §1 help: parses the options, returns no port and no folder without arguments, and lists the options for --help with exit 0', () => {
  const limits = { messagesPerMinute: 120, messageBytes: 2e6, wrongPasswords: 5, registrationsPerHour: 200 };
  const options = { port: null, dataDir: null, registration: 'open', host: {}, limits };
  expect(read([])).toEqual({ options, out: '', err: '' });
  const named = ['--port', '0', '--data-dir=here', '--registration', 'owner'];
  const host = { hostauth: 'http://127.0.0.1:4320', hostName: 'box' };
  const all = [...named, '--hostauth', host.hostauth, '--host-name=box'];
  const help = read(['--help']);
  expect(help).toMatchObject({ options: { exitCode: 0 }, err: '' });
  for (const words of ['--port <n>', '--data-dir <dir>', 'PARLEY_ASSISTANT_URL'])
    expect(help.out).toContain(words);
  expect(read(all).options).toEqual({ port: 0, dataDir: 'here', registration: 'owner', host, limits });
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

test('reads the limits of the options, else of the environment; a bad value ends with one line that names the variable', () => {
  const environment = {
    PARLEY_PLATFORM_MESSAGES_PER_MINUTE: '10',
    PARLEY_PLATFORM_WRONG_PASSWORDS: '3',
    PARLEY_PLATFORM_REGISTRATIONS_PER_HOUR: '9',
  };
  const limits = { messagesPerMinute: 7, messageBytes: 5000, wrongPasswords: 3, registrationsPerHour: 9 };
  const argv = ['--messages-per-minute', '7', '--message-bytes', '5000'];
  expect(read(argv, environment).options).toMatchObject({ limits });
  const err = 'PARLEY_PLATFORM_MESSAGE_BYTES takes a whole number, 1000 to 2000000\n';
  const bad = { PARLEY_PLATFORM_MESSAGE_BYTES: 'large' };
  expect(read([], bad)).toEqual({ options: { exitCode: 2 }, out: '', err });
});

test('parses the commands of an administrator, and rejects others with a message', () => {
  expect(readAdminCommand(['accounts'])).toEqual({ name: 'accounts', dataDir: null });
  const revoke = { name: 'revoke', email: 'a@b.c', dataDir: 'x' };
  expect(readAdminCommand(['revoke', 'a@b.c', '--data-dir', 'x'])).toEqual(revoke);
  expect(readAdminCommand(['restore', '--data-dir=x', 'a@b.c'])).toEqual({ ...revoke, name: 'restore' });
  expect(readAdminCommand(['revoke', '--help'])).toBe('help');
  for (const [argv, message] of [
    [['accounts', 'more'], 'accounts takes no argument'],
    [['restore', 'a@b.c', 'd@e.f'], 'restore takes one email'],
    [['accounts', '--data-dir', ''], '--data-dir takes a folder'],
  ] as const)
    expect(readAdminCommand(argv)).toMatchObject({ message: expect.stringContaining(message) });
});

const LISTED =
  /^EMAIL {12}CREATED {15}MESSAGES {2}REVOKED\nada@example\.org {2}\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}1 {9}-\n$/u;

function run(dataDir: string, ...args: string[]): Promise<string> {
  const command = readAdminCommand([...args, '--data-dir', dataDir]);
  if (command === null || command === 'help' || 'message' in command) throw new Error('not a command');
  return runAdminCommand(command, virtualClock());
}

async function startIn(dataDir: string) {
  const { release } = claimDataFolder(dataDir, 'platform');
  onTestFinished(release);
  const platform = await testPlatform(join(dataDir, 'platform.sqlite'), { ownerSecret: 'of-the-owner' });
  return { ...platform, close: () => platform.close().then(release) };
}

const BOB = 'there is no account bob@example.org';

test('lists, revokes and restores the accounts of a file while no platform runs', async () => {
  const dataDir = await temporaryFolder();
  expect(await run(dataDir, 'accounts')).toBe('EMAIL  CREATED  MESSAGES  REVOKED\n');
  const before = await startIn(dataDir);
  await before.register();
  await before.close();
  expect(await run(dataDir, 'accounts')).toMatch(LISTED);
  expect(await run(dataDir, 'revoke', ADA.email)).toBe('ada@example.org is revoked\n');
  expect(await run(dataDir, 'accounts')).toMatch(/\dZ {2}1 {9}\d{4}-.+Z\n$/u);
  const revoked = await startIn(dataDir);
  expect((await postAuth(revoked.apiUrl, { ...ADA, name: '' })).status).toBe(403);
  await revoked.close();
  expect(await run(dataDir, 'restore', 'ADA@example.org')).toBe('ada@example.org is restored\n');
  await expect(run(dataDir, 'revoke', 'bob@example.org')).rejects.toThrow(BOB);
  expect(await readdir(dataDir)).toEqual(['platform.sqlite']);
  // Another program has the folder: its lock has the number and the start time of a process that runs.
  const began = (await readFile('/proc/1/stat', 'utf8')).split(' ').at(-31);
  const lock = { pid: 1, began, secret: 'x', port: null, program: 'platform' };
  await writeFile(join(dataDir, 'instance.json'), JSON.stringify(lock));
  await expect(run(dataDir, 'accounts')).rejects.toThrow(/is in use|already/);
  const owner = { apiUrl: 'http://127.0.0.1:2', secret: 'of-the-owner' };
  await writeFile(join(dataDir, 'platform-owner.json'), JSON.stringify(owner));
  const words = 'the running platform does not answer at http://127.0.0.1:2: restart it';
  await expect(run(dataDir, 'accounts')).rejects.toThrow(words);
  await rm(join(dataDir, 'platform-owner.json'));
  // What cannot be read does not count as missing.
  await mkdir(join(dataDir, 'platform-owner.json'));
  await expect(run(dataDir, 'accounts')).rejects.toThrow('EISDIR');
});

test('does the same in a running platform, at once', async () => {
  const dataDir = await temporaryFolder();
  const platform = await startIn(dataDir);
  const client = await platform.connect(await platform.register());
  expect(await run(dataDir, 'accounts')).toMatch(LISTED);
  expect(await run(dataDir, 'revoke', ADA.email)).toBe('ada@example.org is revoked\n');
  expect(await client.closed).toEqual({ code: 4401, reason: 'unauthorized' });
  expect(await run(dataDir, 'restore', ADA.email)).toBe('ada@example.org is restored\n');
  await expect(run(dataDir, 'revoke', 'bob@example.org')).rejects.toThrow(BOB);
});

const HOST_URL = 'PARLEY_PLATFORM_HOSTAUTH';
const HOST_NAME = 'PARLEY_PLATFORM_HOST_NAME';
const readUrl = (url: string) => readHostSettings({ [HOST_URL]: url, [HOST_NAME]: 'box' });

test.each([
  ['http://127.0.0.1:4320', 'http://127.0.0.1:4320', true],
  ['http://[::1]:80', 'http://[::1]', true],
  ['https://auth.example.org/hostauth/', 'https://auth.example.org/hostauth', false],
])('accepts %s as the address of hostauth', (given, url, isLocal) => {
  expect(readUrl(given)).toEqual({ url, isLocal, hostName: 'box' });
});

test.each([
  ['http://auth.example.org', 'https'],
  ['http://127.0.0.1.example.org', 'https'],
  ['https://ada:secret@auth.example.org', 'without a user'],
  ['127.0.0.1:4320', 'http://127.0.0.1:4320'],
])('refuses %s with one line that names the variable and does not repeat the value', (given, words) => {
  expect(() => readUrl(given)).toThrow(HostSettingsError);
  expect(() => readUrl(given)).toThrow(/^PARLEY_PLATFORM_HOSTAUTH (?!.*secret)[^\n]+$/);
  expect(() => readUrl(given)).toThrow(words);
});

test('uses the options of hostauth before the environment, and names them in errors; a name needs an address', () => {
  const environment = { [HOST_URL]: 'http://127.0.0.1:1', [HOST_NAME]: 'environment' };
  const options = { hostauth: 'http://127.0.0.1:2', hostName: 'Option' };
  const settings = { url: 'http://127.0.0.1:2', isLocal: true, hostName: 'option' };
  expect(readHostSettings(environment, options)).toEqual(settings);
  expect(() => readHostSettings({}, { hostauth: 'x' })).toThrow(/^--hostauth takes/);
  expect(() => readHostSettings(environment, { hostName: 'a b' })).toThrow(/^--host-name takes/);
  expect(() => readUrl('')).toThrow('PARLEY_PLATFORM_HOST_NAME needs PARLEY_PLATFORM_HOSTAUTH');
});

async function keyFile(text: string, mode = 0o600): Promise<string> {
  const path = join(await temporaryFolder(), 'key');
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
}

const ADDRESS = 'http://127.0.0.1:11434';

/** Reads the settings of an endpoint; these are their names after `PARLEY_ASSISTANT_`. */
const readEndpoint = (settings: Readonly<Record<string, string>>) =>
  readEndpointSettings(
    Object.fromEntries(Object.entries(settings).map(([name, value]) => [`PARLEY_ASSISTANT_${name}`, value])),
  );

test('reads the address of the endpoint and what is set besides', () => {
  const readWith = (set: Readonly<Record<string, string>>) => readEndpoint({ URL: `${ADDRESS}/v1/`, ...set });
  const settings = { url: `${ADDRESS}/v1`, model: null, key: null, prompt: null };
  expect(readWith({})).toEqual(settings);
  expect(readWith({ FIRST_BYTE_S: '90' })).toEqual({ ...settings, firstByteS: 90 });
  const set = { MODEL: 'm:3b', KEY: 'sk-1', PROMPT: 'Hi.\n' };
  expect(readWith(set)).toEqual({ ...settings, model: 'm:3b', key: 'sk-1', prompt: 'Hi.' });
});

const readKey = (path: string) => readEndpoint({ URL: ADDRESS, KEY_FILE: path });

test('reads the key from a file with mode 0600, without its line break; refuses one that others can read, and says how to close it', async () => {
  expect(readKey(await keyFile('sk-from-file\n'))?.key).toBe('sk-from-file');
  for (const mode of [0o640, 0o604]) {
    const path = await keyFile('sk-1', mode);
    expect(() => readKey(path)).toThrow(`run \`chmod 600 ${path}\``);
  }
});

test.each([
  [{ MODEL: 'm' }, 'MODEL needs PARLEY_ASSISTANT_URL'],
  [{ URL: 'ollama' }, 'URL takes an http or https address'],
  [{ URL: ADDRESS, FIRST_BYTE_S: '1.5' }, 'FIRST_BYTE_S takes a whole number of seconds from 1 to 99999'],
  [{ URL: ADDRESS, KEY: 'k', KEY_FILE: '/k' }, 'KEY and PARLEY_ASSISTANT_KEY_FILE are both set'],
  [{ URL: ADDRESS, KEY_FILE: '/' }, 'KEY_FILE names /, which is not a file'],
  [{ URL: ADDRESS, KEY_FILE: '/nowhere/key' }, 'KEY_FILE cannot be read: there is no such file'],
])('refuses %j in one line', (settings, words) => {
  expect(() => readEndpoint(settings)).toThrow(`PARLEY_ASSISTANT_${words}`);
  const message = expect.stringMatching(/^[^\n]+$/);
  const error = expect.objectContaining({ name: 'EndpointSettingsError', message });
  expect(() => readEndpoint(settings)).toThrow(error);
});

test('never repeats a key in an error', async () => {
  const KEY = 'sk-secret in two words';
  for (const set of [{ KEY }, { KEY_FILE: await keyFile(KEY) }])
    expect(() => readEndpoint({ URL: ADDRESS, ...set })).toThrow(/^(?!.*sk-secret)/);
});

test.each([
  ['http://127.0.0.1:11434', 'http://127.0.0.1:11434/v1'],
  ['http://localhost:1234/v1/', 'http://localhost:1234/v1'],
  ['HTTPS://Example.org/api/v1', 'https://example.org/api/v1'],
  ['https://example.org/v1/chat/completions', 'https://example.org/v1'],
  ['https://example.org/v1/models/', 'https://example.org/v1'],
  ['localhost:11434', null],
  ['ws://127.0.0.1/v1', null],
  ['http://ada:secret@127.0.0.1/v1', null],
  ['http://127.0.0.1/v1?key=secret', null],
  ['http://127.0.0.1/v1#models', null],
  ['http://127.0.0.1:65536', null],
])('the base address of %j is %j', (text, url) => {
  expect(parseEndpointUrl(text)).toBe(url);
});
