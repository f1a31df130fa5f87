import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { CaptureLineError, captureParser } from '#shared/capture/parseCapture.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { toArray } from '#shared/conversation/vector.ts';
import { decodeUpdate } from '#shared/protocol/update.ts';
import { anyRecords } from '#tests/builders/anyRecords.ts';
import { checkAll } from '#tests/builders/checkProperty.ts';
import { message as messageOf } from '#tests/builders/updateOf.ts';
import { inLine } from '../testing/drawText.ts';
import { createParleyEngine } from '../parley/parley.ts';
import { parleyApp } from '../parley/parleyApp.ts';
import { redactHeader, redactRecord as redactWith } from './redactCapture.ts';
import { createAliases } from './redaction.ts';

const redactRecord = (record: CaptureRecord, aliases: Parameters<typeof redactWith>[1]): CaptureRecord =>
  redactWith(record, aliases, parleyApp.adapter.redact);

/** A value without its texts and the names of its fields. */
function shapeOf(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? '' : 'text';
  return typeof value === 'object' && value !== null ? Object.values(value).map(shapeOf) : value;
}

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
  const { status, closedBecause } = connection;
  const ending = [status, closedBecause !== null, closedBecause === 'unauthorized'];
  const told = { shape: shapeOf(toSnapshot(conversation)), ending, arrivals: toArray(arrivals) };
  return { steps, rejected, counts, virtualMs, ...told };
}

test('contract §7 redact: keeps the trace of the replay, for any session', () => {
  checkAll(100, [anyRecords()], (records) => {
    const aliases = createAliases();
    const redacted = records.map((record) => redactRecord(record, aliases));
    expect(traceOf(redacted)).toEqual(traceOf(records));
  });
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

test('redacts a frame nested too deep to one that is rejected for the same reason, without its texts', () => {
  const data = `{"text":"Ada","x":${'['.repeat(100_000)}"Ada"${']'.repeat(100_000)}}`;
  const record = redactRecord({ t: 1, type: 'recv', data }, createAliases());
  expect(JSON.stringify(record)).not.toContain('Ada');
  expect(decodeUpdate(String(Object(record).data))).toEqual({ kind: 'rejected', reason: 'tooDeep' });
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

/** Frames, actions, addresses and `http` records; those of a section have the same aliases. */
const SECTIONS = String.raw`
# the same original has the same alias, and two pictures have two placeholders
frame {"person":"Ada Lovelace"}
frame {"context":"Ada Lovelace"}
frame {"name":"Ada King"}
frame {"modifier":"ai","avatar":"one"}
frame {"modifier":"ai","avatar":"two"}
frame {"modifier":"ai","avatar":"one"}
# a number as a message’s id has the alias of its decimal text, so that a replay keeps its arrival times
frame {"modifier":"ai","id":7340912}
frame {"modifier":"ai","id":"8"}
action {"type":"playback/requested","payload":{"message":"7340912","item":0}}
frame {"person":"Ada","messages":[{"modifier":"ai","id":"7340912"},{"modifier":"ai","id":8}]}
# plain words of a frame and the action of a notice stay; other words and all of the Markdown are replaced
frame {"category":"text","text":"**Ada** lives [here](https://ada.example/)","format":"markdown"}
frame {"modifier":"client"}
frame {"category":"Letters of Ada","text":"x"}
frame {"category":"text","format":"Notes of Ada"}
frame {"modifier":"admin","action":"settings","notice":true}
frame {"modifier":"admin","action":"settings"}
# the texts of HTTP requests are masked as those of frames, so that a replay finds their answers
frame {"user":"ada7x","code":"draft"}
http {"request":{"method":"POST","url":"https://chat.example/api/users/ada7x?q=Ada+L&page=2#top","body":"{\"user\":\"ada7x\",\"code\":\"draft\"}"}}
http {"response":{"status":200,"headers":{"content-type":"application/json; charset=utf-8","etag":"W/\"Ada\"","age":"5"},"body":"Ada"}}
http {"response":{"status":200,"headers":{"content-type":"image/png; name=Ada","cookie":"Ada"},"body":"QWRh","encoding":"base64"}}
http {"chunk":"event: note\ndata: {\"user\":\"ada7x\"}\nid: 4\n\n"}
frame {"event":"note","data":"{\"user\":\"ada7x\",\"code\":\"draft\"}","id":"Ada"}
http {"end":true}
http {"error":"TypeError"}
http {"error":"Ada is away"}
# an id in an address has the alias that it has in frames
frame {"id":"42","by":"k3/f9"}
url /posts/42/k3%2Ff9?after=42&limit=42.5
# an address keeps its words, its numbers and its codes
url /api/v4/posts/list.json
url https://ada:secret@x.org:8080/users/ada%40x.org/
url /users/6f1c-77/12?page=2&q=Ada+L&type=a&on=true&&no=#Ada
url ?Ada King=1
url /%E0%A4%A
url data:text/plain,Ada
# a body keeps the form of JSON, of lines of JSON and of events
http {"chunk":"{\"type\":\"posted\",\"text\":\"Ada\"}"}
http {"chunk":"{\"type\":\"{\\\"type\\\":\\\"a\\\",\\\"by\\\":\\\"Ada\\\"}\"}"}
http {"chunk":"{\"a\":\"Ada\"}\n\n{\"a\":\"Lin\"}\n"}
http {"chunk":"Ada\n{\"a\":\"Lin\"}"}
http {"chunk":": Ada\nretry: 10\ndata: \"Ada\"\n\n"}
http {"chunk":"data:[1,\r\ndata:2]\r\nevent:Ada King\r\n\r\nfoo: Ada\n\n"}
http {"chunk":""}`;

function recordOf(kind: string, text: string): CaptureRecord {
  if (kind === 'frame') return { t: 1, type: 'recv', data: text };
  if (kind === 'action') return { t: 1, type: 'action', action: JSON.parse(text) };
  const part = kind === 'url' ? { request: { method: 'GET', url: text } } : JSON.parse(text);
  return { t: 1, type: 'http', id: 1, ...part };
}

test('masks every text of records, and keeps what a replay and a reader need', async () => {
  const rules = { ...parleyApp.adapter.redact, codes: ['code', 'type'] };
  let aliases = createAliases();
  const lines = SECTIONS.split('\n').map((line) => {
    if (line.startsWith('#')) aliases = createAliases();
    const [, kind = '', text = ''] = /^([a-z]+) (.*)$/.exec(line) ?? [];
    return kind === '' ? line : `${line}\n→ ${inLine(redactWith(recordOf(kind, text), aliases, rules))}`;
  });
  const header = inLine(tryRedact(lineOf(SAMPLE[0]), true));
  await expect([`# the header\n→ ${header}`, ...lines].join('\n')).toMatchFileSnapshot(
    'testing/redacted.txt',
  );
});
