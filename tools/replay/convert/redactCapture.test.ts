import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { CaptureLineError, captureParser } from '#shared/capture/parseCapture.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { toArray } from '#shared/conversation/vector.ts';
import { decodeUpdate } from '#shared/protocol/update.ts';
import { anyRecords } from '#tests/builders/anyRecords.ts';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { recv } from '#tests/builders/recv.ts';
import { message as messageOf } from '#tests/builders/updateOf.ts';
import { createParleyEngine } from '../parley/parley.ts';
import { parleyApp } from '../parley/parleyApp.ts';
import { redactHeader, redactRecord as redactWith } from './redactCapture.ts';
import { createAliases, redactFrame } from './redaction.ts';
import { redactBody, redactUrl } from './redactHttp.ts';

const redactRecord = (record: CaptureRecord, aliases: Parameters<typeof redactWith>[1]): CaptureRecord =>
  redactWith(record, aliases, parleyApp.adapter.redact);

const redacted = (records: readonly CaptureRecord[], aliases = createAliases()): CaptureRecord[] =>
  records.map((record) => redactRecord(record, aliases));

/** The trace of a replay: all that may be seen of it but what is said. */
function traceOf(records: readonly CaptureRecord[]) {
  const steps: object[] = [];
  const fold = createParleyEngine({
    onStep: ({ number, receivedAt, tick, update, effect, notification }) =>
      steps.push({ number, receivedAt, tick, kind: update.kind, effect, raises: notification !== undefined }),
  });
  records.every((record) => fold.take(record));
  const { conversation, counts, connection, virtualMs, arrivals } = fold.finish();
  const rejected = records.flatMap((record) => {
    if (record.type !== 'recv' || !('data' in record) || typeof record.data !== 'string') return [];
    const update = decodeUpdate('encoding' in record ? null : record.data);
    return update.kind === 'rejected' ? update : [];
  });
  const { person, messages } = toSnapshot(conversation);
  const shapes = messages.map(({ content, ...fields }) => ({
    fields: Object.keys(fields).length,
    modifier: fields.modifier === undefined,
    seen: fields.seen,
    items: content?.map((item) => Object.values(item).map((value) => (value === '' ? '' : typeof value))),
  }));
  const { status, closedBecause } = connection;
  const ending = [status, closedBecause !== null, closedBecause === 'unauthorized'];
  const told = { hasPerson: person === null, shapes, ending, arrivals: toArray(arrivals) };
  return { steps, rejected, counts, virtualMs, ...told };
}

test('contract §7 redact: keeps the trace of the replay, for any session', () => {
  checkProperty(
    fc.property(anyRecords(), (records) => {
      expect(traceOf(redacted(records))).toEqual(traceOf(records));
    }),
    100,
  );
});

/** What stands in base64 wherever these bytes stand in the file that it encodes, at each of the three alignments. */
function base64Traces(text: string): string[] {
  const bytes = Buffer.from(text);
  return [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6)),
  );
}

const frameOf = (frame: object, aliases = createAliases()): unknown => {
  const [record] = redacted([recv(1, frame)], aliases);
  if (record === undefined || !('data' in record)) throw new Error('the frame is gone');
  return JSON.parse(record.data);
};

test('gives the same original the same alias, and two pictures two placeholders', () => {
  const aliases = createAliases();
  expect(frameOf({ person: 'Ada Lovelace' }, aliases)).toEqual({ person: 'person-0' });
  expect(frameOf({ context: 'Ada Lovelace' }, aliases)).toEqual({ context: 'person-0' });
  expect(frameOf({ name: 'Ada King' }, aliases)).toEqual({ name: 'person-1' });
  const avatars = ['one', 'two', 'one'].map((avatar) => frameOf({ modifier: 'ai', avatar }, aliases));
  expect(avatars[0]).toEqual(avatars[2]);
  expect(avatars[0]).not.toEqual(avatars[1]);
});

test('redacts a frame nested too deep to one that is rejected for the same reason, without its texts', () => {
  const data = `{"text":"Ada","x":${'['.repeat(100_000)}"Ada"${']'.repeat(100_000)}}`;
  const record = redactRecord({ t: 1, type: 'recv', data }, createAliases());
  expect(JSON.stringify(record)).not.toContain('Ada');
  expect(decodeUpdate(String(Object(record).data))).toEqual({ kind: 'rejected', reason: 'tooDeep' });
});

test('keeps plain words of a frame and the action of a notice, and replaces other words and all of the Markdown', () => {
  const item = { category: 'text', text: '**Ada** lives [here](https://ada.example/)', format: 'markdown' };
  expect(frameOf(item)).toEqual({ category: 'text', text: 'text-0', format: 'markdown' });
  expect(frameOf({ modifier: 'client' })).toEqual({ modifier: 'client' });
  const file = { category: 'Letters of Ada', text: 'x' };
  expect(frameOf(file)).toEqual({ category: 'category-0', text: 'file-0' });
  expect(frameOf({ category: 'text', format: 'Letters of Ada' })).toMatchObject({ format: 'format-0' });
  const admin = { modifier: 'admin', action: 'settings' };
  expect(frameOf({ ...admin, notice: true })).toMatchObject({ action: 'settings' });
  expect(frameOf(admin)).toMatchObject({ action: 'text-0' });
});

