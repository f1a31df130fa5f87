import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { CaptureLineError, captureParser } from '#shared/capture/parseCapture.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { toArray } from '#shared/conversation/vector.ts';
import { decodeUpdate } from '#shared/protocol/update.ts';
import { anyRecords } from '#tests/builders/anyRecords.ts';
import { checkAll } from '#tests/builders/checkProperty.ts';
import { tableOf } from '#tests/builders/tableOf.ts';
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

function recordOf(kind: string, text: string): CaptureRecord {
  if (kind === 'frame') return { t: 1, type: 'recv', data: text };
  if (kind === 'action') return { t: 1, type: 'action', action: JSON.parse(text) };
  const part = kind === 'url' ? { request: { method: 'GET', url: text } } : JSON.parse(text);
  return { t: 1, type: 'http', id: 1, ...part };
}

test('masks every text of records, and keeps what a replay and a reader need', async () => {
  const rules = { ...parleyApp.adapter.redact, codes: ['code', 'type'] };
  let aliases = createAliases();
  // Frames, actions, addresses and `http` records; those of a section have the same aliases.
  const path = join(import.meta.dirname, 'testing/redacted.txt');
  const table = await tableOf(path, (line) => {
    const [, kind = '', text = ''] = /^([a-z]+) (.*)$/.exec(line) ?? [];
    if (kind === 'header') return inLine(tryRedact(lineOf(SAMPLE[0]), true));
    if (kind !== '') return inLine(redactWith(recordOf(kind, text), aliases, rules));
    aliases = createAliases();
    return '';
  });
  await expect(table).toMatchFileSnapshot(path);
});
