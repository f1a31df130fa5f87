import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { recv } from '#tests/builders/updateOf.ts';
import { captureIn, captureOf, giveStdin, runTool } from '../testing/files.ts';

const DEEP = `{"modifier":"ai","x":${'['.repeat(6000)}${']'.repeat(6000)}}`;

/** A session with frames that are nested too deep, contain `__proto__` or have huge numbers. */
const RECORDS: readonly CaptureRecord[] = [
  { t: 0, type: 'open' },
  recv(1, { person: 'Ada', messages: [{ id: '1', modifier: 'ai', content: [] }] }),
  { t: 2, type: 'recv', data: DEEP },
  { t: 3, type: 'recv', data: '{"modifier":"ai","__proto__":{"text":"x"}}' },
  { t: 4, type: 'recv', data: '['.repeat(100_000) },
  { t: 5, type: 'send', data: DEEP },
  { t: 6, type: 'recv', data: '{"text":"x","content":4294967295,"length":1e308}' },
];

/** Every command that reads one capture once and ends, with its other arguments; `why.slow.test.ts` has `why`. */
const READERS = [
  ['run', ['--json', '--hash', '--with', 'conversation,notifications,state']],
  ['stats', ['--json']],
  ['find', ['modifier', '--json']],
  ['state', ['--json']],
  ['export', ['--to', 'har']],
  ['redact', ['-o', '-']],
  ['minimize', ['--check', '! grep -q __proto__ $1 # ', '-o', '-']],
  ['report', ['-o', '-', '--redact']],
] as const;

const withoutNames = ({ out, ...rest }: Awaited<ReturnType<typeof runTool>>, path: string) => ({
  ...rest,
  out: out
    .replaceAll(JSON.stringify(path), '"stdin"')
    .replaceAll(basename(path), 'stdin')
    .replace(/"wallMs":[0-9.]+/, '"wallMs":0'),
});

test.each(READERS)('contract §7 capture argument: %s - gives the result of a file', async (name, options) => {
  const { path } = await captureIn(RECORDS);
  const bytes = await readFile(path);
  const expected = withoutNames(await runTool(name, path, ...options), path);
  expect(expected.status).toBe(0);
  expect(expected.out.length).toBeGreaterThan(50);
  for (const given of [bytes, gzipSync(bytes)]) {
    // The first chunk is shorter than gzip's mark.
    giveStdin(given.subarray(0, 1), given.subarray(1));
    // Not `toEqual`: a difference of a long text takes minutes to describe.
    const { out, ...rest } = withoutNames(await runTool(name, '-', ...options), path);
    const isSame = out === expected.out;
    expect({ ...rest, isSame }).toEqual({ status: 0, err: expected.err, isSame: true });
  }
});

test('counts hostile frames as rejected, also after export and import; verify and diff compare them', async () => {
  const { at, path } = await captureIn(RECORDS);
  await runTool('export', path, '--to', 'har', '-o', at('x.har'));
  await runTool('import', at('x.har'), '-o', at('z.parley.jsonl'));
  const rejected = '(3 rejected: 2 nested too deep, 1 a field named __proto__)';
  for (const capture of [path, at('z.parley.jsonl')])
    expect((await runTool('run', capture)).out).toContain(rejected);
  for (const [args, status] of [
    [['verify', '--update', path], 0],
    [['verify', path], 0],
    [['redact', path, '-o', at('y.parley.jsonl')], 0],
    [['diff', path, path], 0],
    [['diff', path, at('y.parley.jsonl')], 1],
  ] as const)
    expect(await runTool(...args)).toMatchObject({ status });
});

test.each([
  ['a record', `{"t":7,"type":"other","x":${DEEP}}`],
  ['an action', `{"t":7,"type":"action","action":{"type":"x","payload":${DEEP}}}`],
])('%s that is nested too deep is an error that names the line', async (_, line) => {
  const path = await captureOf([]);
  await writeFile(path, `${line}\n`, { flag: 'a' });
  for (const args of [['run'], ['stats'], ['serve'], ['minimize', '--check', 'false']]) {
    const err = expect.stringMatching(/:2: is nested deeper than 200 levels/);
    expect(await runTool(...args, path)).toMatchObject({ status: 2, err });
  }
});

test('import - reads a HAR, plain, gzipped or in a zip; run - recognizes one, also indented', async () => {
  const { at, path } = await captureIn(RECORDS);
  await runTool('export', path, '--to', 'har', '-o', at('x.har'));
  const har = await readFile(at('x.har'));
  const expected = (await runTool('import', at('x.har'), '-o', '-')).out;
  const indented = Buffer.from(JSON.stringify(JSON.parse(har.toString()), null, 2));
  for (const given of [har, gzipSync(indented), zipSync({ 'x.har': new Uint8Array(har) })]) {
    giveStdin(given);
    const { status, out } = await runTool('import', '-', '-o', '-');
    expect([status, out === expected]).toEqual([0, true]);
    giveStdin(given);
    const run = await runTool('run', '-');
    expect(run).toMatchObject({ status: 0, out: expect.stringContaining('5 received') });
  }
  await writeFile(at('deep.har'), `{"log":{"entries":[],"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`);
  const { status, err } = await runTool('import', at('deep.har'), '-o', '-');
  expect([status, err.trim().split('\n').length]).toEqual([2, 1]);
});

test('verify reads known signatures and earlier reports from stdin, each of them alone', async () => {
  const { path } = await captureIn(RECORDS);
  await runTool('verify', path, '--update');
  const report = Buffer.from((await runTool('verify', path, '--reporter', 'ndjson')).out);
  for (const [args, input] of [
    [['verify', path, '--known', '-'], Buffer.from('[]')],
    [['verify', path, '--resume', '-'], report],
    [['verify', 'merge', '-'], report],
  ] as const) {
    giveStdin(input);
    const out = expect.stringContaining('1 capture: 1 same');
    expect(await runTool(...args)).toMatchObject({ status: 0, out, err: '' });
    giveStdin(Buffer.from('x'));
    expect(await runTool(...args)).toMatchObject({ status: 2, err: expect.stringMatching(/^stdin: is n/) });
  }
});