const message = (id: number | string) => ({ ...messageOf('Hello'), id });

test('gives a number as a message’s id the alias of its decimal text, so the replay keeps its arrival times', () => {
  const NUMBER = 7_340_912;
  const text = String(NUMBER);
  const played = { type: 'playback/requested', payload: { message: text, item: 0 } };
  // The platform repeats the conversation with the other form of each id.
  const repeated = [message(text), message(8), message(NUMBER), message('9')];
  const records: CaptureRecord[] = [
    { t: 0, type: 'open' },
    recv(10, { person: 'Ada', messages: [] }),
    ...[NUMBER, '8', text].map((id, i) => recv(110 + i * 100, message(id))),
    { t: 405, type: 'action', action: played },
    { t: 410, type: 'close', code: 1006, reason: '' },
    { t: 510, type: 'open' },
    recv(520, { person: 'Ada', messages: repeated }),
  ];
  const written = redacted(records);
  expect(traceOf(written)).toEqual(traceOf(records));
  expect(traceOf(written).arrivals).toEqual([200, 300, 400, 600]);
  expect(JSON.stringify(written)).not.toContain(text);
  expect(written[5]).toMatchObject({ action: { payload: { message: 'id-0' } } });
});

const HEADERS = { 'content-type': 'text/html', y: 'y' };
const SAMPLE: readonly object[] = [
  { format: 'parley-capture', version: 2, startedAt: '2026', app: 'WebInspector 537.36', x: { note: 'y' } },
  { t: 0, type: 'launch', synthetic: true, note: 'y' },
  { t: 1, type: 'recv', data: { person: 'P', messages: [messageOf('a')], x: [{ id: 'y' }] }, note: 'y' },
  { t: 1, type: 'recv', data: { category: 'image', text: 'a', html: 'b', blob: 'AAAA', format: 'y' } },
  { t: 1, type: 'recv', data: { modifier: 'admin', notice: true, action: 'y' } },
  { t: 1, type: 'send', data: { category: 'audio', text: null, blob: 'AAAA', modifier: 'ai' } },
  { t: 1, type: 'recv', data: 'no JSON', note: 'y' },
  { t: 1, type: 'recv', data: 'AAAA', encoding: 'base64' },
  { t: 1, type: 'close', code: 1000, reason: 'y', note: ['y'] },
  { t: 1, type: 'action', action: { type: 'x/y', payload: { category: 'y', z: 'y' }, meta: 'y' }, window: 1 },
  { t: 1, type: 'action', action: { type: 'message/sent', payload: { category: 'y', text: 'z' } } },
  { t: 1, type: 'http', id: 1, request: { method: 'y', url: '/y y?y=z&q=7', body: '{"a":"y"}' }, note: 'y' },
  { t: 1, type: 'http', id: 1, response: { status: 200, headers: HEADERS, body: 'y' } },
  { t: 1, type: 'http', id: 1, chunk: 'id: y\ndata: y\n\n', error: 'y' },
  { t: 1, type: 'recv', data: { event: 'y', data: '{"a":"y"}', id: 'y' } },
  { t: 1, type: 'other', data: 'y', action: { type: 'z' }, reason: 'y', encoding: 'z', app: 'y', t2: 'y' },
];

/** Yields a value with a text in the place of each of its texts, and then of each of its keys. */
function* planted(value: unknown, secret: string): Generator {
  if (typeof value === 'string') yield secret;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, field] of Object.entries(value)) {
    const rest = Object.entries(value).filter(([other]) => other !== key);
    const put = (name: string, one: unknown) =>
      Array.isArray(value) ? value.with(Number(key), one) : Object.fromEntries([...rest, [name, one]]);
    for (const one of planted(field, secret)) yield put(key, one);
    if (!Array.isArray(value)) yield put(secret, field);
  }
}

const lineOf = (value: unknown): string => {
  const { data, ...rest } = Object(value);
  return JSON.stringify(typeof data === 'object' ? { ...rest, data: JSON.stringify(data) } : Object(value));
};

test.each(['ada.lovelace@example.com', '2026-11-20 Ada Lovelace'])(
  'leaves %j nowhere, in whatever place of a capture it is',
  (secret) => {
    let places = 0;
    for (const [index, line] of SAMPLE.entries()) {
      for (const other of planted(line, secret)) {
        const written = tryRedact(lineOf(other), index === 0);
        if (written === undefined) continue;
        places++;
        for (const trace of [secret, 'Lovelace', 'lovelace', ...base64Traces(secret)])
          expect(JSON.stringify(written)).not.toContain(trace);
      }
    }
    expect(places).toBeGreaterThan(80);
  },
);

