import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { claimDataFolder } from '#node/claimDataFolder.ts';
import { virtualClock } from '#shared/clock.ts';
import { readAdminCommand, runAdminCommand } from './adminCommand.ts';
import { postAuth, ADA, temporaryFolder, testPlatform } from './testing/testPlatform.ts';

const LISTED =
  /^EMAIL {12}CREATED {15}MESSAGES {2}REVOKED\nada@example\.org {2}\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}1 {9}-\n$/u;

function run(dataDir: string, ...args: string[]): Promise<string> {
  const command = readAdminCommand([...args, '--data-dir', dataDir]);
  if (command === null || command === 'help' || 'message' in command) throw new Error('not a command');
  return runAdminCommand(command, virtualClock());
}

/** Starts a platform in a folder, which it owns as a program does. */
async function startIn(dataDir: string) {
  const { release } = claimDataFolder(dataDir, 'platform');
  onTestFinished(release);
  const platform = await testPlatform(join(dataDir, 'platform.sqlite'), { ownerSecret: 'of-the-owner' });
  return { ...platform, close: () => platform.close().then(release) };
}

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
  await expect(run(dataDir, 'revoke', 'bob@example.org')).rejects.toThrow(
    'there is no account bob@example.org',
  );
});

test('does the same in a running platform, at once', async () => {
  const dataDir = await temporaryFolder();
  const platform = await startIn(dataDir);
  const client = await platform.connect(await platform.register());
  expect(await run(dataDir, 'accounts')).toMatch(LISTED);
  expect(await run(dataDir, 'revoke', ADA.email)).toBe('ada@example.org is revoked\n');
  expect(await client.closed).toEqual({ code: 4401, reason: 'unauthorized' });
  expect(await run(dataDir, 'restore', ADA.email)).toBe('ada@example.org is restored\n');
  await expect(run(dataDir, 'revoke', 'bob@example.org')).rejects.toThrow(
    'there is no account bob@example.org',
  );
});
