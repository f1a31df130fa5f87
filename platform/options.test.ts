import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { claimDataFolder } from '#node/claimDataFolder.ts';
import { virtualClock } from '#shared/clock.ts';
import { readAdminCommand, runAdminCommand } from './adminCommand.ts';
import { ADA, fillDisk, postAuth, temporaryFolder, testPlatform } from './testing/testPlatform.ts';

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

const NONE = 'EMAIL  CREATED  MESSAGES  REVOKED\n';
const BOB = 'there is no account bob@example.org';

test('lists, revokes and restores the accounts of a file while no platform runs', async () => {
  const dataDir = await temporaryFolder();
  // Half of a file, as a full disk leaves it.
  await writeFile(join(dataDir, 'platform-owner.json'), '{');
  expect(await run(dataDir, 'accounts')).toBe(NONE);
  const before = await startIn(dataDir);
  await before.register();
  await before.close();
  expect(await run(dataDir, 'accounts')).toMatch(LISTED);
  const free = fillDisk();
  const full = 'the file cannot be written: make room on the disk';
  await expect(run(dataDir, 'revoke', ADA.email)).rejects.toThrow(full);
  free();
  expect(await run(dataDir, 'revoke', ADA.email)).toBe('ada@example.org is revoked\n');
  expect(await run(dataDir, 'accounts')).toMatch(/\dZ {2}1 {9}\d{4}-.+Z\n$/u);
  const revoked = await startIn(dataDir);
  expect((await postAuth(revoked.apiUrl, { ...ADA, name: '' })).status).toBe(403);
  const killed = await temporaryFolder();
  const another = { apiUrl: revoked.apiUrl, secret: 'of-another' };
  await writeFile(join(killed, 'platform-owner.json'), JSON.stringify(another));
  expect(await run(killed, 'accounts')).toBe(NONE);
  await revoked.close();
  expect(await run(dataDir, 'restore', 'ADA@example.org')).toBe('ada@example.org is restored\n');
  await expect(run(dataDir, 'revoke', 'bob@example.org')).rejects.toThrow(BOB);
  expect(await readdir(dataDir)).toEqual(['platform.sqlite']);
  // Another program has the folder: its lock has the number and the start time of a process that runs.
  const began = (await readFile('/proc/1/stat', 'utf8')).split(' ').at(-31);
  const lock = { pid: 1, began, secret: 'x', port: null, program: 'platform' };
  await writeFile(join(dataDir, 'instance.json'), JSON.stringify(lock));
  await expect(run(dataDir, 'accounts')).rejects.toThrow('is in use by `npm run platform` (process 1)');
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
  const makeRoom = fillDisk();
  await expect(run(dataDir, 'revoke', ADA.email)).rejects.toThrow(/^the running platform refused: \S+/);
  makeRoom();
  process.listeners('exit').at(-1)?.(0);
  expect(await readdir(dataDir)).toEqual(['instance.json', 'platform.sqlite']);
});
