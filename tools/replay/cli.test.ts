import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { open, readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runProgram } from '#platform/testing/program.ts';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { version } from '../../package.json';
import { runTool, temporaryFolder, wholeCapture, writeCapture } from './testing/files.ts';

const CLI = resolve(import.meta.dirname, '../../out/replay/cli.js');

const BIG = { timeout: 60_000 };

const recv = (t: number, name: string): CaptureRecord => ({
  t,
  type: 'recv',
  data: JSON.stringify({ name }),
});

async function capture(records: readonly CaptureRecord[]) {
  const at = await temporaryFolder();
  return { at, path: await writeCapture(at('x.parley.jsonl'), records) };
}

test('contract §1 npm run replay, stdout: prints the result on stdout only and ends with 0', async () => {
  const { path } = await capture([recv(1, 'Ada Lovelace')]);
  const { code, stdout, stderr } = await runProgram(CLI, ['run', path, '--json']).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ capture: path, updates: { applied: 1, ignored: 0 } });
});

test('--version prints the version of package.json and ends with 0', async () => {
  expect(await runProgram(CLI, ['--version']).ended).toEqual({
    code: 0,
    stdout: `${version}\n`,
    stderr: '',
  });
});

test('run - reads a gzipped capture from a pipe and ends before the pipe does', async () => {
  const { path } = await capture([recv(1, 'Ada Lovelace'), recv(1000, 'late')]);
  const child = spawn(process.execPath, [CLI, 'run', '-', '--until', '1', '--json']);
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  const zipped = createGzip();
  zipped.pipe(child.stdin);
  zipped.write(await readFile(path));
  zipped.flush();
  await once(child, 'close');
  expect(child.exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ capture: 'stdin', updates: { applied: 1, ignored: 0 } });
});

const NO_COMMAND = 'name a command; parley-replay --help lists them\n';

test('contract §1 bad usage: one line on stderr and status 2 without a command', async () => {
  expect(await runProgram(CLI, []).ended).toEqual({ code: 2, stdout: '', stderr: NO_COMMAND });
});

test.each([
  [['run', 'gone.parley.jsonl'], 'gone.parley.jsonl: there is no such file\n'],
  [['run', 'x', '--wiht', 'state'], "unknown option '--wiht' (Did you mean --with?)\n"],
  [[], NO_COMMAND],
  [['fold'], "unknown command 'fold'; parley-replay --help lists the commands\n"],
])('contract §1 bad usage: %j gives one line on stderr and status 2', async (args, err) => {
  expect(await runTool(...args)).toEqual({ status: 2, out: '', err });
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  'contract §1 signals: %s ends a session at the recorded speed at once',
  async (signal) => {
    const { path } = await capture([recv(1, 'Ada Lovelace'), recv(3_600_000, 'late')]);
    const program = runProgram(CLI, ['run', path, '--speed', '1']);
    expect(await program.firstLine).toContain('Ada Lovelace');
    program.child.kill(signal);
    await program.ended;
    // A shell shows 130 or 143.
    expect(program.child.signalCode).toBe(signal);
  },
);

test.each([
  ['run', '--json', '--with', 'conversation'],
  ['stats', '--per-update'],
])('%s ends without a message when the reader of stdout closes it', BIG, async (command, ...options) => {
  const message = { modifier: 'ai', content: [{ category: 'text', text: 'x'.repeat(1000) }] };
  const frames = Array.from({ length: 5000 }, (_, t) => ({
    t,
    type: 'recv',
    data: JSON.stringify(message),
  }));
  const { path } = await capture(frames);
  const child = spawn(process.execPath, [CLI, command, path, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  child.stdout.once('data', () => child.stdout.destroy());
  await once(child, 'close');
  expect({ code: child.exitCode, stderr }).toEqual({ code: 0, stderr: '' });
});

test('SIGINT during minimize keeps the best result so far and ends with 130', BIG, async () => {
  const { at, path } = await capture(Array.from({ length: 64 }, (_, t) => recv(t, `name ${t}.`)));
  // The first checks say which half it is; then one never ends.
  const check = `n=$(wc -l < "$1"); echo $n >> ${at('sizes')}; [ $n -gt 17 ] || { echo > ${at('stuck')}; sleep 1000; }; ! grep -q 'name 40\\.' "$1"`;
  await writeFile(at('check.sh'), check.replace('[ $n -gt 17 ]', '[ $n -eq 1 ] || [ $n -gt 17 ]'));
  const program = runProgram(CLI, ['minimize', path, '--check', `sh ${at('check.sh')}`, '--json']);
  await vi.waitUntil(() => readFile(at('stuck')).then(Boolean, () => false), { timeout: 30_000 });
  program.child.kill('SIGINT');
  const { code, stdout, stderr } = await program.ended;
  expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ records: { before: 64, after: 32 }, minimal: false });
  const { records } = await wholeCapture(at('x.min.parley.jsonl'));
  expect(records).toEqual(Array.from({ length: 32 }, (_, i) => recv(32 + i, `name ${32 + i}.`)));
});

test.each([['run'], ['stats', '--per-update'], ['verify'], ['redact', '-o', '-']])(
  '%s prints one line and ends with 2 when stdout is full',
  async (command, ...options) => {
    const { path } = await capture([recv(1, 'Ada Lovelace')]);
    const full = await open('/dev/full', 'w');
    const child = spawn(process.execPath, [CLI, command, path, ...options], {
      stdio: ['ignore', full.fd, 'pipe'],
    });
    let stderr = '';
    child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()));
    await once(child, 'close');
    await full.close();
    expect({ code: child.exitCode, stderr }).toEqual({
      code: 2,
      stderr: 'stdout cannot be written: the disk is full\n',
    });
  },
);

test('verify keeps its exit status when the reader of stdout closes it', async () => {
  const { path } = await capture([recv(1, 'Ada Lovelace')]);
  const child = spawn(process.execPath, [CLI, 'verify', '--files-from', '-', '--reporter', 'ndjson']);
  let stderr = '';
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  await once(child.stdout, 'data');
  child.stdout.destroy();
  child.stdin.end(`${path}\n`.repeat(100));
  await once(child, 'close');
  expect({ code: child.exitCode, stderr }).toEqual({ code: 2, stderr: '' });
});

test('open and record with --json print one document with their addresses, and nothing else', async () => {
  const { at, path } = await capture([recv(1, 'Ada Lovelace')]);
  const folder = at('captures');
  const record = ['record', '--listen', '0', '--upstream', 'ws://127.0.0.1:9', '-o', folder];
  const printed = [['open', path, '--no-open'], record].map(async (args) => {
    const { child, firstLine, ended } = runProgram(CLI, [...args, '--json']);
    await firstLine;
    child.kill('SIGTERM');
    const { stdout } = await ended;
    return JSON.parse(stdout);
  });
  expect(await Promise.all(printed)).toEqual([
    { capture: path, address: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\?token=/) },
    {
      folder,
      apiUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      platformUrl: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+$/),
    },
  ]);
});

async function startRedirected(redirection: string) {
  const child = spawn('/bin/sh', ['-c', `"$0" "$1" --version ${redirection}`, process.execPath, CLI]);
  const stderr = text(child.stderr);
  await once(child, 'close');
  return { code: child.exitCode, stderr: await stderr };
}

test('ends with 2 and one line when stdout is closed, but not when it is /dev/null', async () => {
  expect(await Promise.all([startRedirected('>&-'), startRedirected('> /dev/null')])).toEqual([
    { code: 2, stderr: 'stdout is closed; to discard the results, redirect it to /dev/null\n' },
    { code: 0, stderr: '' },
  ]);
});
