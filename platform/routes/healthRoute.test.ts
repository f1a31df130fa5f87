import { expect, test } from 'vitest';
import { fillDisk } from '../testing/fillDisk.ts';
import { request } from '../testing/request.ts';
import { testPlatform } from '../testing/testPlatform.ts';

const OK = { status: 200, body: '{"status":"ok"}' };
const FULL = { status: 503, body: '{"status":"The disk cannot be written."}' };

test('answers 200 before the first account, and with one', async () => {
  const platform = await testPlatform();
  const health = () => request(`${platform.apiUrl}/healthz`);
  expect(await health()).toMatchObject(OK);
  await platform.register();
  platform.clock.advance(1000);
  expect(await health()).toMatchObject(OK);
});

test('answers 503 while the disk cannot be written, although no message arrives, and checks once a second', async () => {
  const platform = await testPlatform();
  const health = () => request(`${platform.apiUrl}/healthz`);
  await platform.register();
  const makeRoom = fillDisk();
  expect(await health()).toMatchObject(FULL);
  platform.clock.advance(1000);
  expect(await health()).toMatchObject(FULL);
  makeRoom();
  expect(await health()).toMatchObject(FULL);
  platform.clock.advance(1000);
  expect(await health()).toMatchObject(OK);
});

test.each(['healthz', 'metrics'])('refuses /%s to a web page and on another Host', async (path) => {
  const { apiUrl } = await testPlatform();
  const url = `${apiUrl}/${path}`;
  expect((await request(url, { headers: { origin: 'https://example.org' } })).status).toBe(403);
  expect((await request(url, { headers: { host: 'rebound.example.org' } })).status).toBe(403);
});

test('takes no socket on the names of these calls', async () => {
  const platform = await testPlatform();
  for (const path of ['healthz', 'metrics']) expect((await platform.connect(path)).updates()).toEqual([]);
});
