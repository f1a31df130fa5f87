import { readFile, writeFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { DamagedFileError } from '../storage/platformFile.ts';
import { PlatformDatabase } from '../storage/platformDatabase.ts';
import { postAuth } from '../testing/testPlatform.ts';
import { ADA, testPlatform } from '../testing/testPlatform.ts';

const SIGN_IN = { ...ADA, name: '' };

test('says at a sign-in that the file was damaged and renamed, the same for every email', async () => {
  const before = await testPlatform();
  await before.register();
  await before.close();
  const bytes = await readFile(before.dataFile);
  await writeFile(before.dataFile, bytes.fill(0xff, 4096, 3 * 4096));
  const { apiUrl, register } = await testPlatform(before.dataFile);
  const body =
    'Wrong email or password. The platform’s file was damaged: it is kept as platform.sqlite.corrupt-1, and its accounts must register again.';
  expect(await postAuth(apiUrl, SIGN_IN)).toMatchObject({ status: 401, body });
  expect(await postAuth(apiUrl, { ...SIGN_IN, email: 'bob@example.org' })).toMatchObject({ body });
  expect(await register()).toMatch(/^[\w-]{32}$/);
});

test('answers a sign-in and a socket in words while the file is damaged, and continues', async () => {
  const platform = await testPlatform();
  const account = await platform.register();
  const client = await platform.connect(account);
  const reading = vi.spyOn(PlatformDatabase.prototype, 'read').mockImplementation(() => {
    throw new DamagedFileError();
  });
  const words = 'The platform’s file is damaged. Start Parley again: it keeps the file and begins a new one.';
  expect(await postAuth(platform.apiUrl, SIGN_IN)).toMatchObject({ status: 503, body: words });
  const other = await platform.connect('another');
  expect(await other.closed).toEqual({ code: 1013, reason: words });
  reading.mockRestore();
  client.sendText('hello');
  await client.until(({ newest }) => newest()?.modifier === 'client');
});
