import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { describe, expect, it, test } from 'vitest';
import { readHarCapture } from './readHarCapture.ts';
import { wholeCapture } from '../testing/files.ts';
import { harMessage, harOf, harSocket, writeHar } from './testing/har.ts';

/** 2026-11-20T09:00:00Z. */
const NINE = Date.UTC(2026, 10, 20, 9);
const LOGOUT = { code: 1008, reason: 'logout' };
const read = async (...messages: readonly object[]) =>
  wholeCapture((await writeHar(harOf(harSocket(messages)))).har);
const times = async (...messages: readonly object[]) =>
  (await read(...messages)).records.map(({ t }) => t).slice(1);

describe('the dialects', () => {
  it('reads Chrome’s and mitmproxy’s seconds since the epoch; times count from the entry’s beginning', async () => {
    const { header, records, warnings } = await read(
      harMessage(NINE / 1000 + 0.0124, '{"person":"Ada","messages":[]}'),
      harMessage(NINE / 1000 + 0.901, '{"category":"text"}', { type: 'send' }),
      harMessage(NINE / 1000 + 1, 'AAEC', { opcode: 2 }),
    );
    expect(header).toEqual({
      format: 'parley-capture',
      version: 2,
      startedAt: '2026-11-20T09:00:00.000Z',
      app: 'WebInspector 537.36',
    });
    expect(records).toEqual([
      { t: 0, type: 'open' },
      { t: 12.4, type: 'recv', data: '{"person":"Ada","messages":[]}' },
      { t: 901, type: 'send', data: '{"category":"text"}' },
      { t: 1000, type: 'recv', data: 'AAEC', encoding: 'base64' },
    ]);
    expect(warnings).toEqual([]);
  });

  it('reads Playwright’s milliseconds since the epoch', async () => {
    expect(await times(harMessage(NINE + 12.4, 'a'), harMessage(NINE + 901, 'b'))).toEqual([12.4, 901]);
  });

  it('reads the messages that Playwright attached in a file beside the HAR', async () => {
    const { har, path } = await writeHar(harOf(harSocket([], { file: 'resources.jsonl' })));
    const lines = [harMessage(NINE, 'a'), harMessage(NINE + 5, 'b', { type: 'send' })];
    await writeFile(path('resources.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    expect((await wholeCapture(har)).records.slice(1)).toEqual([
      { t: 0, type: 'recv', data: 'a' },
      { t: 5, type: 'send', data: 'b' },
    ]);
  });

  it('omits pings and pongs', async () => {
    const { records } = await read(
      harMessage(NINE, '', { opcode: 9, type: 'send' }),
      harMessage(NINE, '', { opcode: 10 }),
      harMessage(NINE + 3, 'a'),
    );
    expect(records).toHaveLength(2);
  });

  it.each([
    ['a close frame', harMessage(NINE + 9, 'A/BiZWNhdXNl', { opcode: 8 }), { code: 1008, reason: 'because' }],
    ['an empty one', harMessage(NINE + 9, '', { opcode: 8 }), { code: 1005, reason: '' }],
    [
      'a failure',
      harMessage(NINE + 9, 'net::ERR', { opcode: -1, type: 'error' }),
      { code: 1006, reason: '' },
    ],
  ])('converts %s to one close', async (_, message, close) => {
    const { records } = await read(harMessage(NINE, 'a'), message, message);
    expect(records.slice(2)).toEqual([{ t: 9, type: 'close', ...close }]);
  });

  it.each([
    ['at the end of the entry', { time: 50, close: { ...LOGOUT, timestamp: 12.5 } }, { t: 50 }],
    ['at its own time', { time: 50, close: { ...LOGOUT, timestamp: NINE / 1000 + 0.03 } }, { t: 30 }],
    ['after the last message', { time: -1, close: LOGOUT }, { t: 9 }],
    ['without a frame', { time: 50, close: 'aborted' }, { t: 50, code: 1006, reason: '' }],
    ['with an empty frame', { time: 50, close: {} }, { t: 50, code: 1005, reason: '' }],
  ])('reads HTTP Toolkit’s _webSocketClose %s', async (_, { time, close }, expected) => {
    const socket = { ...harSocket([harMessage(NINE + 9, 'a')]), time, _webSocketClose: close };
    const { har } = await writeHar(harOf(socket));
    const { records } = await wholeCapture(har);
    expect(records.at(-1)).toEqual({ type: 'close', ...LOGOUT, ...expected });
  });

  it('prefers a close frame among the messages to _webSocketClose', async () => {
    const frame = harMessage(NINE + 9, 'A/Bsb2dvdXQ=', { opcode: 8 });
    const { har } = await writeHar(harOf({ ...harSocket([frame]), _webSocketClose: 'aborted' }));
    expect((await wholeCapture(har)).records.slice(1)).toEqual([{ t: 9, type: 'close', ...LOGOUT }]);
  });

  it('refuses a _webSocketClose that is none', async () => {
    const { har } = await writeHar(harOf({ ...harSocket([harMessage(NINE, 'a')]), _webSocketClose: 'x' }));
    await expect(wholeCapture(har)).rejects.toThrow('log.entries[1]._webSocketClose: ');
  });
});

