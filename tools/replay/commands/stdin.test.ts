import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { afterEach, expect, test, vi } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { recv } from '#tests/builders/recv.ts';
import { runTool, temporaryFolder, writeCapture } from '../testing/files.ts';
import { openCapture } from '../inspector/serve/openCapture.ts';

const RECORDS: readonly CaptureRecord[] = [
  { t: 0, type: 'open' },
  recv(5, { person: 'Ada Lovelace', messages: [] }),
];

/** Every command that reads one capture once and ends, with its other arguments. */
const READERS = [
  ['run', ['--json', '--hash']],
  ['stats', ['--json']],
  ['stats', ['--per-update', '--format', 'ndjson']],
  ['export', ['--to', 'har']],
  ['redact', ['-o', '-']],
  ['minimize', ['--check', 'false', '-o', '-']],
  ['report', ['-o', '-']],
  ['report', ['-o', '-', '--redact']],
] as const;

afterEach(() => vi.restoreAllMocks());

const giveStdin = (...chunks: readonly Uint8Array[]) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a stream, as stdin is; no more of it is used
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from(chunks, { objectMode: false }) as never);

async function setUp() {
  const at = await temporaryFolder();
  const path = await writeCapture(at('x.parley.jsonl'), RECORDS);
  return { at, path, bytes: await readFile(path) };
}

/** What is the same for a file and stdin. */
const withoutNames = ({ status, out, err }: Awaited<ReturnType<typeof runTool>>, path: string) => ({
  status,
  out: out
    .replace(JSON.stringify(path), '"stdin"')
    .replaceAll(basename(path), 'stdin')
    .replace(/"wallMs":[0-9.]+/, '"wallMs":0'),
  err,
});

test.each(READERS)(
  'contract §7 capture argument: %s - gives the result of a file, plain and gzipped',
  async (name, options) => {
    const { path, bytes } = await setUp();
    const expected = withoutNames(await runTool(name, path, ...options), path);
    expect(expected.status).toBe(0);
    for (const given of [bytes, gzipSync(bytes)]) {
      // The first chunk is shorter than gzip's mark.
      giveStdin(given.subarray(0, 1), given.subarray(1));
      expect(withoutNames(await runTool(name, '-', ...options), path)).toEqual(expected);
    }
  },
);

test('diff takes stdin in place of one of two captures, and refuses it twice', async () => {
  const { path, bytes } = await setUp();
  giveStdin(bytes);
  expect(await runTool('diff', '-', path, '--json')).toMatchObject({
    status: 0,
    out: expect.stringContaining('{"a":"stdin",'),
  });
  expect(await runTool('diff', '-', '-')).toEqual({
    status: 2,
    out: '',
    err: '- (stdin) can be read once; name a file\n',
  });
});

test('import - reads a HAR, plain, gzipped or in a zip, and needs -o; run - recognizes one, also indented', async () => {
  const { at, path } = await setUp();
  await runTool('export', path, '--to', 'har', '-o', at('x.har'));
  const har = await readFile(at('x.har'));
  const expected = (await runTool('import', at('x.har'), '-o', '-')).out;
  const zip = zipSync({ 'x.har': new Uint8Array(har) });
  for (const given of [har, gzipSync(har), zip]) {
    giveStdin(given);
    expect(await runTool('import', '-', '-o', '-')).toMatchObject({ status: 0, out: expected });
  }
  const indented = Buffer.from(JSON.stringify(JSON.parse(har.toString()), null, 2));
  for (const given of [har, gzipSync(indented), zip]) {
    giveStdin(given);
    expect(await runTool('run', '-')).toMatchObject({
      status: 0,
      out: expect.stringContaining('1 received'),
    });
  }
  expect(await runTool('import', '-')).toMatchObject({ status: 2, err: NO_FILE_BESIDE });
});

const NO_FILE_BESIDE = '- (stdin) has no file beside it; name the result with -o\n';

test('verify reads known signatures and earlier reports from stdin, each of them alone', async () => {
  const { path } = await setUp();
  await runTool('verify', path, '--update');
  const report = Buffer.from((await runTool('verify', path, '--reporter', 'ndjson')).out);
  for (const [args, input] of [
    [['verify', path, '--known', '-'], Buffer.from('[]')],
    [['verify', path, '--resume', '-'], report],
    [['verify', 'merge', '-'], report],
  ] as const) {
    giveStdin(input);
    expect(await runTool(...args)).toMatchObject({
      status: 0,
      out: expect.stringContaining('1 capture: 1 same'),
      err: '',
    });
    giveStdin(Buffer.from('x'));
    expect(await runTool(...args)).toMatchObject({ status: 2, err: expect.stringMatching(/^stdin: is n/) });
  }
});

test.each([
  [['verify', '--files-from', '-', '--known', '-'], '- (stdin) can be read once; name a file\n'],
  [['verify', 'merge', '-', '-'], '- (stdin) can be read once; name a file\n'],
  [['corpus', 'distill', 'x', '-o', '-'], '-o takes the name of a new folder, not - (stdout)\n'],
  [
    ['record', '--listen', '0', '--upstream', 'ws://127.0.0.1:9', '-o', '-'],
    'record writes a capture for each connection; name a folder with -o\n',
  ],
  [['minimize', '-', '--check', 'false'], NO_FILE_BESIDE],
  [
    ['verify', '-'],
    '- (stdin) works only for commands that read one capture once; save it to a file and name the file\n',
  ],
  [
    ['compare', '-', '--base', 'HEAD'],
    '- (stdin) works only for commands that read one capture once; save it to a file and name the file\n',
  ],
])('%j is refused in one line', async (args, err) => {
  expect(await runTool(...args)).toEqual({ status: 2, out: '', err });
});

test.each([
  ['', 'stdin: is empty\n'],
  ['x', 'stdin:1: is not JSON\n'],
  ['\u001F\u008B broken', 'stdin: is not a gzip file, or a broken one\n'],
])('stdin that begins with %j is refused by name', async (bytes, err) => {
  giveStdin(Buffer.from(bytes, 'latin1'));
  expect(await runTool('run', '-')).toEqual({ status: 2, out: '', err });
});

test('the inspector gives a capture of stdin to each page that asks', async () => {
  const { bytes } = await setUp();
  giveStdin(bytes);
  const { name, read } = await openCapture('-');
  expect(name).toBe('stdin');
  for (let page = 0; page < 2; page++) expect(await text((await read()).stream)).toBe(bytes.toString());
});

const USE_STDIN = 'give it on stdin and name - as the capture';
const USE_A_FILE = 'save it to a file and name the file';

test.each([
  ['open', ['--no-open'], USE_STDIN],
  ['report', ['-o', '-'], USE_STDIN],
  ['verify', [], USE_A_FILE],
])('%s refuses a pipe, which it could read only once', async (name, options, advice) => {
  const { at } = await setUp();
  execFileSync('mkfifo', [at('pipe.parley.jsonl')]);
  expect(await runTool(name, at('pipe.parley.jsonl'), ...options)).toEqual({
    status: 2,
    out: '',
    err: `${at('pipe.parley.jsonl')}: is a pipe, which can be read once; ${advice}\n`,
  });
});

test.each(['serve', 'export'])('%s says of a folder with two captures that it takes one', async (name) => {
  const { at } = await setUp();
  await writeCapture(at('y.parley.jsonl'), RECORDS);
  expect(await runTool(name, at('.'), ...(name === 'export' ? ['--to', 'har'] : []))).toEqual({
    status: 2,
    out: '',
    err: `${at('.')}: contains 2 captures, and this command takes one; name it\n`,
  });
});