/** Returns the redacted header or record, or `undefined` for a line that no reader accepts. */
function tryRedact(line: string, isHeader: boolean) {
  const [parser, aliases] = [captureParser(), createAliases()];
  try {
    if (isHeader) return redactHeader(parser.header(line), aliases, true);
    return redactRecord(parser.record(line), aliases);
  } catch (error) {
    if (error instanceof CaptureLineError) return undefined;
    throw error;
  }
}

test('keeps the unknown fields of the header, without their texts', () => {
  expect(tryRedact(lineOf(SAMPLE[0]), true)).toMatchObject({ x: { note: 'text-0' } });
});

const http = (part: object): CaptureRecord => ({ t: 1, type: 'http', id: 1, ...part });

test('masks the texts of HTTP requests as those of frames, so that a replay finds their answers', () => {
  const aliases = createAliases();
  const mask = (record: CaptureRecord) => redactWith(record, aliases, { codes: ['code'] });
  const [ada, masked] = ['{"user":"ada7x","code":"draft"}', '{"user":"text-0","code":"draft"}'];
  expect(mask({ t: 0, type: 'recv', data: ada })).toMatchObject({ data: masked });
  const url = 'https://chat.example/api/users/ada7x?q=Ada+L&page=2#top';
  const request = {
    method: 'POST',
    url: 'https://chat.example/api/users/text-0?q=text-1&page=2',
    body: masked,
  };
  expect(mask(http({ request: { ...request, url, body: ada } }))).toMatchObject({ id: 1, request });
  const type = { 'content-type': 'application/json; charset=utf-8' };
  const response = { status: 200, headers: { ...type, etag: 'W/"Ada"', age: '5' }, body: 'Ada' };
  expect(mask(http({ response }))).toMatchObject({
    response: { status: 200, headers: type, body: 'text-2' },
  });
  const named = { 'content-type': 'image/png; name=Ada', cookie: 'Ada' };
  const picture = { status: 200, headers: named, body: 'QWRh', encoding: 'base64' };
  expect(mask(http({ response: picture }))).toMatchObject({
    response: { ...picture, headers: { 'content-type': 'image/png' }, body: btoa('binary-0') },
  });
  expect(mask(http({ chunk: 'event: note\ndata: {"user":"ada7x"}\nid: 4\n\n' }))).toMatchObject({
    chunk: 'event: note\nid: id-0\ndata: {"user":"text-0"}\n\n',
  });
  expect(mask(recv(2, { event: 'note', data: ada, id: 'Ada' }))).toMatchObject({
    data: JSON.stringify({ event: 'note', data: masked, id: 'text-2' }),
  });
  for (const part of [{ end: true }, { error: 'TypeError' }]) expect(mask(http(part))).toEqual(http(part));
  expect(mask(http({ error: 'Ada is away' }))).toMatchObject({ error: 'type-0' });
});

const newAliasing = () => ({ aliases: createAliases(), codes: new Set(['type']) });

test.each([
  ['/api/v4/posts/list.json', '/api/v4/posts/list.json'],
  ['https://ada:secret@x.org:8080/users/ada%40x.org/', 'https://x.org:8080/users/id-0/'],
  [
    '/users/6f1c-77/12?page=2&q=Ada+L&type=a&on=true&&no=#Ada',
    '/users/id-0/12?page=2&q=text-0&type=a&on=true&&no=',
  ],
  ['?Ada King=1', '?key-0=1'],
  ['/%E0%A4%A', '/id-0'],
  ['data:text/plain,Ada', 'id-0/id-1'],
])('redacts the address %s', (url, masked) => {
  expect(redactUrl(url, newAliasing())).toBe(masked);
});

test('gives an id in an address the alias that it has in frames', () => {
  const aliasing = newAliasing();
  expect(redactFrame('{"id":"42","by":"k3/f9"}', aliasing)).toBe('{"id":"id-0","by":"text-0"}');
  const masked = '/posts/id-0/text-0?after=id-0&limit=42.5';
  expect(redactUrl('/posts/42/k3%2Ff9?after=42&limit=42.5', aliasing)).toBe(masked);
});

test.each([
  ['{"type":"posted","text":"Ada"}', '{"type":"posted","text":"text-0"}'],
  [
    String.raw`{"type":"{\"type\":\"a\",\"by\":\"Ada\"}"}`,
    String.raw`{"type":"{\"type\":\"a\",\"by\":\"text-0\"}"}`,
  ],
  ['{"a":"Ada"}\n\n{"a":"Lin"}\n', '{"a":"text-0"}\n\n{"a":"text-1"}\n'],
  ['Ada\n{"a":"Lin"}', 'text-0'],
  [': Ada\nretry: 10\ndata: "Ada"\n\n', ':\nretry: 10\ndata: "text-0"\n\n'],
  ['data:[1,\r\ndata:2]\r\nevent:Ada King\r\n\r\nfoo: Ada\n\n', 'event: type-0\ndata: [1,2]\n\n:\n\n'],
  ['', ''],
])('redacts the body %j', (body, masked) => {
  expect(redactBody(body, newAliasing())).toBe(masked);
});
