import { readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { STARTED_AT, runTool, temporaryFolder, wholeCapture, writeCapture } from '../testing/files.ts';

const RECORDS: readonly CaptureRecord[] = [
  { t: 0, type: 'open' },
  { t: 5, type: 'recv', data: '{"person":"Ada Lovelace","messages":[]}' },
  { t: 6, type: 'send', data: '{"category":"text","text":"my secret","blob":null}' },
];

async function capture() {
  const at = await temporaryFolder();
  return { at, path: await writeCapture(at('x.parley.jsonl'), RECORDS) };
}

test('writes a redacted file that only its owner can read, and prints what it replaced', async () => {
  const { at, path } = await capture();
  const target = at('y.parley.jsonl');
  const { status, out, err } = await runTool('redact', path, '-o', target);
  expect({ status, err }).toEqual({ status: 0, err: '' });
  expect(out).toContain('3 records');
  expect(out).toMatch(/person +1/);
  expect((await stat(target)).mode & 0o777).toBe(0o600);
  expect(await wholeCapture(target)).toMatchObject({
    header: { startedAt: '1970-01-01T00:00:00.000Z', app: '0.1.0' },
    records: [
      { t: 0, type: 'open' },
      { t: 5, type: 'recv', data: '{"person":"person-0","messages":[]}' },
      { t: 6, type: 'send', data: '{"category":"text","text":"text-0","blob":null}' },
    ],
  });
  expect(await readdir(at('.'))).toEqual(['x.parley.jsonl', 'y.parley.jsonl']);
});

test('gzips a name that ends in .gz, keeps the time with --keep-time, and prints one document with --json', async () => {
  const { at, path } = await capture();
  const target = at('y.parley.jsonl.gz');
  const { out } = await runTool('redact', path, '-o', target, '--keep-time', '--json');
  expect(JSON.parse(out)).toEqual({
    capture: path,
    output: target,
    records: 3,
    aliases: { person: 1, text: 1 },
  });
  expect(gunzipSync(await readFile(target)).toString()).toContain(STARTED_AT);
});

test('refuses the capture itself as output, also by another name, and does not change it', async () => {
  const { at, path } = await capture();
  await symlink(path, at('same'));
  const before = await readFile(path, 'utf8');
  for (const target of [path, at('same')]) {
    expect(await runTool('redact', path, '-o', target)).toEqual({
      status: 2,
      out: '',
      err: `${target}: is the capture itself; name another file with -o\n`,
    });
  }
  expect(await readFile(path, 'utf8')).toBe(before);
});

test('keeps the existing output when the capture is broken in the middle, and leaves no other file', async () => {
  const { at, path } = await capture();
  await writeFile(path, 'oops\n', { flag: 'a' });
  await writeFile(at('y'), 'before');
  expect(await runTool('redact', path, '-o', at('y'), '--force')).toEqual({
    status: 2,
    out: '',
    err: `${path}:5: is not JSON\n`,
  });
  expect(await readFile(at('y'), 'utf8')).toBe('before');
  expect(await readdir(at('.'))).toEqual(['x.parley.jsonl', 'y']);
});

test('warns about a truncated last line', async () => {
  const { at, path } = await capture();
  await writeFile(path, '{"t":7', { flag: 'a' });
  const { status, err } = await runTool('redact', path, '-o', at('y'));
  expect({ status, err }).toEqual({ status: 0, err: expect.stringMatching(/^warning: .*:5: is not JSON; /) });
});

test.each([
  ['/gone/y', 'cannot be written: its folder does not exist'],
  ['/dev/full', 'cannot be written: the disk is full'],
])('refuses an output %s in one line, with status 2', async (target, reason) => {
  const { path } = await capture();
  expect(await runTool('redact', path, '-o', target)).toEqual({
    status: 2,
    out: '',
    err: `${target}: ${reason}\n`,
  });
  expect((await stat('/dev/full')).isCharacterDevice()).toBe(true);
});

test('requires an output, in one line with status 2', async () => {
  const { path } = await capture();
  expect(await runTool('redact', path)).toMatchObject({
    status: 2,
    err: expect.stringMatching(/^[^\n]*-o[^\n]*\n$/),
  });
});