describe('compressed HARs', () => {
  const one = harOf(harSocket([harMessage(NINE, 'a')]));

  it.each([
    ['session.har.gz', gzipSync(one)],
    [
      'session.zip',
      zipSync({ 'a/x.har': bytes(one), '__MACOSX/a/._x.har': bytes('…'), 'x.txt': bytes('x') }),
    ],
    ['session.har.zip', zipSync({ 'none.har': bytes(harOf()), 'x.har': bytes(one) })],
    [
      'session.zip',
      zipSync({
        'a/x.har': bytes(harOf(harSocket([], { file: 'messages.jsonl' }))),
        'a/messages.jsonl': bytes(`${JSON.stringify(harMessage(NINE, 'a'))}\n`),
      }),
    ],
  ])('are read as they are (%s)', async (name, content) => {
    const { path } = await writeHar('');
    await writeFile(path(name), content);
    expect((await wholeCapture(path(name))).records.slice(1)).toEqual([{ t: 0, type: 'recv', data: 'a' }]);
  });

  it.each([
    ['x.zip', zipSync({ 'x.txt': bytes('x') }), 'contains no .har file'],
    ['x.zip', zipSync({ 'x.har': bytes(one) }).subarray(0, 60), 'is not a zip file, or a broken one'],
    [
      'x.zip',
      claiming(600e6, zipSync({ 'x.har': bytes(one) })),
      'is larger than 512 MB when it is decompressed',
    ],
    ['x.zip', claiming(10, zipSync({ 'x.har': bytes(one) })), '/x.har: is not JSON'],
    ['x.har.gz', gzipSync(one).subarray(0, 60), 'the gzip file ends too early'],
    [
      'x.zip',
      zipSync({ 'x.har': bytes(one), 'y.har': bytes(one) }),
      'contains 2 WebSockets (1: platform.example/the…, 1 message, in x.har; 2: platform.example/the…, 1 message, in y.har); select one with ',
    ],
    [
      'x.zip',
      zipSync({ 'x.har': bytes(harOf(harSocket([], { file: 'gone.jsonl' }))) }),
      '/gone.jsonl: there is no such file in the zip',
    ],
  ])('are refused in one line: %s, %#', async (name, content, reason) => {
    const { path } = await writeHar('');
    await writeFile(path(name), content);
    const error: unknown = await wholeCapture(path(name)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'CaptureError', message: expect.stringContaining(reason) });
    expect(String(error)).toContain(path(name));
    expect(String(error)).not.toContain('\n');
  });
});

const bytes = (text: string) => new Uint8Array(Buffer.from(text));

/** Returns a zip that states another size of its only file. */
function claiming(size: number, zip: Uint8Array): Uint8Array {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.length);
  view.setUint32(22, size, true);
  const directory = Buffer.from(zip).indexOf('PK\u0001\u0002');
  view.setUint32(directory + 24, size, true);
  return zip;
}

