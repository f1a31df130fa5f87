import { mkdir, readFile, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { configIn } from '../inspector/testing/serveFor.ts';
import { harMessage, harOf, harSocket, writeHar } from '../read/testing/har.ts';
import { STARTED_AT, captureIn, outOf, refused, runTool, wholeCapture } from '../testing/files.ts';

const RECORDS: readonly CaptureRecord[] = [
  { t: 0, type: 'open' },
  { t: 5, type: 'recv', data: '{"person":"Ada Lovelace","messages":[]}' },
  { t: 6, type: 'recv', data: JSON.stringify({ name: '</script><script>alert(1)</script><!--<script>' }) },
  { t: 7, type: 'send', data: '{"category":"text","text":"my secret","blob":null}' },
];

/** Every command that writes a file, with the arguments before `-o` and the file's name. */
const WRITERS = [
  ['export', ['x.parley.jsonl', '--to', 'har'], 'y.har'],
  ['import', ['x.har'], 'y.parley.jsonl'],
  ['redact', ['x.parley.jsonl'], 'y.parley.jsonl'],
  ['minimize', ['x.parley.jsonl', '--check', 'false'], 'y.parley.jsonl'],
  ['report', ['x.parley.jsonl'], 'y.html'],
] as const;

const EXISTS = ': already exists; overwrite it with --force, or name another file with -o\n';

async function setUp(args: readonly string[] = []) {
  const { at, path } = await captureIn(RECORDS);
  if (args.includes('x.har')) await runTool('export', path, '--to', 'har', '-o', at('x.har'));
  return { at, path, args: args.map((one) => (one.startsWith('x.') ? at(one) : one)) };
}

test.each(WRITERS)(
  'contract §7 overwrite: %s %j keeps an existing file, overwrites it with --force, and writes the same to stdout',
  async (name, given, file) => {
    const { at, args } = await setUp(given);
    const target = at(file);
    await writeFile(target, 'before');
    expect(await runTool(name, ...args, '-o', target)).toEqual(refused(target + EXISTS));
    expect(await readFile(target, 'utf8')).toBe('before');
    expect(await runTool(name, ...args, '-o', target, '--force')).toMatchObject({ status: 0 });
    const written = await readFile(target, 'utf8');
    const { status, out, err } = await runTool(name, ...args, '-o', '-');
    expect({ status, out }).toEqual({ status: 0, out: written });
    expect(err).toMatch(name === 'export' ? /^$/ : /^stdout: /);
    const both = await runTool(name, ...args, '-o', '-', '--json');
    expect(both).toMatchObject({ status: 2, out: '', err: expect.stringMatching(/^--json and -o - /) });
  },
);

test.each([
  ['a folder', 'folder', 'is a folder; name a file with -o'],
  ['the capture itself', 'x.parley.jsonl', 'is the capture itself; name another file with -o'],
])('refuses %s as output before it starts its work, also with --force', async (_, name, error) => {
  const { at, path } = await setUp();
  await mkdir(at('folder'));
  const before = await readFile(path, 'utf8');
  const given = ['minimize', path, '--check', `touch ${at('checked')}; false`, '-o', at(name), '--force'];
  expect(await runTool(...given)).toEqual(refused(`${at(name)}: ${error}\n`));
  await expect(readFile(at('checked'))).rejects.toThrow('ENOENT');
  expect(await readFile(path, 'utf8')).toBe(before);
});

test('keeps a file that appears while the command works, or that a broken capture would replace', async () => {
  const { at, path } = await setUp();
  const target = at('y.parley.jsonl');
  const check = `echo theirs > ${target}; false`;
  const late = await runTool('minimize', path, '--check', check, '-o', target);
  expect(late).toMatchObject({ status: 2, err: target + EXISTS });
  await writeFile(path, 'oops\n', { flag: 'a' });
  const broken = await runTool('redact', path, '-o', target, '--force');
  expect(broken).toEqual(refused(`${path}:6: is not JSON\n`));
  expect(await readFile(target, 'utf8')).toBe('theirs\n');
  expect(await readdir(at('.'))).toEqual(['x.parley.jsonl', 'y.parley.jsonl']);
});

test('redact writes a file that only its owner can read, and prints what it replaced', async () => {
  const { at, path } = await setUp();
  const target = at('y.parley.jsonl');
  const out = await outOf('redact', path, '-o', target);
  expect(out).toContain('4 records');
  expect(out).toMatch(/person +2/);
  expect((await stat(target)).mode & 0o777).toBe(0o600);
  expect(await wholeCapture(target)).toMatchObject({
    header: { startedAt: '1970-01-01T00:00:00.000Z', app: '0.1.0' },
    records: [{}, { data: '{"person":"person-0","messages":[]}' }, {}, { data: expect.any(String) }],
  });
  const zipped = await runTool('redact', path, '-o', at('y.gz'), '--keep-time', '--json');
  const aliases = { person: 2, text: 1 };
  const document = { capture: path, output: at('y.gz'), records: 4, aliases, version: 1 };
  expect(JSON.parse(zipped.out)).toEqual(document);
  expect(gunzipSync(await readFile(at('y.gz'))).toString()).toContain(STARTED_AT);
});

/** Returns the capture in a page that no script has touched. */
const embeddedIn = (html: string) => {
  const element = /<script type="text\/plain" id="inspector-capture">(.*?)<\/script>/s;
  return gunzipSync(Buffer.from(element.exec(html)?.[1] ?? '', 'base64')).toString();
};

test('contract §7 report: writes a report that contains the capture byte for byte and its start step', async () => {
  const { at, path } = await setUp();
  expect(await outOf('report', path, '-o', at('x.html'), '--step', '3')).toMatch(
    /x\.html: \d\.\d MB; it opens from disk, without a network\n.*--redact/,
  );
  const html = await readFile(at('x.html'), 'utf8');
  expect(embeddedIn(html)).toBe(await readFile(path, 'utf8'));
  expect(configIn(html)).toEqual({
    worker: { elementId: 'inspector-worker' },
    source: { elementId: 'inspector-capture', name: 'x.parley.jsonl' },
    makeTest: false,
    step: 3,
  });
  expect(html).toContain(`content="default-src 'none'; script-src 'sha256-`);
  expect(html).not.toContain('alert(1)');
  await writeFile(at('x.parley.jsonl.gz'), gzipSync(await readFile(path)));
  const { out: other } = await runTool('report', at('x.parley.jsonl.gz'), '-o', '-', '--at', '1500.25');
  expect([configIn(other), embeddedIn(other)]).toMatchObject([{ t: 1500.25 }, await readFile(path, 'utf8')]);
});

test('report --redact removes all texts and the file’s name', async () => {
  const { at } = await setUp();
  const path = at('Ada.parley.jsonl');
  await rename(at('x.parley.jsonl'), path);
  const { out } = await runTool('report', path, '-o', at('r.html'), '--redact', '--json');
  const html = await readFile(at('r.html'), 'utf8');
  const document = { capture: path, output: at('r.html'), bytes: Buffer.byteLength(html), redacted: true };
  expect(JSON.parse(out)).toEqual({ ...document, version: 1 });
  const text = embeddedIn(html) + JSON.stringify(configIn(html)) + /<title>.*<\/title>/.exec(html)?.[0];
  expect(text).toContain('person-0');
  expect(text).not.toMatch(/Ada|Lovelace|alert/);
});

test.each([[[]], [['--redact']]])(
  'a report with %j contains what is before a broken line, and warns of the line; nothing when no record can be used',
  async (options) => {
    const { at, path } = await setUp();
    const before = await readFile(path, 'utf8');
    await writeFile(path, `${before}{"t":8}\n{"t":9,"type":"open"}\n`);
    expect(await runTool('report', path, '-o', at('x.html'), ...options)).toMatchObject({
      status: 0,
      err: `warning: ${path}:6: has no \`type\`; only what is before it is used\n`,
    });
    const text = embeddedIn(await readFile(at('x.html'), 'utf8'));
    expect(text.split('\n')).toHaveLength(before.split('\n').length);
    await writeFile(path, `${before.split('\n')[0]}\nbroken\n`);
    const none = await runTool('report', path, '-o', '-', ...options);
    expect(none).toEqual(refused(`${path}:2: is not JSON\n`));
  },
);

test('contract §7 import: writes a capture beside the HAR, with the same replay', async () => {
  const frame = '{"person":"Ada Lovelace","messages":[]}';
  const { har, path } = await writeHar(harOf(harSocket([harMessage(1_795_165_200, frame)])));
  const capture = path('session.parley.jsonl');
  const written = `${capture}: 1 received, 0 sent\nReplay it with: npm run replay -- run ${capture}\n`;
  expect(await runTool('import', har)).toEqual({ status: 0, out: written, err: '' });
  expect(await wholeCapture(capture)).toEqual(await wholeCapture(har));
  expect((await stat(capture)).mode & 0o777).toBe(0o600);
  const zipped = path('x.parley.jsonl.gz');
  const frames = { received: 1, sent: 0 };
  const document = { har, capture: zipped, connections: 1, frames, warnings: [], version: 1 };
  const { out } = await runTool('import', har, '-o', zipped, '--json');
  expect(out).toBe(`${JSON.stringify(document)}\n`);
  expect(gunzipSync(await readFile(zipped)).toString()).toContain('Ada Lovelace');
});
