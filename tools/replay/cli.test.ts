import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { runTool, temporaryFolder, wholeCapture, writeCapture } from './testing/files.ts';
import { CLI, startTool } from './testing/startTool.ts';

const recv = (t: number, name: string): CaptureRecord => ({
  t,
  type: 'recv',
  data: JSON.stringify({ name }),
});

async function capture(...records: readonly CaptureRecord[]) {
  const at = await temporaryFolder();
  return { at, path: await writeCapture(at('x.parley.jsonl'), records) };
}

test('contract §1 npm run replay, stdout: prints the result on stdout only and ends with 0, with a gzipped capture from a pipe, before the pipe ends', async () => {
  const { path } = await capture(recv(1, 'Ada Lovelace'), recv(1000, 'late'));
  const { child, ended } = startTool(['run', '-', '--until', '1', '--json']);
  const zipped = createGzip();
  zipped.pipe(child.stdin);
  zipped.write(await readFile(path));
  zipped.flush();
  const { status, stdout, stderr } = await ended;
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ capture: 'stdin', updates: { applied: 1, ignored: 0 } });
});

test.each([
  [[], 'name a command; parley-replay --help lists them\n'],
  [['run', 'gone.parley.jsonl'], 'gone.parley.jsonl: there is no such file\n'],
  [['run', 'x', '--wiht', 'state'], "unknown option '--wiht' (Did you mean --with?)\n"],
  [['fold'], "unknown command 'fold'; parley-replay --help lists the commands\n"],
])('contract §1 bad usage: %j gives one line on stderr and status 2', async (args, err) => {
  expect(await runTool(...args)).toEqual({ status: 2, out: '', err });
});

test('ends with 0 and without a message when the reader of stdout closes it', async () => {
  const message = { modifier: 'ai', content: [{ category: 'text', text: 'x'.repeat(1000) }] };
  const frames = Array.from({ length: 500 }, (_, t) => ({ t, type: 'recv', data: JSON.stringify(message) }));
  const { path } = await capture(...frames);
  const run = startTool(['run', path, '--json', '--with', 'conversation']);
  run.child.stdout.once('data', () => run.child.stdout.destroy());
  expect(await run.ended).toMatchObject({ status: 0, stderr: '' });
});

async function redirected(to: string, ...args: readonly string[]) {
  const child = spawn('/bin/sh', ['-c', `"$@" ${to}`, 'sh', process.execPath, CLI, ...args]);
  const stderr = text(child.stderr);
  await once(child, 'close');
  return { code: child.exitCode, stderr: await stderr };
}

test('prints one line and ends with 2 when stdout is full or closed', async () => {
  const { path } = await capture(recv(1, 'Ada Lovelace'));
  const ends = await Promise.all([redirected('> /dev/full', 'run', path), redirected('>&-', '--version')]);
  expect(ends).toEqual([
    { code: 2, stderr: 'stdout cannot be written: the disk is full\n' },
    { code: 2, stderr: 'stdout is closed; to discard the results, redirect it to /dev/null\n' },
  ]);
});

test('contract §1 signals: SIGINT ends a session at the recorded speed at once', async () => {
  const { path } = await capture(recv(1, 'Ada Lovelace'), recv(3_600_000, 'late'));
  const { child, printed, ended } = startTool(['run', path, '--speed', '1']);
  await once(child.stdout, 'data');
  expect(printed.stdout).toContain('Ada Lovelace');
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ status: 130 });
});

test('contract §1 signals: SIGINT during minimize keeps the best result so far and ends with 130', async () => {
  const { at, path } = await capture(...Array.from({ length: 64 }, (_, t) => recv(t, `name ${t}.`)));
  execFileSync('mkfifo', [at('stuck')]);
  // The first checks say which half it is; then one never ends.
  const check = `n=$(wc -l < "$1"); [ $n -eq 1 ] || [ $n -gt 17 ] || { echo > ${at('stuck')}; sleep 1000; }; ! grep -q 'name 40\\.' "$1"`;
  await writeFile(at('check.sh'), check);
  const { child, ended } = startTool(['minimize', path, '--check', `sh ${at('check.sh')}`, '--json']);
  await readFile(at('stuck'));
  child.kill('SIGINT');
  const { status, stdout, stderr } = await ended;
  expect({ status, stderr }).toEqual({ status: 130, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ records: { before: 64, after: 32 }, minimal: false });
  const { records } = await wholeCapture(at('x.min.parley.jsonl'));
  expect(records).toEqual(Array.from({ length: 32 }, (_, i) => recv(32 + i, `name ${32 + i}.`)));
});

test('contract §1 signals: verify reports what it has found so far, and ends with 143', async () => {
  const { at, path } = await capture(recv(1, 'Ada Lovelace'));
  const { child, ended } = startTool(['verify', '--files-from', '-', '--update', '--reporter', 'json']);
  await new Promise<void>((resolvePromise) => {
    const watcher = watch(at(''), () => existsSync(at('x.golden.json')) && resolvePromise());
    onTestFinished(() => watcher.close());
    child.stdin.write(`${path}\n`);
  });
  child.kill('SIGTERM');
  // npm repeats the terminal's signal.
  child.kill('SIGTERM');
  const { status, stdout } = await ended;
  expect(status).toBe(143);
  expect(JSON.parse(stdout)).toMatchObject({
    end: 'SIGTERM',
    interrupted: true,
    results: expect.any(Array),
  });
});
