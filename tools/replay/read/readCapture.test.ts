import { createReadStream } from 'node:fs';
import { appendFile, mkdir, open, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { temporaryFolder, wholeCapture } from '../testing/files.ts';
import { CaptureError } from './captureDecoder.ts';
import { readCapture } from './readCapture.ts';

const HEADER = '{"format":"parley-capture","version":1,"startedAt":"2026-11-20T09:00:00.000Z","app":"0.1.0"}';
const OPEN = '{"t":0,"type":"open"}';
const recv = (data: string, t = 1) => JSON.stringify({ t, type: 'recv', data });

/** A file of these bytes. */
async function fileOf(content: string | Uint8Array, name = 'x.parley.jsonl'): Promise<string> {
  const path = (await temporaryFolder())(name);
  await writeFile(path, content);
  return path;
}

const linesOf = (...lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

/** Returns the error of a capture, without the folder. */
async function errorOf(path: string): Promise<string> {
  const error: unknown = await wholeCapture(path).catch((caught: unknown) => caught);
  if (!(error instanceof CaptureError)) throw new Error(`not a CaptureError: ${String(error)}`);
  return error.message.replace(/^.*\//, '');
}

test('contract §6 header, unknown: reads the header and the records in order, also unknown ones', async () => {
  const path = await fileOf(linesOf(HEADER, OPEN, recv('{"a":"b"}'), '{"t":2,"type":"weather","sky":1}'));
  expect(await wholeCapture(path)).toEqual({
    header: JSON.parse(HEADER),
    records: [
      { t: 0, type: 'open' },
      { t: 1, type: 'recv', data: '{"a":"b"}' },
      { t: 2, type: 'weather', sky: 1 },
    ],
    warnings: [],
  });
});

test('keeps characters that lie across two chunks', async () => {
  const frames = Array.from({ length: 300 }, (_, i) => '😀é'.repeat(1000 + i));
  const path = await fileOf(linesOf(HEADER, ...frames.map((frame) => recv(frame))));
  const borders = await borderBytes(path);
  expect(borders.some((byte) => (byte & 0xc0) === 0x80)).toBe(true);
  const { records } = await wholeCapture(path);
  expect(records).toEqual(frames.map((data) => ({ t: 1, type: 'recv', data })));
});

/** The first byte of each part that a file is read in. */
async function borderBytes(path: string): Promise<number[]> {
  const bytes: number[] = [];
  for await (const chunk of createReadStream(path, { highWaterMark: 512 * 1024 })) {
    if (Buffer.isBuffer(chunk)) bytes.push(chunk[0] ?? 0);
  }
  return bytes;
}

test('reads a gzipped capture like a plain one', async () => {
  const text = linesOf(HEADER, OPEN, recv('é'.repeat(100_000)));
  const [plain, zipped] = [await fileOf(text), await fileOf(gzipSync(text), 'x.parley.jsonl.gz')];
  expect(await wholeCapture(zipped)).toEqual(await wholeCapture(plain));
});

test('reads everything before the end of a truncated gzip file, with a warning', async () => {
  const lines = Array.from({ length: 5000 }, (_, i) => recv(`${i} ${Math.sin(i)}`));
  const whole = gzipSync(linesOf(HEADER, ...lines));
  const path = await fileOf(whole.subarray(0, whole.length / 2), 'x.parley.jsonl.gz');
  const { records, warnings } = await wholeCapture(path);
  expect(records.length).toBeGreaterThan(1000);
  expect(records).toEqual(lines.slice(0, records.length).map((line): unknown => JSON.parse(line)));
  expect(warnings).toContainEqual(`${path}: the gzip file ends too early; all before its end is used`);
});

test('contract §6 truncated: warns about a truncated last line by its number, and uses everything before it', async () => {
  const path = await fileOf(`${linesOf(HEADER, OPEN)}${recv('é').slice(0, -5)}`);
  const { records, warnings } = await wholeCapture(path);
  expect(records).toHaveLength(1);
  expect(warnings).toEqual([
    `${path}:3: is not JSON; the recorder was stopped in the middle of it, and all before it is used`,
  ]);
});

test('contract §6 truncated: warns about a last line that is truncated within a character', async () => {
  const bytes = Buffer.from(`${linesOf(HEADER, OPEN)}{"t":1,"type":"recv","data":"é`);
  const path = await fileOf(bytes.subarray(0, -1));
  expect((await wholeCapture(path)).warnings).toHaveLength(1);
});

test('uses a last line without a newline, without a warning', async () => {
  const { records, warnings } = await wholeCapture(await fileOf(`${linesOf(HEADER)}${OPEN}`));
  expect({ records, warnings }).toEqual({ records: [{ t: 0, type: 'open' }], warnings: [] });
});

test('ignores Windows line ends, a byte order mark and blank lines', async () => {
  const { records, warnings } = await wholeCapture(
    await fileOf(`\uFEFF${HEADER}\r\n\r\n${OPEN}\r\n\n  \n${recv('x')}\r\n\n`),
  );
  expect(records.map(({ type }) => type)).toEqual(['open', 'recv']);
  expect(warnings).toEqual([]);
});

test.each([
  ['a broken line in the middle', linesOf(HEADER, OPEN, '{"t":1,', OPEN), 'x.parley.jsonl:3: is not JSON'],
  ['a broken last line with a newline', linesOf(HEADER, '{"t":1,'), 'x.parley.jsonl:2: is not JSON'],
  [
    'a complete but wrong last line without a newline',
    `${linesOf(HEADER)}{"t":1,"type":"close"}`,
    'x.parley.jsonl:2: is of type close without `code` and `reason`',
  ],
  [
    'a time that decreases, after a blank line',
    linesOf(HEADER, '', recv('x', 5), recv('x', 4)),
    'x.parley.jsonl:4: goes back in time, from 5 to 4; its first 3 lines can be used: head -n 3',
  ],
  ['another kind of file', linesOf('{"log":{}}'), 'x.parley.jsonl:1: is not the header of a Parley capture'],
  ['a file without JSON', 'hello\nworld\n', 'x.parley.jsonl:1: is not JSON'],
  [
    'a newer version',
    linesOf(HEADER.replace('"version":1', '"version":9'), OPEN),
    'x.parley.jsonl:1: has version 9; this Parley reads up to 2',
  ],
  ['a truncated header', HEADER.slice(0, 40), 'x.parley.jsonl:1: is not JSON'],
  ['an empty file', '', 'x.parley.jsonl: is empty'],
  ['a blank file', '\n\n', 'x.parley.jsonl:1: is not JSON'],
  [
    'a byte that is not UTF-8',
    Buffer.concat([Buffer.from(linesOf(HEADER, OPEN)), Buffer.from(`${recv('a\u00FFb')}\n`, 'latin1')]),
    'x.parley.jsonl:3: is not UTF-8',
  ],
  [
    'a byte that is not UTF-8 in a last line without a newline',
    Buffer.concat([Buffer.from(linesOf(HEADER, OPEN)), Buffer.from(recv('a\u00FFb'), 'latin1')]),
    'x.parley.jsonl:3: is not UTF-8',
  ],
])(
  'contract §6 broken line: %s is an error that names the file and the line',
  async (_, content, message) => {
    expect(await errorOf(await fileOf(content))).toBe(message);
  },
);

test.each([1, 100_000])('recognizes gzip under a name without .gz, with %i records', async (count) => {
  const records = Array.from({ length: count }, (_, t) => ({ t, type: 'open' }));
  const path = await fileOf(
    gzipSync(linesOf(HEADER, ...records.map((record) => JSON.stringify(record)))),
    'x.parley.jsonl',
  );
  expect((await wholeCapture(path)).records).toEqual(records);
});

test('says that a gzip file is followed by other bytes', async () => {
  const bytes = Buffer.concat([gzipSync(linesOf(HEADER)), Buffer.from('tail')]);
  expect(await errorOf(await fileOf(bytes, 'x.parley.jsonl.gz'))).toBe(
    'x.parley.jsonl.gz: has other bytes after the end of its gzip data; write what is before them to a new file with gzip -dc',
  );
});

test('refuses a .gz file that is not gzipped', async () => {
  expect(await errorOf(await fileOf(linesOf(HEADER), 'x.parley.jsonl.gz'))).toBe(
    'x.parley.jsonl.gz: is not a gzip file, or a broken one',
  );
});

test('refuses a missing file and a folder', async () => {
  const at = await temporaryFolder();
  await mkdir(at('folder.parley.jsonl'));
  expect(await errorOf(at('gone.parley.jsonl'))).toBe('gone.parley.jsonl: there is no such file');
  expect(await errorOf(at('gone.parley.jsonl.gz'))).toBe('gone.parley.jsonl.gz: there is no such file');
  expect(await errorOf(at('folder.parley.jsonl'))).toBe('folder.parley.jsonl: is a folder');
});

test('contract §6 broken line: reads what is before it, with a warning, for a reader that asks for it', async () => {
  const later = Array.from({ length: 20_000 }, (_, i) => recv(`later ${i} ${'x'.repeat(100)}`, 9));
  const path = await fileOf(linesOf(HEADER, OPEN, recv('x', 5), recv('y', 4), 'not JSON', ...later));
  const { records, warnings } = await readCapture(path, { brokenLines: 'end' });
  const read: CaptureRecord[] = [];
  for await (const batch of records()) read.push(...batch);
  expect(read.map(({ t }) => t)).toEqual([0, 5]);
  expect(warnings).toEqual([`${path}:4: goes back in time, from 5 to 4; only what is before it is used`]);
});

test('names the number of a broken line far into a file', async () => {
  const path = await fileOf(linesOf(HEADER, ...Array.from({ length: 20_000 }, () => recv('x'.repeat(50)))));
  await appendFile(path, 'oops\n');
  expect(await errorOf(path)).toBe('x.parley.jsonl:20002: is not JSON');
});

const BIG = { timeout: 60_000 };

test('reads a line of 100 MB', BIG, async () => {
  const path = await fileOf(linesOf(HEADER));
  const file = await open(path, 'a');
  await file.write(`${OPEN}\n{"t":1,"type":"recv","data":"`);
  for (let mb = 0; mb < 100; mb++) await file.write('x'.repeat(1024 * 1024));
  await file.write('"}\n');
  await file.close();
  const { records } = await wholeCapture(path);
  expect(records.map(({ type }) => type)).toEqual(['open', 'recv']);
});

test('refuses a line over 256 MB by its number', BIG, async () => {
  const path = await fileOf(linesOf(HEADER, OPEN));
  const file = await open(path, 'r+');
  // A hole: no disk is used, and it reads as zeroes.
  await file.truncate(300 * 1024 * 1024);
  await file.close();
  expect(await errorOf(path)).toBe('x.parley.jsonl:3: is longer than 256 MB');
});

test('reports the number of bytes read, up to the size of the file', async () => {
  const text = linesOf(HEADER, ...Array.from({ length: 20_000 }, () => recv('x'.repeat(50))));
  const read: number[] = [];
  const reader = await readCapture(await fileOf(text), { onRead: (bytes) => read.push(bytes) });
  for await (const batch of reader.records()) expect(batch.length).toBeGreaterThan(0);
  expect(read.length).toBeGreaterThan(2);
  expect(read).toEqual(read.toSorted((a, b) => a - b));
  expect(read.at(-1)).toBe(text.length);
});
