import { writeFile } from 'node:fs/promises';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { STARTED_AT, all, wholeCapture } from '../testing/files.ts';
import { readHarCapture } from './readHarCapture.ts';
import { harMessage, harOf, harSocket, writeHar } from './testing/har.ts';

const NINE = Date.parse(STARTED_AT);
const LOGOUT = { code: 1008, reason: 'logout' };
/** Returns a message `ms` milliseconds after nine. */
const at = (ms: number, data = 'a', fields = {}) => harMessage(NINE + ms, data, fields);
const recv = (t: number, data = 'a') => ({ t, type: 'recv', data });
const readSocket = async (...messages: readonly object[]) =>
  wholeCapture((await writeHar(harOf(harSocket(messages)))).har);

test('reads Chrome’s and mitmproxy’s seconds since the epoch; times count from the entry’s beginning', async () => {
  const { header, records, warnings } = await readSocket(
    harMessage(NINE / 1000 + 0.0124, '{"person":"Ada","messages":[]}'),
    harMessage(NINE / 1000 + 0.901, '{"category":"text"}', { type: 'send' }),
    harMessage(NINE / 1000 + 1, 'AAEC', { opcode: 2 }),
  );
  const format = { format: 'parley-capture', version: 2 };
  expect(header).toEqual({ ...format, startedAt: STARTED_AT, app: 'WebInspector 537.36' });
  expect(records).toEqual([
    { t: 0, type: 'open' },
    { t: 12.4, type: 'recv', data: '{"person":"Ada","messages":[]}' },
    { t: 901, type: 'send', data: '{"category":"text"}' },
    { t: 1000, type: 'recv', data: 'AAEC', encoding: 'base64' },
  ]);
  expect(warnings).toEqual([]);
});

test('reads Playwright’s milliseconds since the epoch, also attached in a file, without pings and pongs', async () => {
  const ping = at(12, '', { opcode: 9, type: 'send' });
  const messages = [at(12.4), ping, at(13, '', { opcode: 10 }), at(901, 'b', { type: 'send' })];
  const { har, path } = await writeHar(harOf(harSocket([], { file: 'resources.jsonl' })));
  await writeFile(path('resources.jsonl'), messages.map((line) => `${JSON.stringify(line)}\n`).join(''));
  for (const { records } of [await readSocket(...messages), await wholeCapture(har)])
    expect(records.slice(1)).toEqual([recv(12.4), { t: 901, type: 'send', data: 'b' }]);
});

test.each([
  ['at the end of the entry', { time: 50, close: { ...LOGOUT, timestamp: 12.5 } }, { t: 50 }],
  ['after the last message', { time: -1, close: LOGOUT }, { t: 9 }],
  ['without a frame', { time: 50, close: 'aborted' }, { t: 50, code: 1006, reason: '' }],
])('reads HTTP Toolkit’s _webSocketClose %s', async (_, { time, close }, expected) => {
  const { har } = await writeHar(harOf({ ...harSocket([at(9)]), time, _webSocketClose: close }));
  expect((await wholeCapture(har)).records.at(-1)).toEqual({ type: 'close', ...LOGOUT, ...expected });
});

const ONE = harOf(harSocket([at(0)]));
const IN_FILE = harOf(harSocket([], { file: 'messages.jsonl' }));

const LINES = `${JSON.stringify(at(0))}\n`;

const zipped = (files: Readonly<Record<string, string>>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])));

test.each([
  ['beside other files', zipped({ 'a/x.har': ONE, '__MACOSX/a/._x.har': '…', 'x.txt': 'x' })],
  ['beside a HAR without a WebSocket', zipped({ 'none.har': harOf(), 'x.har': ONE })],
  ['with its messages in a file', zipped({ 'a/x.har': IN_FILE, 'a/messages.jsonl': LINES })],
])('reads a HAR in a zip, %s', async (_, content) => {
  const { har } = await writeHar(content, 'session.har.zip');
  expect((await wholeCapture(har)).records.slice(1)).toEqual([recv(0)]);
});

test('sorts messages in another order by time, with warnings; a missing time is that of the message before', async () => {
  const messages = [at(5), at(3, 'b'), harMessage(-1, 'after b'), at(8, 'c'), at(8, 'd')];
  const { har } = await writeHar(harOf(harSocket(messages)));
  const { records, warnings } = await wholeCapture(har);
  const shown = records.slice(1).map((record) => `${record.t} ${Object(record).data}`);
  expect(shown).toEqual(['3 b', '3 after b', '5 a', '8 c', '8 d']);
  expect(warnings).toEqual([
    `${har}: 1 message has no time; the order is kept, the times are not the recorded ones`,
    `${har}: 2 messages are earlier than the one before; the messages are sorted by time`,
  ]);
  const without = await readSocket(harMessage(-1, 'a'), harMessage(-1, 'b'), harMessage(-1, 'c'));
  expect(without.records.slice(1).map(({ t }) => t)).toEqual([100, 200, 300]);
});

