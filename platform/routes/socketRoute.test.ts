import { expect, onTestFinished, test, vi } from 'vitest';
import { FILE_BYTES, TEXT_LENGTH } from '#shared/limits.ts';
import type { Message } from '#shared/protocol/update.ts';
import { type PlatformLimits, readPlatformLimits } from './platformLimits.ts';
import { createPlatformMetrics } from './platformMetrics.ts';
import { WriteQueue } from '../storage/writeQueue.ts';
import { postAuth, ADA, testPlatform, request } from '../testing/testPlatform.ts';

const textOf = (message: Message | undefined) => message?.content?.[0]?.text;
const base64 = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');

test('sends messages back as the person’s; logs and ignores frames that are none, without their text; closes with 1009 and without a reason on a frame over 2 MB, so that the client reconnects', async () => {
  const platform = await testPlatform();
  const client = await platform.connect(await platform.register());
  expect(client.newest()).toHaveProperty('time');
  expect(textOf(client.newest())).toMatch(/^Hello, Ada Lovelace\./);
  for (const outgoing of [
    { category: 'audio', text: null, blob: base64(300) },
    { category: 'file', text: 'a.txt', blob: base64(FILE_BYTES - 1) },
  ]) {
    client.send(outgoing);
    await client.until(({ newest }) => newest()?.content?.[0]?.category === outgoing.category);
    expect(client.newest()).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      modifier: 'client',
      content: [{ ...outgoing, html: null }],
      context: 'Ada Lovelace',
      avatar: '',
      seen: true,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  }
  for (const frame of [
    '{',
    '{"category":"file","text":"secret","blob":"?"}',
    JSON.stringify({ category: 'text', text: 'a'.repeat(TEXT_LENGTH), blob: null }),
    JSON.stringify({ category: 'file', text: 'secret', blob: base64(FILE_BYTES) }),
    Buffer.from('{"category":"text","text":"secret","blob":null}'),
  ])
    client.socket.send(frame);
  client.sendText('after them');
  await client.until(({ newest }) => textOf(newest()) === 'after them');
  expect(client.conversation().messages.filter(({ modifier }) => modifier === 'client')).toHaveLength(3);
  const faults = ['malformed', 'malformed', 'text too long', 'file too large', 'binary'];
  expect(platform.logged().match(/(?<="fault":")[^"]+/g)).toEqual(faults);
  expect(platform.logged()).not.toMatch(/secret|aaaa/);
  client.sendText('a'.repeat(2_000_001));
  expect(await client.closed).toEqual({ code: 1009, reason: '' });
  expect(platform.logged()).toMatch(/"level":40,"code":"WS_ERR_\w+","msg":"a socket failed"/);
});

test('closes the socket with 1013 and the reason on a message for which the full disk leaves no room, and continues when there is room', async () => {
  const platform = await testPlatform();
  const account = await platform.register();
  const refusal = vi.spyOn(WriteQueue.prototype, 'refusal');
  onTestFinished(() => refusal.mockRestore());
  for (const [why, words] of [
    ['full', 'disk is full and your message was not kept. Make room, then reconnect.'],
    ['removed', 'file was removed and your message was not kept. Restart the platform.'],
  ] as const) {
    refusal.mockReturnValue(why);
    const client = await platform.connect(account);
    for (const sent of ['too', 'much']) client.sendText(sent);
    expect(await client.closed).toEqual({ code: 1013, reason: `The platform’s ${words}` });
    expect(platform.logged()).toContain(
      `"refusal":"${why}","msg":"a message was refused: it cannot be kept"}`,
    );
    const { body } = await request(`${platform.apiUrl}/metrics`);
    expect(body).toContain(`ignored_total{fault="${why}"} 1\n`);
  }
  refusal.mockRestore();
  const again = await platform.connect(account);
  again.sendText('drop');
  await again.until(({ newest }) => textOf(newest()) === 'drop');
  platform.clock.advance(1900);
  expect(await again.closed).toEqual({ code: 1006, reason: '' });
});

const start = async (limits: Partial<PlatformLimits>) => {
  const platform = await testPlatform(undefined, { limits: { ...readPlatformLimits({}), ...limits } });
  const account = await platform.register();
  return { platform, account, client: await platform.connect(account) };
};

const isRefusal = (message: Message | undefined) =>
  message?.modifier === 'admin' && textOf(message)?.includes('not kept') === true;

test('refuses a message over the limit of a minute of an account, over all its sockets, in words that contain it, and takes the next one in time', async () => {
  const { platform, account, client } = await start({ messagesPerMinute: 2 });
  for (const words of ['one', 'two', 'three']) client.sendText(words);
  await client.until(({ newest }) => isRefusal(newest()));
  const limit = 'You can send 2 messages a minute, and this one was not kept. Try again in 60 seconds.';
  expect(textOf(client.newest())).toBe(`${limit} You wrote: three`);
  const second = await platform.connect(account);
  // Of a second that has begun, the rest counts as one.
  platform.clock.advance(100);
  second.sendText('four');
  await second.until(({ newest }) => textOf(newest()) === `${limit} You wrote: four`);
  const other = await platform.connect(await platform.register({ email: 'bob@example.org' }));
  other.sendText('one');
  await other.until(({ newest }) => newest()?.modifier === 'client');
  platform.clock.advance(60_000);
  client.sendText('three');
  await client.until(({ newest }) => newest()?.modifier === 'client');
  expect(textOf(client.newest())).toBe('three');
});