describe('times', () => {
  it('never decrease in the capture: messages in another order are sorted, with a warning', async () => {
    const { har } = await writeHar(
      harOf(
        harSocket([
          harMessage(NINE + 5, 'a'),
          harMessage(NINE + 3, 'b'),
          harMessage(-1, 'after b'),
          harMessage(NINE + 8, 'c'),
          harMessage(NINE + 8, 'd'),
        ]),
      ),
    );
    const { records, warnings } = await wholeCapture(har);
    expect(records.slice(1).map((record) => [record.t, Object(record).data])).toEqual([
      [3, 'b'],
      [3, 'after b'],
      [5, 'a'],
      [8, 'c'],
      [8, 'd'],
    ]);
    expect(warnings).toEqual([
      `${har}: 1 message has no time; the order is kept, the times are not the recorded ones`,
      `${har}: 2 messages are earlier than the one before; the messages are sorted by time`,
    ]);
  });

  it('count from the earliest message when the entry begins later', async () => {
    const messages = [harMessage(NINE + 9, 'a'), harMessage(NINE + 7, 'b')];
    const { har } = await writeHar(harOf(harSocket(messages, { startedDateTime: 'yesterday' })));
    expect((await wholeCapture(har)).records.map(({ t }) => t)).toEqual([0, 0, 2]);
  });

  it('are one tick apart when all are missing (-1), with a warning', async () => {
    const { har } = await writeHar(
      harOf(harSocket([harMessage(-1, 'a'), harMessage(-1, 'b'), harMessage(-1, 'c')])),
    );
    const { records, warnings } = await wholeCapture(har);
    expect(records.slice(1).map(({ t }) => t)).toEqual([100, 200, 300]);
    expect(warnings).toEqual([
      `${har}: 3 messages have no time; the order is kept, the times are not the recorded ones`,
    ]);
  });

  it('are those of the message before when one is missing', async () => {
    expect(
      await times(
        harMessage(NINE + 5, 'a'),
        { ...harMessage(0, 'b'), time: null },
        harMessage(NINE + 8, 'c'),
      ),
    ).toEqual([5, 5, 8]);
  });

  it.each([
    ['later than the first message', '2026-11-20T09:00:01.000Z'],
    ['in another year', '2020-01-01T00:00:00.000Z'],
    ['not a time', 'yesterday'],
  ])('count from the first message when the entry’s beginning is %s', async (_, startedDateTime) => {
    const { har } = await writeHar(
      harOf(harSocket([harMessage(NINE + 7, 'a'), harMessage(NINE + 9, 'b')], { startedDateTime })),
    );
    expect((await wholeCapture(har)).records.map(({ t }) => t)).toEqual([0, 0, 2]);
  });
});

