import { chmod, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { claimDataFolder } from '#node/claimDataFolder.ts';
import { virtualClock } from '#shared/clock.ts';
import { readAdminCommand, runAdminCommand } from './adminCommand.ts';
import { EndpointSettingsError, readEndpointSettings } from './endpoint/endpointSettings.ts';
import { HostSettingsError, readHostSettings } from './hostSignIn/hostSettings.ts';
import { readOptions } from './options.ts';
import { ADA, fillDisk, postAuth, temporaryFolder, testPlatform } from './testing/testPlatform.ts';

/** Returns what the platform does with this command line and environment, or why it does not start. */
function settingsOf(argv: readonly string[], environment: Readonly<Record<string, string>>): string {
  const command = readAdminCommand(argv);
  if (command !== null) return JSON.stringify(command);
  let written = '';
  const write = (text: string) => void (written += text);
  const options = readOptions(argv, { environment, out: write, err: write });
  if ('exitCode' in options) return `${written}exit ${options.exitCode}`;
  try {
    const host = readHostSettings(environment, options.host);
    return JSON.stringify([options, host, readEndpointSettings(environment)]);
  } catch (error) {
    return `${error instanceof HostSettingsError || error instanceof EndpointSettingsError ? '' : 'not ours: '}${String(error)}`;
  }
}

test('contract §1 help: reads the settings of the command line, else of the environment, and says in one line what is wrong', async () => {
  const lines: string[] = [];
  const file = await readFile(join(import.meta.dirname, 'testing/settings.txt'), 'utf8');
  // Each line is a command line after its variables; the indented lines say what follows from it.
  for (const line of file.trimEnd().split(/\n(?: .*\n)*(?! )/)) {
    const words = [...line.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([word]) => word.replaceAll('"', ''));
    const [variables, argv] = [
      words.filter((word) => /^PARLEY_/.test(word)),
      words.filter((word) => !/^PARLEY_/.test(word)),
    ];
    const environment = Object.fromEntries(
      variables.map((word) => /([^=]*)=([^]*)/.exec(word)?.slice(1) ?? []),
    );
    const said = settingsOf(argv.slice(1), environment);
    lines.push(line, ...said.split('\n').map((one) => `  ${one}`));
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('testing/settings.txt');
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
  const owner = join(dataDir, 'platform-owner.json');
  const { apiUrl } = platform;
  expect(JSON.parse(await readFile(owner, 'utf8'))).toEqual({ apiUrl, secret: 'of-the-owner' });
  expect((await stat(owner)).mode & 0o777).toBe(0o600);
  const makeRoom = fillDisk();
  await expect(run(dataDir, 'revoke', ADA.email)).rejects.toThrow(/^the running platform refused: \S+/);
  makeRoom();
  process.listeners('exit').at(-1)?.(0);
  expect(await readdir(dataDir)).toEqual(['instance.json', 'platform.sqlite']);
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

const readKey = (path: string) => readEndpoint({ URL: ADDRESS, KEY_FILE: path });

test('reads the key from a file with mode 0600, without its line break; refuses one that others can read, and says how to close it', async () => {
  expect(readKey(await keyFile('sk-from-file\n'))?.key).toBe('sk-from-file');
  for (const mode of [0o640, 0o604]) {
    const path = await keyFile('sk-1', mode);
    expect(() => readKey(path)).toThrow(`run \`chmod 600 ${path}\``);
  }
});

test.each([
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
