import { readFile, readdir, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { message, recv } from '#tests/builders/updateOf.ts';
import { captureIn, temporaryFolder } from '../testing/files.ts';
import { parseGolden } from './golden.ts';
import { goldenPath, readGoldenText, writeGolden } from './goldenFile.ts';
import { recordGolden } from './traceCapture.ts';
import { parleyApp } from '../parley/parleyApp.ts';

const RECORDS = [
  recv(0, { person: 'Ada', messages: [] }),
  recv(1, message('m', { avatar: 'A'.repeat(5000) })),
  { t: 2, type: 'recv', data: 'not JSON' },
];

const VERSION = '{"format":"parley-golden","version":3}';

const readGolden = async (path: string) => parseGolden(path, await readGoldenText(path));

async function golden() {
  const { at, path: capture } = await captureIn(RECORDS);
  return { at, capture, ...(await recordGolden(capture, parleyApp)) };
}

test.each([
  ['x.parley.jsonl', 'x.golden.json'],
  ['a/x.y.parley.jsonl', 'a/x.y.golden.json'],
  ['a/x.y.parley.jsonl.gz', 'a/x.y.parley.jsonl.gz.golden.json'],
  ['x.har.parley.jsonl', 'x.har.parley.jsonl.golden.json'],
  ['odd.jsonl', 'odd.jsonl.golden.json'],
])('the golden of %s is %s', (capture, expected) => {
  expect(goldenPath(capture)).toBe(expected);
});

test('reads what it wrote, with a long string as its length and digest, and does not write the same content again', async () => {
  const { at, capture, golden: first } = await golden();
  expect(await writeGolden(capture, first)).toBe('new');
  const text = await readFile(at('x.golden.json'), 'utf8');
  expect(text.length).toBeLessThan(1500);
  expect(text).toContain('(5000 characters, sha256:');
  expect(await readGolden(at('x.golden.json'))).toEqual(first);
  expect(await writeGolden(capture, first)).toBe('unchanged');
  expect(await writeGolden(capture, { ...first, virtualMs: 1 })).toBe('changed');
  expect(await readdir(at(''))).toEqual(['x.golden.json', 'x.parley.jsonl']);
});

test.each([
  ['{"format":', 'is not JSON; run verify with --update'],
  [VERSION.replace('3', '99'), 'has version 99 of the golden format, this Parley 3; use a newer Parley'],
  [VERSION, 'is damaged at hash; run verify with --update'],
])('names the golden %s in one line, and says what to do', async (text, problem) => {
  const path = (await temporaryFolder())('x.golden.json');
  await writeFile(path, text);
  await expect(readGolden(path)).rejects.toThrow(`${path}: ${problem}`);
});

test('reports a golden that cannot be written in one line, and leaves nothing behind', async () => {
  const { at, golden: recorded } = await golden();
  const gone = at('no-such-folder/x');
  await expect(writeGolden(`${gone}.parley.jsonl`, recorded)).rejects.toThrow(
    `${gone}.golden.json: could not be written: `,
  );
  expect(await readdir(at(''))).toEqual(['x.parley.jsonl']);
});