test('closes a socket that sends on after five refusals in a row, with the reason, and no other', async () => {
  const { platform, account, client } = await start({ messagesPerMinute: 1 });
  const refusals = () => client.conversation().messages.filter(isRefusal).length;
  for (let minute = 1; minute <= 3; minute++) {
    for (let sent = 0; sent < 4; sent++) client.sendText(`${minute}.${sent}`);
    await client.until(() => refusals() === 3 * minute);
    platform.clock.advance(60_000);
  }
  for (let sent = 0; sent < 8; sent++) client.sendText(`${sent}`);
  const reason = 'You can send 1 message a minute, and this one was not kept. Try again in 60 seconds.';
  expect(await client.closed).toEqual({ code: 1013, reason });
  expect((await platform.connect(account)).conversation().messages.filter(isRefusal)).toHaveLength(9 + 5);
});

test('refuses a message over the limit of bytes, with its size and the name of its file', async () => {
  const { platform, client } = await start({ messageBytes: 1243 });
  client.send({ category: 'file', text: 'b.bi', blob: 'AAAA'.repeat(300) });
  await client.until(({ newest }) => textOf(newest()) === 'b.bi');
  client.send({ category: 'file', text: 'a.bin', blob: 'AAAA'.repeat(300) });
  await client.until(({ newest }) => isRefusal(newest()));
  expect(textOf(client.newest())).toBe(
    'A message has at most 1243 bytes here, and yours had 1244. It was not kept. Send a smaller one. It was the file a.bin.',
  );
  client.send({ category: 'audio', text: null, blob: 'AAAA'.repeat(301) });
  await client.until(({ newest }) => textOf(newest())?.endsWith('It was a voice message.') === true);
  const line =
    '{"level":40,"connection":1,"refusals":1,"bytes":1244,"msg":"a message was refused: it exceeds a limit"}';
  expect(platform.logged()).toContain(line);
  expect((await request(`${platform.apiUrl}/metrics`)).body).toContain('ignored_total{fault="limit"} 2\n');
  expect(platform.logged()).not.toContain('a.bin');
});

test('spec §6.1: the metrics count each kind of frame, and answers and their tokens; one without a first part is in no histogram of first parts', async () => {
  const metrics = createPlatformMetrics();
  const figures = { durationMs: 3000, firstTokenMs: 400, promptTokens: 100, answerTokens: 20 };
  metrics.answered({ outcome: 'complete', ...figures });
  const none = { firstTokenMs: null, promptTokens: null, answerTokens: null };
  metrics.answered({ outcome: 'refused', durationMs: 20, ...none });
  for (const status of [400, 401, 422, 502, 503, 403, 409, 429, 500]) metrics.signInRefused(status);
  metrics.committed(4);
  for (const field of ['person', 'name', 'id', 'context', 'category', 'text', 'notify'])
    metrics.frameSent(`{"${field}":"{\\"name\\":1}"}`);
  await expect(await metrics.registry.metrics()).toMatchFileSnapshot('testing/metrics.txt');
});

test('the metrics show accounts, sockets, messages, updates, sign-ins and commits; neither they nor the log have identifiers and texts', async () => {
  const platform = await testPlatform();
  platform.clock.advance(1000);
  const account = await platform.register();
  await postAuth(platform.apiUrl, { ...ADA, password: 'engine1844!', name: '' });
  await postAuth(platform.apiUrl, {});
  await postAuth(platform.apiUrl, ADA);
  await request(`${platform.apiUrl}/${account}`);
  const [client, other] = [await platform.connect(account), await platform.connect(account)];
  client.socket.send('not a message');
  client.sendText('my secret');
  await client.until(({ newest }) => newest()?.modifier === 'client');
  other.socket.terminate();
  await platform.untilLogged('a socket closed');
  const { type, body } = await request(`${platform.apiUrl}/metrics`);
  expect(type).toMatch(/^text\/plain; version=/);
  const counted = body.match(/(?<=^parley_platform_)(?!commit)[^ \n]+ (?!0$).+$/gm)?.join('\n');
  await expect(`${counted}\n`).toMatchFileSnapshot('testing/counted.txt');
  expect(body).toMatch(/\nparley_platform_commit_seconds_sum 0\nparley_platform_commit_seconds_count [1-9]/);
  await platform.connect(account.repeat(32));
  client.socket.close(1000, 'logout');
  await client.closed;
  await platform.close();
  await expect(platform.logged().replaceAll(/"port":\d+,/g, '')).toMatchFileSnapshot('testing/log.txt');
  for (const secret of [account, 'secret', 'Ada', ADA.email, ADA.password, 'engine1844!']) {
    expect(body).not.toContain(secret);
    expect(platform.logged()).not.toContain(secret);
  }
  expect(body).not.toContain('ada');
});
