import { mkdir, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { checkAll } from '#tests/builders/checkProperty.ts';
import { codePoint } from '#tests/builders/codePoint.ts';
import { all, temporaryFolder, wholeCapture } from '../testing/files.ts';
import { CaptureError, lineReader } from './captureDecoder.ts';
import { readCapture } from './readCapture.ts';
import { findCaptures } from './findCaptures.ts';

const HEADER = '{"format":"parley-capture","version":1,"startedAt":"2026-11-20T09:00:00.000Z","app":"0.1.0"}';
const OPEN = '{"t":0,"type":"open"}';
const recv = (data: string, t = 1) => JSON.stringify({ t, type: 'recv', data });

async function fileOf(content: string | Uint8Array, name = 'x.parley.jsonl'): Promise<string> {
  const path = (await temporaryFolder())(name);
  await writeFile(path, content);
  return path;
}

const linesOf = (...lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

async function errorOf(path: string): Promise<string> {
  const error: unknown = await wholeCapture(path).catch((caught: unknown) => caught);
  if (!(error instanceof CaptureError)) throw new Error(`not a CaptureError: ${String(error)}`);
  return error.message.replace(/^.*\//, '');
}

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

test('ignores Windows line ends, a byte order mark and blank lines', async () => {
  const path = await fileOf(`\uFEFF${HEADER}\r\n\r\n${OPEN}\r\n\n  \n${recv('x')}\r\n\n`);
  const { records, warnings } = await wholeCapture(path);
  expect(records.map(({ type }) => type)).toEqual(['open', 'recv']);
  expect(warnings).toEqual([]);
});

const BACK = ':4: goes back in time, from 5 to 4; its first 3 lines can be used: head -n 3';
const WRONG_END = `${linesOf(HEADER)}{"t":1,"type":"close"}`;
const LATIN = Buffer.from(`${linesOf(HEADER, OPEN)}${recv('a\u00FFb')}\n`, 'latin1');

test.each([
  ['a broken line in the middle', linesOf(HEADER, OPEN, '{"t":1,', OPEN), ':3: is not JSON'],
  ['a wrong last line without a newline', WRONG_END, ':2: is of type close without `code` and `reason`'],
  ['a time that decreases, after a blank line', linesOf(HEADER, '', recv('x', 5), recv('x', 4)), BACK],
  ['another kind of file', linesOf('{"log":{}}'), ':1: is not the header of a Parley capture'],
  ['an empty file', '', ': is empty'],
  ['a byte that is not UTF-8', LATIN, ':3: is not UTF-8'],
])(
  'contract §6 broken line: %s is an error that names the file and the line',
  async (_, content, problem) => {
    expect(await errorOf(await fileOf(content))).toBe(`x.parley.jsonl${problem}`);
  },
);

test('refuses a .gz file that is not gzipped, a missing file and a folder', async () => {
  const at = await temporaryFolder();
  await mkdir(at('folder.parley.jsonl'));
  await writeFile(at('x.parley.jsonl.gz'), linesOf(HEADER));
  for (const [name, problem] of [
    ['x.parley.jsonl.gz', 'is not a gzip file, or a broken one'],
    ['gone.parley.jsonl', 'there is no such file'],
    ['gone.parley.jsonl.gz', 'there is no such file'],
    ['folder.parley.jsonl', 'is a folder'],
  ] as const)
    expect(await errorOf(at(name))).toBe(`${name}: ${problem}`);
});

test('contract §6 broken line: reads what is before it, with a warning, for a reader that asks for it', async () => {
  const later = Array.from({ length: 20_000 }, (_, i) => recv(`later ${i} ${'x'.repeat(100)}`, 9));
  const path = await fileOf(linesOf(HEADER, OPEN, recv('x', 5), recv('y', 4), 'not JSON', ...later));
  const { records, warnings } = await readCapture(path, { brokenLines: 'end' });
  expect((await all(records())).flat().map(({ t }) => t)).toEqual([0, 5]);
  expect(warnings).toEqual([`${path}:4: goes back in time, from 5 to 4; only what is before it is used`]);
});

/** Reads a text whose bytes come in chunks that end at these places. */
function readLines(text: string, ends: readonly number[]) {
  const bytes = new TextEncoder().encode(text);
  const borders = [...ends.map((end) => end % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const reader = lineReader('x');
  const pieces = borders.flatMap((end, i) => reader.take(bytes.slice(borders[i - 1] ?? 0, end)));
  return pieces.concat(reader.rest() ?? []);
}

const text = fc.array(fc.string({ unit: codePoint }), { minLength: 1 }).map((lines) => lines.join('\n'));

test('reads the same lines, however the bytes are cut into chunks', () => {
  checkAll(100, [text, fc.array(fc.nat())], (whole, ends) => {
    const lines = whole.split('\n');
    if (lines.at(-1) === '') lines.pop();
    const pieces = readLines(whole, ends);
    expect(pieces.flatMap((piece) => piece.lines)).toEqual(lines);
    for (const piece of pieces) expect(piece.lines[0]).toBe(lines[piece.firstLine - 1]);
  });
});

test('contract §7 capture argument: finds captures in a folder and its subfolders, sorted, and by globs, each once', async () => {
  const at = await temporaryFolder();
  for (const name of ['deep/er', 'empty', '.hidden']) await mkdir(at(name), { recursive: true });
  const captures = ['[x].parley.jsonl', 'a.parley.jsonl.gz', 'b.parley.jsonl', 'deep/er/c.har', 'deep/f.har'];
  const others = ['deep/notes.txt', 'b.golden.json', '.hidden/d.har', '.e.har'];
  await Promise.all([...captures, ...others].map((name) => writeFile(at(name), '')));
  const find = async (...names: string[]) =>
    (await findCaptures(names.map(at))).map((path) => path.slice(at('/').length));
  expect(await find('')).toEqual(captures);
  expect(await find('b.parley.jsonl', '*.{jsonl,gz}', './b.parley.jsonl')).toEqual(captures.slice(0, 3));
  expect(await find('**/*.har')).toEqual(captures.slice(3));
  expect(await find('d*/*.har')).toEqual(['deep/f.har']);
  expect(await find('[[]x].parley.jsonl')).toEqual(['[x].parley.jsonl']);
});

test('refuses a line over 256 MB by its number, and keeps reading up to it', () => {
  const reader = lineReader('x');
  const chunk = new Uint8Array(8 * 2 ** 20);
  for (let mb = 0; mb < 256; mb += 8) expect(reader.take(chunk)).toEqual([]);
  expect(() => reader.take(new Uint8Array(1))).toThrow('x:1: is longer than 256 MB');
});