test('lists several WebSockets in one line without an account; one can be selected by its number', async () => {
  const one = harSocket([at(0)], { url: 'wss://one.example/ws/account-of-ada?x=1' });
  const two = harSocket([at(0), at(0)], { url: 'wss://two.example/short' });
  const { har } = await writeHar(harOf(one, harSocket([]), two));
  await expect(wholeCapture(har)).rejects.toThrow(
    `${har}: contains 2 WebSockets (1: one.example/ws/acc…, 1 message; 2: two.example/…, 2 messages); ` +
      `select one with \`import ${har} --socket <n>\`, or join those of one client with --join`,
  );
  const { records } = await readHarCapture(har, { socket: 2 });
  for await (const batch of records()) expect(batch).toHaveLength(3);
  await expect(readHarCapture(har, { socket: 3 })).rejects.toThrow(/has no WebSocket 3 \(1: one\.example/);
});

/** Joins the WebSockets of a HAR: each begins `start` milliseconds after nine. */
async function join(...entries: readonly { start: number; messages: readonly object[]; fields?: object }[]) {
  const sockets = entries.map(({ start, messages, fields }, i) => {
    const startedDateTime = new Date(NINE + start).toISOString();
    return Object.assign(harSocket(messages, { url: `wss://p/ws/ada?n=${i}`, startedDateTime }), fields);
  });
  const { har } = await writeHar(harOf(...sockets));
  const { header, records } = await readHarCapture(har, { join: true });
  return { startedAt: header.startedAt, joined: (await all(records())).flat() };
}

test('joins WebSockets to one session with reconnects, in the order of time', async () => {
  const pong = (ms: number) => at(ms, '', { opcode: 10 });
  const closed = { _webSocketClose: { code: 1001, reason: '' }, time: 700 };
  const { startedAt, joined } = await join(
    { start: 5000, messages: [at(5004, 'c'), pong(5100)] },
    { start: 0, messages: [at(4), pong(100), pong(200)], fields: closed },
    { start: 1000, messages: [at(1004, 'b')], fields: { time: 2000 } },
  );
  expect(startedAt).toBe(STARTED_AT);
  const confirmed = { type: 'action', action: { type: 'connection/confirmed' } };
  expect(joined).toEqual([
    { t: 0, type: 'open' },
    recv(4),
    { t: 100, ...confirmed },
    { t: 700, type: 'close', code: 1001, reason: '' },
    { t: 1000, type: 'open' },
    recv(1004, 'b'),
    { t: 3000, type: 'close', code: 1006, reason: '' },
    { t: 5000, type: 'open' },
    recv(5004, 'c'),
    { t: 5100, ...confirmed },
  ]);
  const ended = { start: 0, messages: [at(4), at(1500, '', { opcode: 8 })] };
  const late = await join(ended, { start: 1000, messages: [at(1004)] });
  // At the latest when the next one opens.
  expect(late.joined[2]).toEqual({ t: 1000, type: 'close', code: 1005, reason: '' });
});

test.each<[string, string | Uint8Array, string]>([
  ['x.zip', zipped({ 'x.txt': 'x' }), 'contains no .har file'],
  ['x.zip', zipped({ 'x.har': ONE, 'y.har': ONE }), '1 message, in x.har; 2: platform'],
  ['x.zip', zipped({ 'x.har': IN_FILE }), '/messages.jsonl: there is no such file in the zip'],
  ['x.har', harOf(), 'contains no WebSocket'],
  ['x.har', harOf(harSocket([])), 'contains no WebSocket messages; record it with their content'],
  ['x.har', harOf().slice(0, -2), 'is not JSON'],
  ['x.har', '{"log":{"entries":7}}', 'does not have the format of Chrome’s HARs: log.entries: '],
  ['x.har', harOf(harSocket([{ type: 'send', time: 1, opcode: 1 }])), '._webSocketMessages[0].data: '],
  ['x.har', harOf({ ...harSocket([at(0)]), _webSocketClose: 'x' }), 'log.entries[1]._webSocketClose: '],
  ['x.har', harOf(harSocket([], { file: '../../secrets.jsonl' })), 'outside its folder; move that file'],
])('refuses %s in one line that names it, %#', async (name, content, reason) => {
  const { har, path } = await writeHar(content, name);
  const error: unknown = await wholeCapture(har).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'CaptureError', message: expect.stringContaining(reason) });
  expect(String(error)).toContain(path('').slice(0, -1));
  expect(String(error)).not.toContain('\n');
});