describe('several WebSockets', () => {
  const several = harOf(
    harSocket([harMessage(NINE, 'a')], { url: 'wss://one.example/ws/account-of-ada?x=1' }),
    harSocket([]),
    harSocket([harMessage(NINE, 'b'), harMessage(NINE, 'c')], { url: 'wss://two.example/short' }),
  );

  it('are listed in one line when none is selected, without an account', async () => {
    const { har } = await writeHar(several);
    await expect(wholeCapture(har)).rejects.toThrow(
      `${har}: contains 2 WebSockets (1: one.example/ws/acc…, 1 message; 2: two.example/…, 2 messages); ` +
        `select one with \`import ${har} --socket <n>\`, or join those of one client with --join`,
    );
  });

  it('can be selected by number', async () => {
    const { har } = await writeHar(several);
    const { records } = await readHarCapture(har, { socket: 2 });
    for await (const batch of records()) expect(batch).toHaveLength(3);
  });

  it('are listed in one line for a wrong number', async () => {
    const { har } = await writeHar(several);
    await expect(readHarCapture(har, { socket: 3 })).rejects.toThrow(/has no WebSocket 3 \(1: one\.example/);
  });

  it('need no selection when only one has messages', async () => {
    const { har } = await writeHar(harOf(harSocket([]), harSocket([harMessage(NINE, 'a')])));
    expect((await wholeCapture(har)).records).toHaveLength(2);
  });
});

const dateAt = (ms: number) => new Date(NINE + ms).toISOString();

interface Entry {
  /** Milliseconds after nine. */
  readonly start: number;
  readonly messages: readonly object[];
  readonly fields?: object;
  readonly url?: string;
}

const entryOf = ({ start, messages, fields, url = 'wss://p/ws/ada' }: Entry) => ({
  ...harSocket(messages, { url, startedDateTime: dateAt(start) }),
  ...fields,
});

async function join(entries: readonly Entry[], number?: number) {
  const { har } = await writeHar(harOf(...entries.map(entryOf)));
  const { header, records } = await readHarCapture(har, { join: true, socket: number });
  const joined: unknown[] = [];
  for await (const batch of records()) joined.push(...batch);
  return { startedAt: header.startedAt, joined };
}

describe('joined WebSockets', () => {
  it('become one session with reconnects, in the order of time', async () => {
    const pong = (ms: number) => harMessage(NINE + ms, '', { opcode: 10 });
    const { startedAt, joined } = await join([
      { start: 5000, messages: [harMessage(NINE + 5004, 'c'), pong(5100)], url: 'wss://p/ws/ada?n=3' },
      {
        start: 0,
        messages: [harMessage(NINE + 4, 'a'), pong(100), pong(200)],
        fields: { _webSocketClose: { code: 1001, reason: '' }, time: 700 },
      },
      { start: 1000, messages: [harMessage(NINE + 1004, 'b')], fields: { time: 2000 } },
    ]);
    expect(startedAt).toBe(dateAt(0));
    const confirmed = { type: 'action', action: { type: 'connection/confirmed' } };
    expect(joined).toEqual([
      { t: 0, type: 'open' },
      { t: 4, type: 'recv', data: 'a' },
      { t: 100, ...confirmed },
      { t: 700, type: 'close', code: 1001, reason: '' },
      { t: 1000, type: 'open' },
      { t: 1004, type: 'recv', data: 'b' },
      { t: 3000, type: 'close', code: 1006, reason: '' },
      { t: 5000, type: 'open' },
      { t: 5004, type: 'recv', data: 'c' },
      { t: 5100, ...confirmed },
    ]);
  });

  it('are closed at the latest when the next one opens', async () => {
    const late = harMessage(NINE + 1500, '', { opcode: 8 });
    const { joined } = await join([
      { start: 0, messages: [harMessage(NINE + 4, 'a'), late] },
      { start: 1000, messages: [harMessage(NINE + 1004, 'b')] },
      { start: 2000, messages: [harMessage(NINE + 2004, 'c')] },
    ]);
    expect(joined.filter((record) => Object(record).type === 'close')).toEqual([
      { t: 1000, type: 'close', code: 1005, reason: '' },
      { t: 2000, type: 'close', code: 1006, reason: '' },
    ]);
  });

  it('are refused when they overlap, with their numbers', async () => {
    const entries = [
      { start: 1000, messages: [harMessage(NINE + 1004, 'b')] },
      { start: 0, messages: [harMessage(NINE + 4, 'a'), harMessage(NINE + 2500, 'late')] },
    ];
    await expect(join(entries)).rejects.toThrow(
      'WebSocket 1 opens 1.5 s before the last message of WebSocket 2; connections of one client do not overlap, so select one with --socket <n>',
    );
  });

  it('are those of one address: --socket selects the client when there are several', async () => {
    const entries = [
      { start: 0, messages: [harMessage(NINE + 4, 'a')] },
      { start: 0, messages: [harMessage(NINE + 4, 'other')], url: 'wss://p/ws/grace' },
      { start: 1000, messages: [harMessage(NINE + 1004, 'b')] },
    ];
    await expect(join(entries)).rejects.toThrow(
      /contains WebSockets of several addresses \(1: p\/ws\/….*--socket <n>$/,
    );
    expect((await join(entries, 3)).joined).toHaveLength(5);
    expect((await join(entries, 2)).joined).toHaveLength(2);
  });
});

test.each([
  ['no WebSocket', harOf(), 'contains no WebSocket'],
  [
    'a WebSocket without messages',
    harOf(harSocket([])),
    'contains no WebSocket messages; record it with their content',
  ],
  ['an empty file', '', 'is empty'],
  ['a broken file', harOf().slice(0, -2), 'is not JSON'],
  ['a broken zip', 'PK\u0003\u0004…', 'is not a zip file, or a broken one'],
  ['no log', '{}', 'does not have the format of Chrome’s HARs: log: '],
  ['no list of entries', '{"log":{"entries":7}}', 'does not have the format of Chrome’s HARs: log.entries: '],
  [
    'a message without data',
    harOf(harSocket([{ type: 'send', time: 1, opcode: 1 }])),
    'does not have the format of Chrome’s HARs: log.entries[1]._webSocketMessages[0].data: ',
  ],
  [
    'a message at a time that is none',
    harOf(harSocket([harMessage(1e300, 'a')])),
    'does not have the format of Chrome’s HARs: log.entries[1]._webSocketMessages[0].time: ',
  ],
  [
    'messages in a file elsewhere',
    harOf(harSocket([], { file: '../../secrets.jsonl' })),
    'its messages are in ../../secrets.jsonl, outside its folder; move that file beside it',
  ],
])('refuses %s in one line that names the file', async (_, text, reason) => {
  const { har } = await writeHar(text);
  const error: unknown = await wholeCapture(har).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    name: 'CaptureError',
    message: expect.stringContaining(`${har}: ${reason}`),
  });
  expect(String(error)).not.toContain('\n');
});

test('names a missing file of messages', async () => {
  const { har, path } = await writeHar(harOf(harSocket([], { file: 'gone.jsonl' })));
  await expect(wholeCapture(har)).rejects.toThrow(`${path('gone.jsonl')}: there is no such file`);
});

test('names a missing HAR', async () => {
  const { path } = await writeHar('');
  await expect(wholeCapture(path('other.har'))).rejects.toThrow(
    `${path('other.har')}: there is no such file`,
  );
});
