import { expect, test } from 'vitest';
import { FILE_BYTES, OUTGOING_BYTES } from '#shared/limits.ts';
import { fillDisk, testPlatform } from '../testing/testPlatform.ts';

const base64 = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');

test('refuses messages while more than 32 MB wait for a full disk, says so, and keeps the earlier ones', async () => {
  const platform = await testPlatform();
  const account = await platform.register();
  const client = await platform.connect(account);
  const makeRoom = fillDisk();
  const file = { category: 'file', text: 'a.bin', blob: base64(FILE_BYTES - 1) };
  const taken = Math.ceil(OUTGOING_BYTES / JSON.stringify(file).length);
  for (let sent = 0; sent < taken + 2; sent++) client.send(file);
  const { code, reason } = await client.closed;
  expect(code).toBe(1013);
  expect(reason).toMatch(/disk is full .*Make room, then reconnect\.$/);
  expect(platform.logged()).toContain('a message was refused');
  await platform.untilLogged('cannot be written');
  makeRoom();
  platform.clock.advance(1000);
  const again = await platform.connect(account);
  expect(again.conversation().messages.filter(({ modifier }) => modifier === 'client')).toHaveLength(taken);
  again.sendText('after it');
  await again.until(({ newest }) => newest()?.content?.[0]?.text === 'after it');
});
