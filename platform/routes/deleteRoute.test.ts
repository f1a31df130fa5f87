import { readdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { postAuth, request } from '../testing/request.ts';
import { ADA, testPlatform } from '../testing/testPlatform.ts';

const OWNER = { ownerSecret: 'of-the-owner' };
const deleteAll = (apiUrl: string, secret: string) =>
  request(`${apiUrl}/accounts`, { method: 'DELETE', headers: { authorization: `Bearer ${secret}` } });

test('deletes every account, the file and its copies, and signs the clients out', async () => {
  const platform = await testPlatform(undefined, OWNER);
  const client = await platform.connect(await platform.register());
  client.sendText('the engine');
  await client.until(({ updates }) => updates().length > 1);
  await writeFile(`${platform.dataFile}.corrupt-1`, 'Ada Lovelace');
  expect(await deleteAll(platform.apiUrl, OWNER.ownerSecret)).toMatchObject({ status: 204 });
  expect(await client.closed).toEqual({ code: 4401, reason: 'unauthorized' });
  // An unfinished answer would continue now.
  platform.clock.advance(60_000);
  await platform.close();
  expect(await readdir(dirname(platform.dataFile))).toEqual([]);
});

test('lets the same email register again, without the old conversation', async () => {
  const platform = await testPlatform(undefined, OWNER);
  const before = await platform.register();
  await deleteAll(platform.apiUrl, OWNER.ownerSecret);
  expect(await postAuth(platform.apiUrl, { ...ADA, name: '' })).toMatchObject({ status: 401 });
  const client = await platform.connect(await platform.register({ name: 'Augusta King' }));
  expect(client.conversation()).toMatchObject({ person: 'Augusta King', messages: [{ modifier: 'ai' }] });
  const refused = await platform.connect(before);
  expect(await refused.closed).toMatchObject({ reason: 'unauthorized' });
});

test.each(['', 'of-the-other', 'of-the-owner-too'])(
  'refuses the wrong secret %j and deletes nothing',
  async (secret) => {
    const platform = await testPlatform(undefined, OWNER);
    await platform.register();
    expect(await deleteAll(platform.apiUrl, secret)).toMatchObject({ status: 403 });
    expect(await postAuth(platform.apiUrl, { ...ADA, name: '' })).toMatchObject({ status: 200 });
  },
);

test('has no such route on a platform without an owner', async () => {
  const platform = await testPlatform();
  expect(await deleteAll(platform.apiUrl, '')).toMatchObject({ status: 404 });
});
