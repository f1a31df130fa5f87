import { expect, test, vi } from 'vitest';
import { POLLING } from '#tests/builders/polling.ts';
import { postAuth, request } from '../testing/request.ts';
import { ADA, testPlatform } from '../testing/testPlatform.ts';

test('shows accounts, sockets, messages, updates, sign-ins and commits, without identifiers and texts', async () => {
  const platform = await testPlatform();
  const metrics = () => request(`${platform.apiUrl}/metrics`);
  const account = await platform.register();
  await postAuth(platform.apiUrl, { ...ADA, password: 'engine1844!', name: '' });
  const [client, other] = [await platform.connect(account), await platform.connect(account)];
  client.socket.send('not a message');
  client.sendText('my secret');
  await client.until(({ newest }) => newest()?.modifier === 'client');
  other.socket.terminate();
  await vi.waitFor(async () => expect((await metrics()).body).toContain('platform_sockets 1'), POLLING);
  const { type, body } = await metrics();
  expect(type).toMatch(/^text\/plain; version=/);
  for (const line of [
    'accounts 1',
    'sockets 1',
    'messages_received_total{category="text"} 1',
    'messages_ignored_total{fault="malformed"} 1',
    'updates_sent_total{kind="snapshot"} 2',
    'updates_sent_total{kind="message"} 2',
    'sign_ins_total 1',
    'sign_ins_refused_total{reason="credentials"} 1',
  ])
    expect(body).toContain(`\nparley_platform_${line}\n`);
  expect(body).toMatch(/\nparley_platform_commit_seconds_count [1-9]/);
  for (const secret of [account, 'secret', 'ada', 'Ada']) expect(body).not.toContain(secret);
});
