import { appendFile, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { harMessage, harOf, harSocket, writeHar } from '../read/testing/har.ts';
import { runTool, temporaryFolder, writeCapture } from '../testing/files.ts';
import { configIn } from '../inspector/testing/serveFor.ts';

const hostile = '</script><script>alert(1)</script><!--<script>';
const RECORDS: readonly CaptureRecord[] = [
  { t: 1, type: 'recv', data: '{"person":"Ada Lovelace","messages":[]}' },
  { t: 2, type: 'recv', data: JSON.stringify({ name: hostile }) },
];

async function start() {
  const at = await temporaryFolder();
  return { at, path: await writeCapture(at('x.parley.jsonl'), RECORDS) };
}

/** The text of an element that no script of the page has touched. */
const textIn = (html: string, id: string) =>
  new RegExp(`<script type="text/plain" id="${id}">(.*?)</script>`, 's').exec(html)?.[1] ?? '';
const captureIn = (html: string) =>
  gunzipSync(Buffer.from(textIn(html, 'inspector-capture'), 'base64')).toString();

test('contract §7 report: writes a report that contains the capture byte for byte and its start step', async () => {
  const { at, path } = await start();
  const { status, out, err } = await runTool('report', path, '-o', at('x.html'), '--step', '3');
  expect({ status, err }).toEqual({ status: 0, err: '' });
  expect(out).toMatch(/x\.html: \d\.\d MB; it opens from disk, without a network\n.*--redact/);
  const html = await readFile(at('x.html'), 'utf8');
  expect(captureIn(html)).toBe(await readFile(path, 'utf8'));
  expect(configIn(html)).toEqual({
    worker: { elementId: 'inspector-worker' },
    source: { elementId: 'inspector-capture', name: 'x.parley.jsonl' },
    makeTest: false,
    step: 3,
  });
  expect(html).toContain(`content="default-src 'none'; script-src 'sha256-`);
  expect(html).not.toContain('alert(1)');
  expect(await readdir(dirname(path))).toEqual(['x.html', 'x.parley.jsonl']);
});

test('writes the update or the time at which it opens', async () => {
  const { at, path } = await start();
  await runTool('report', path, '-o', at('x.html'), '--update', '2');
  expect(configIn(await readFile(at('x.html'), 'utf8'))).toMatchObject({ update: 2 });
  await runTool('report', path, '-o', at('y.html'), '--at', '1500.25');
  expect(configIn(await readFile(at('y.html'), 'utf8'))).toMatchObject({ t: 1500.25 });
});

test('writes nothing to stdout when no record of the capture can be used', async () => {
  const { at } = await start();
  const path = await writeCapture(at('broken.parley.jsonl'), []);
  await appendFile(path, 'broken\n{"t":3,"type":"open"}\n');
  for (const options of [[], ['--redact']])
    expect(await runTool('report', path, '-o', '-', ...options)).toEqual({
      status: 2,
      out: '',
      err: `${path}:2: is not JSON\n`,
    });
});

test('--redact removes all texts and the file’s name', async () => {
  const { at } = await start();
  const path = await writeCapture(at('Ada.parley.jsonl'), RECORDS);
  const { out } = await runTool('report', path, '-o', at('r.html'), '--redact', '--json');
  const html = await readFile(at('r.html'), 'utf8');
  expect(JSON.parse(out)).toEqual({
    capture: path,
    output: at('r.html'),
    bytes: Buffer.byteLength(html),
    redacted: true,
  });
  const text = captureIn(html);
  expect(text).toContain('person-0');
  expect(text + JSON.stringify(configIn(html)) + /<title>.*<\/title>/.exec(html)?.[0]).not.toMatch(
    /Ada|Lovelace|alert/,
  );
});

test('contains a gzipped capture unchanged', async () => {
  const { at, path } = await start();
  await writeFile(at('x.parley.jsonl.gz'), gzipSync(await readFile(path)));
  await runTool('report', at('x.parley.jsonl.gz'), '-o', at('x.html'));
  expect(captureIn(await readFile(at('x.html'), 'utf8'))).toBe(await readFile(path, 'utf8'));
});

test('warns about a report of more than 50 MB with its size, and writes it', async () => {
  const { at } = await start();
  const data = JSON.stringify({ name: 'x'.repeat(38_000_000) });
  const text = await readFile(await writeCapture(at('l.parley.jsonl'), [{ t: 1, type: 'recv', data }]));
  await writeFile(at('l.parley.jsonl.gz'), gzipSync(text, { level: 0 }));
  const { status, err } = await runTool('report', at('l.parley.jsonl.gz'), '-o', at('l.html'));
  const { size } = await stat(at('l.html'));
  expect(size).toBeGreaterThan(50e6);
  const words = `warning: ${at('l.html')}: browsers need time to open ${(size / 1e6).toFixed(1)} MB\n`;
  expect({ status, err }).toEqual({ status: 0, err: words });
});

test('omits a truncated last line, with a warning', async () => {
  const { at, path } = await start();
  const whole = await readFile(path, 'utf8');
  await writeFile(at('torn.parley.jsonl'), `${whole}{"t":3,"ty`);
  const { status, err } = await runTool('report', at('torn.parley.jsonl'), '-o', at('x.html'));
  expect({ status, err }).toEqual({ status: 0, err: expect.stringMatching(/^warning: \S+:4: is not JSON/) });
  expect(captureIn(await readFile(at('x.html'), 'utf8'))).toBe(whole);
});

test('contains a HAR as a capture', async () => {
  const { har, path } = await writeHar(harOf(harSocket([harMessage(1_763_629_200.5, '{"name":"Ada"}')])));
  await runTool('report', har, '-o', path('x.html'));
  expect(captureIn(await readFile(path('x.html'), 'utf8'))).toContain(String.raw`{\"name\":\"Ada\"}`);
});

test('contains what is before a broken line in the middle, and warns of the line by its number', async () => {
  const { at, path } = await start();
  const before = await readFile(path, 'utf8');
  await writeFile(path, `${before}{"t":3}\n{"t":4,"type":"open"}\n`);
  for (const options of [[], ['--redact']]) {
    const { status, err } = await runTool('report', path, '-o', at('x.html'), '--force', ...options);
    expect({ status, err }).toEqual({
      status: 0,
      err: `warning: ${path}:4: has no \`type\`; only what is before it is used\n`,
    });
    const lines = captureIn(await readFile(at('x.html'), 'utf8'))
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(before.trimEnd().split('\n').length);
  }
});

test('refuses the capture as output and does not change it', async () => {
  const { path } = await start();
  const before = await readFile(path, 'utf8');
  expect(await runTool('report', path, '-o', path)).toEqual({
    status: 2,
    out: '',
    err: `${path}: a report’s name ends in .html\n`,
  });
  expect(await readFile(path, 'utf8')).toBe(before);
});
