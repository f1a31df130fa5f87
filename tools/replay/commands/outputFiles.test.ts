import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { runTool, temporaryFolder, writeCapture } from '../testing/files.ts';

const RECORDS: readonly CaptureRecord[] = [
  { t: 0, type: 'open' },
  { t: 5, type: 'recv', data: '{"person":"Ada Lovelace","messages":[]}' },
];

/** Every command that writes a file, with the arguments before `-o` and the file's name. */
const WRITERS = [
  ['export', ['x.parley.jsonl', '--to', 'har'], 'y.har'],
  ['import', ['x.har'], 'y.parley.jsonl'],
  ['redact', ['x.parley.jsonl'], 'y.parley.jsonl'],
  ['minimize', ['x.parley.jsonl', '--check', 'false'], 'y.parley.jsonl'],
  ['report', ['x.parley.jsonl'], 'y.html'],
] as const;

async function setUp(args: readonly string[]) {
  const at = await temporaryFolder();
  const capture = await writeCapture(at('x.parley.jsonl'), RECORDS);
  await runTool('export', capture, '--to', 'har', '-o', at('x.har'));
  return { at, capture, args: args.map((one) => (one.startsWith('x.') ? at(one) : one)) };
}

test.each(WRITERS)(
  'contract §7 overwrite: %s %j keeps an existing file, and overwrites it with --force',
  async (name, given, file) => {
    const { at, args } = await setUp(given);
    const target = at(file);
    await writeFile(target, 'before');
    expect(await runTool(name, ...args, '-o', target)).toEqual({
      status: 2,
      out: '',
      err: `${target}: already exists; overwrite it with --force, or name another file with -o\n`,
    });
    expect(await readFile(target, 'utf8')).toBe('before');
    expect(await runTool(name, ...args, '-o', target, '--force')).toMatchObject({ status: 0 });
    expect(await readFile(target, 'utf8')).not.toBe('before');
  },
);

test.each([
  ['a folder', 'folder', ': is a folder; name a file with -o\n'],
  ['a file in no folder', 'gone/y.jsonl', ': cannot be written: its folder does not exist\n'],
])('refuses %s as output before it starts its work, also with --force', async (_, name, error) => {
  const { at, capture } = await setUp([]);
  await mkdir(at('folder'));
  const check = `touch ${at('checked')}; false`;
  const args = ['minimize', capture, '--check', check, '-o', at(name), '--force'];
  expect(await runTool(...args)).toEqual({ status: 2, out: '', err: `${at(name)}${error}` });
  await expect(readFile(at('checked'))).rejects.toThrow('ENOENT');
});

test('keeps a file that appears while the command works', async () => {
  const { at, capture } = await setUp([]);
  const target = at('y.parley.jsonl');
  const check = `echo theirs > ${target}; false`;
  const { status, err } = await runTool('minimize', capture, '--check', check, '-o', target);
  expect({ status, err }).toEqual({
    status: 2,
    err: `${target}: already exists; overwrite it with --force, or name another file with -o\n`,
  });
  expect(await readFile(target, 'utf8')).toBe('theirs\n');
  expect(await readdir(at('.'))).toEqual(['x.har', 'x.parley.jsonl', 'y.parley.jsonl']);
});

test('minimize refuses an existing file before its first check, also at its own name', async () => {
  const { at, capture } = await setUp([]);
  await writeFile(at('x.min.parley.jsonl'), 'before');
  const { status, err } = await runTool('minimize', capture, '--check', `touch ${at('checked')}; false`);
  expect({ status, err }).toMatchObject({ status: 2, err: expect.stringContaining('already exists') });
  await expect(readFile(at('checked'))).rejects.toThrow('ENOENT');
});

test.each(WRITERS)('%s %j writes the same to stdout with -o -', async (name, given, file) => {
  const { at, args } = await setUp(given);
  const { status, out, err } = await runTool(name, ...args, '-o', '-');
  expect(status).toBe(0);
  expect(err).toMatch(name === 'export' ? /^$/ : /^stdout: /);
  await runTool(name, ...args, '-o', at(file));
  const written = await readFile(at(file), 'utf8');
  expect(out).toBe(written);
  const both = await runTool(name, ...args, '-o', '-', '--json');
  expect(both).toMatchObject({ status: 2, out: '', err: expect.stringMatching(/^--json and -o - /) });
});

test('every command that writes a file has --force', async () => {
  const { out } = await runTool('--help');
  const names = [...out.slice(out.indexOf('Commands:')).matchAll(/^ {2}([a-z]+) /gm)].map(
    ([, name = '']) => name,
  );
  expect(names.length).toBeGreaterThan(10);
  const helps = await Promise.all(names.map(async (name) => (await runTool(name, '--help')).out));
  const writing = helps.filter((help) => help.includes('--output <file'));
  expect(writing).toHaveLength(WRITERS.length);
  for (const help of writing) expect(help).toMatch(/--force +overwrites an existing file/);
});
