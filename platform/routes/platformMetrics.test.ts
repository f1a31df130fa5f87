import { expect, test, vi } from 'vitest';
import { POLLING } from '#tests/builders/polling.ts';
import { postAuth, request } from '../testing/testPlatform.ts';
import { ADA, testPlatform } from '../testing/testPlatform.ts';
import { createPlatformMetrics, frameKind } from './platformMetrics.ts';

test('shows what was counted in the format of Prometheus', async () => {
  const metrics = createPlatformMetrics();
  metrics.showAccounts(() => 3);
  metrics.socketOpened();
  metrics.socketOpened();
  metrics.socketClosed();
  metrics.messageReceived('text');
  metrics.messageIgnored('binary');
  metrics.frameSent(JSON.stringify({ id: 'm1', modifier: 'ai', content: [], context: '', avatar: '' }));
  metrics.signedIn();
  for (const status of [401, 422, 503]) metrics.signInRefused(status);
  metrics.committed(4);
  metrics.answered({
    outcome: 'complete',
    durationMs: 3000,
    firstTokenMs: 400,
    promptTokens: 100,
    answerTokens: 20,
  });
  const lines = (await metrics.registry.metrics())
    .split('\n')
    .map((line) => line.replace('parley_platform_', ''));
  for (const line of [
    'accounts 3',
    'sockets 1',
    'messages_received_total{category="text"} 1',
    'messages_ignored_total{fault="binary"} 1',
    'updates_sent_total{kind="message"} 1',
    'sign_ins_total 1',
    'sign_ins_refused_total{reason="credentials"} 1',
    'sign_ins_refused_total{reason="form"} 1',
    'sign_ins_refused_total{reason="unavailable"} 1',
    'commit_seconds_bucket{le="0.005"} 1',
    'answers_total{outcome="complete"} 1',
    'answer_first_token_seconds_bucket{le="0.5"} 1',
    'answer_seconds_sum 3',
    'tokens_total{kind="prompt"} 100',
    'tokens_total{kind="answer"} 20',
  ])
    expect(lines).toContain(line);
});

test('counts an answer without a first part in no histogram of first parts', async () => {
  const metrics = createPlatformMetrics();
  const none = { firstTokenMs: null, promptTokens: null, answerTokens: null };
  metrics.answered({ outcome: 'refused', durationMs: 20, ...none });
  const text = await metrics.registry.metrics();
  expect(text).toContain('parley_platform_answers_total{outcome="refused"} 1');
  expect(text).toContain('parley_platform_answer_first_token_seconds_count 0');
});

test.each([
  [{ person: 'Ada', messages: [] }, 'snapshot'],
  [{ name: 'Ada' }, 'name'],
  [{ id: 'm1', modifier: 'ai' }, 'message'],
  [{ category: 'html', html: '{"person":1}' }, 'content'],
  [{ context: 'Parley' }, 'context'],
  [{ text: '{"name":1}' }, 'text'],
  [{ notify: true }, 'notification'],
])('spec §6.1: recognises %j as a %s', (frame, kind) => {
  expect(frameKind(JSON.stringify(frame))).toBe(kind);
});

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
