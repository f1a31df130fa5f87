import { writeFile } from 'node:fs/promises';
import { describe, expect, it, test } from 'vitest';
import { readHarCapture } from './readHarCapture.ts';
import { wholeCapture } from '../testing/files.ts';
import { harMessage, harOf, harSocket, writeHar } from './testing/har.ts';

/** 2026-11-20T09:00:00Z. */
const NINE = Date.UTC(2026, 10, 20, 9);
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
});

describe('times', () => {
  it('never decrease in the capture', async () => {
    expect(
      await times(harMessage(NINE + 5, 'a'), harMessage(NINE + 3, 'b'), harMessage(NINE + 8, 'c')),
    ).toEqual([5, 5, 8]);
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
        `select one with \`import ${har} --socket <n>\``,
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

test.each([
  ['no WebSocket', harOf(), 'contains no WebSocket'],
  [
    'a WebSocket without messages',
    harOf(harSocket([])),
    'contains no WebSocket messages; record it with their content',
  ],
  ['an empty file', '', 'is empty'],
  ['a broken file', harOf().slice(0, -2), 'is not JSON'],
  ['a zip', 'PK\u0003\u0004…', 'is zipped; unzip it and give the .har inside'],
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
