import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import pino from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CAN_MOUNT, smallDisk } from '#tests/builders/smallDisk.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { REPLY_MS } from './assistant/demonstration.ts';
import { ListenError, PLATFORM_PORT, startPlatform } from './startPlatform.ts';
import { readStoredPlatform } from './testing/readStoredPlatform.ts';
import { postAuth } from './testing/testPlatform.ts';
import { ADA, temporaryFolder, testPlatform } from './testing/testPlatform.ts';

const logger = pino({ level: 'silent' });
const dataFile = async () => `${await temporaryFolder()}/platform.sqlite`;

test('uses the loopback address by number for both addresses', async () => {
  const { port, apiUrl, platformUrl } = await testPlatform();
  expect({ apiUrl, platformUrl }).toEqual({
    apiUrl: `http://127.0.0.1:${port}`,
    platformUrl: `ws://127.0.0.1:${port}`,
  });
});

test('takes the next free port when no port is named and the default one is taken', async () => {
  const blocker = createServer();
  blocker.on('error', () => undefined);
  onTestFinished(() => void blocker.close());
  // This test takes the port, unless another program has it already.
  blocker.listen(PLATFORM_PORT, '127.0.0.1');
  await Promise.race([once(blocker, 'listening'), once(blocker, 'error')]).catch(() => undefined);
  const { port, close } = await startPlatform({ dataFile: await dataFile(), logger });
  onTestFinished(close);
  expect(port).toBeGreaterThan(PLATFORM_PORT);
  expect(port).toBeLessThan(PLATFORM_PORT + 100);
});

test('rejects with an error that names the port when the named port is taken', async () => {
  const { port } = await testPlatform();
  const starting = startPlatform({ dataFile: await dataFile(), port, logger });
  await expect(starting).rejects.toThrow(ListenError);
  await expect(starting).rejects.toThrow(`port ${port} is taken`);
});

test('closes every socket with 1001 and without a reason at its end, so that clients reconnect', async () => {
  const platform = await testPlatform();
  const client = await platform.connect(await platform.register());
  await platform.close();
  expect(await client.closed).toEqual({ code: 1001, reason: '' });
});

test('terminates the connection of a peer that does not answer the close within a second', async () => {
  const platform = await testPlatform();
  const client = await platform.connect(await platform.register());
  client.socket.pause();
  const closing = platform.close();
  await vi.waitUntil(() => platform.clock.nextDue() === 1000, POLLING);
  platform.clock.advance(1000);
  await expect(closing).resolves.toBeUndefined();
});

test('keeps accounts and conversations after a restart', async () => {
  const before = await testPlatform();
  const account = await before.register();
  const client = await before.connect(account);
  client.sendText('remember this');
  await client.until(({ newest }) => newest()?.modifier === 'client');
  before.clock.advance(REPLY_MS);
  await client.until(({ newest }) => newest()?.modifier === 'ai');
  await before.close();

  const after = await testPlatform(before.dataFile);
  expect((await postAuth(after.apiUrl, { ...ADA, name: '' })).body).toBe(account);
  const again = await after.connect(account);
  expect(again.conversation()).toEqual(client.conversation());
});

test('stores the complete answer when it ends during one', async () => {
  const before = await testPlatform();
  const account = await before.register();
  const client = await before.connect(account);
  client.sendText('stream');
  await client.until(({ newest }) => newest()?.modifier === 'client');
  await before.close();
  const again = await (await testPlatform(before.dataFile)).connect(account);
  expect(again.newest()).toMatchObject({ context: 'Parley', content: [{}, {}] });
});

test('stores and sends all messages of a long conversation', async () => {
  const platform = await testPlatform();
  const account = await platform.register();
  const client = await platform.connect(account);
  client.sendText('many 500');
  await client.until(({ newest }) => newest()?.modifier === 'client');
  platform.clock.advance(REPLY_MS);
  await client.until(({ updates }) => updates().length === 502);
  expect((await platform.connect(account)).conversation()).toEqual(client.conversation());
  await platform.close();
  expect(readStoredPlatform(platform.dataFile)[0]?.messages).toEqual(client.conversation().messages);
});

test('quarantines a corrupt file and starts with an empty one', async () => {
  const path = await dataFile();
  await writeFile(path, 'not ours');
  const platform = await testPlatform(path);
  expect(await platform.register()).toMatch(/^[\w-]{32}$/);
  expect(await readFile(`${path}.corrupt-1`, 'utf8')).toBe('not ours');
  expect(platform.logged()).toContain('corrupt');
});

test('stores no password', async () => {
  const platform = await testPlatform();
  await platform.register();
  await platform.close();
  expect(await readFile(platform.dataFile, 'utf8')).not.toContain(ADA.password);
});

test.skipIf(!CAN_MOUNT)(
  'starts on a full disk, says so, shows what is stored, and stores again when there is room (skipped where no disk can be mounted)',
  async () => {
    const { path, fill, free } = smallDisk(1024);
    const file = `${path}/platform.sqlite`;
    const before = await testPlatform(file, { ownerSecret: 'of-the-owner' });
    const account = await before.register();
    await before.close();
    fill();
    const platform = await testPlatform(file, { ownerSecret: 'of-the-owner' });
    await vi.waitUntil(() => platform.clock.nextDue() !== undefined, POLLING);
    expect(platform.logged()).toContain('owner file cannot be written');
    expect(platform.logged()).toContain('messages cannot be written');
    expect((await postAuth(platform.apiUrl, { ...ADA, name: '' })).body).toBe(account);
    const client = await platform.connect(account);
    const modifiers = () => client.conversation().messages.map(({ modifier }) => modifier);
    expect(modifiers()).toEqual(['admin', 'admin']);
    expect(client.newest()?.content?.[0]?.text).toMatch(/^Messages cannot be stored now: the disk is full/);
    client.sendText('kept in memory');
    free();
    platform.clock.advance(1000);
    await client.until(({ newest }) => newest()?.modifier === 'client');
    expect(modifiers()).toEqual(['admin', 'client']);
  },
);
