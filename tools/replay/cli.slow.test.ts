import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { dirname, resolve } from 'node:path';
import { createGzip } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { runProgram } from '#platform/testing/program.ts';
import { recv } from '#tests/builders/updateOf.ts';
import { startServer } from './recorder/testing/recorded.ts';
import { captureIn, refused, runTool, temporaryFolder, wholeCapture } from './testing/files.ts';

const CLI = resolve(import.meta.dirname, '../../out/replay/cli.js');

/** Starts the tool; it has ended when the test ends. `ended` has the exit status that a shell shows. */
function startTool(args: readonly string[], cwd?: string) {
  const child = spawn(process.execPath, [CLI, ...args], { cwd });
  onTestFinished(() => void child.kill('SIGKILL'));
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', (data: Buffer) => (printed.stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (printed.stderr += data.toString()));
  // A command may end before it has read all of its input.
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close').then(() => ({ status: statusOf(child), ...printed }));
  return { child, printed, ended };
}

const statusOf = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode ?? 128 + constants.signals[signalCode ?? 'SIGKILL'];

const named = (t: number, name: string) => recv(t, { name });

const ONE = [named(1, 'Ada Lovelace')];

test('contract §1 npm run replay, stdout: prints the result on stdout only and ends with 0, with a gzipped capture from a pipe, before the pipe ends', async () => {
  const { path } = await captureIn([...ONE, named(1000, 'late')]);
  const { child, ended } = startTool(['run', '-', '--until', '1', '--json']);
  const zipped = createGzip();
  zipped.pipe(child.stdin);
  zipped.write(await readFile(path));
  zipped.flush();
  const { status, stdout, stderr } = await ended;
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ capture: 'stdin', updates: { applied: 1, ignored: 0 } });
});

test('ends with 0 and without a message when the reader of stdout closes it', async () => {
  const message = { modifier: 'ai', content: [{ category: 'text', text: 'x'.repeat(1000) }] };
  const { path } = await captureIn(Array.from({ length: 500 }, (_, t) => recv(t, message)));
  const { child, ended } = startTool(['run', path, '--json', '--with', 'conversation']);
  child.stdout.once('data', () => child.stdout.destroy());
  expect(await ended).toMatchObject({ status: 0, stderr: '' });
});

test.each([
  ['full', '> /dev/full', 'stdout cannot be written: the disk is full\n'],
  ['closed', '>&-', 'stdout is closed; to discard the results, redirect it to /dev/null\n'],
])('prints one line and ends with 2 when stdout is %s', async (_, to, stderr) => {
  const { path } = await captureIn(ONE);
  const line = `"$0" "$@" ${to}`;
  const { status, stderr: said } = spawnSync('/bin/sh', ['-c', line, process.execPath, CLI, 'run', path]);
  expect([status, String(said)]).toEqual([2, stderr]);
});

test('contract §1 signals: SIGINT ends a session at the recorded speed at once', async () => {
  const { path } = await captureIn([...ONE, named(3_600_000, 'late')]);
  const { child, printed, ended } = startTool(['run', path, '--speed', '1']);
  await once(child.stdout, 'data');
  expect(printed.stdout).toContain('Ada Lovelace');
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ status: 130 });
});

test('contract §1 signals: SIGINT during minimize keeps the best result so far and ends with 130', async () => {
  const records = Array.from({ length: 64 }, (_, t) => named(t, `name ${t}.`));
  const { at, path } = await captureIn(records);
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
  expect((await wholeCapture(at('x.min.parley.jsonl'))).records).toEqual(records.slice(32));
});

test('contract §1 signals: verify reports what it has found so far, and ends with 143', async () => {
  const { at, path } = await captureIn(ONE);
  const { child, ended } = startTool(['verify', '--files-from', '-', '--update', '--reporter', 'json']);
  await new Promise<void>((resolvePromise) => {
    const watcher = watch(at(''), () => existsSync(at('x.golden.json')) && resolvePromise());
    onTestFinished(() => watcher.close());
    child.stdin.write(`${path}\n`);
  });
  child.kill('SIGTERM');
  // npm repeats the terminal's signal.
  child.kill('SIGTERM');
  child.stdin.end();
  const { status, stdout } = await ended;
  const report = { end: 'SIGTERM', interrupted: true, results: expect.any(Array) };
  expect([status, JSON.parse(stdout)]).toMatchObject([143, report]);
});

test('refuses a port in use, in one line, with status 2', async () => {
  const { at, path } = await captureIn([]);
  const { port } = new URL(await startServer(() => {}));
  const inUse = `port ${port} is not available; free it, or use another one (0 selects any free port)\n`;
  for (const command of [
    ['open', path, '--no-open', '--port'],
    ['serve', path, '--port'],
    ['record', '--upstream', 'ws://127.0.0.1:9', '-o', at('r'), '--listen'],
  ])
    expect(await runTool(...command, port)).toEqual(refused(inUse));
});

test('contract §7 open, loopback: open prints one line with the address, serves the page until SIGINT, and ends with 0', async () => {
  const { path } = await captureIn([]);
  const { child, firstLine, ended } = runProgram(CLI, ['open', path, '--no-open', '--step', '1']);
  const line = /^\S+x\.parley\.jsonl is open at (http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43})$/;
  const response = await fetch(line.exec(await firstLine)?.[1] ?? '');
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"step":1')]);
  child.kill('SIGINT');
  expect(await ended).toEqual({ code: 0, stderr: '', stdout: `${await firstLine}\n` });
});

test('open starts a browser with a page in a private folder, and removes both at the end', async () => {
  const { at, path } = await captureIn([]);
  // A desktop that tells the arguments of the program that opens an address: other users can see them.
  execFileSync('mkfifo', [at('opened')]);
  const note = `#!/bin/sh\n[ "$1" = open ] && printf %s "$2" > '${at('opened')}'\nexit 0\n`;
  await writeFile(at('gio'), note, { mode: 0o700 });
  const desktop = { PARLEY_OPEN: '1', DISPLAY: ':9', XDG_CURRENT_DESKTOP: 'GNOME', BROWSER: '' };
  const environment = { ...desktop, TMPDIR: at(''), PATH: `${at('')}:${process.env['PATH']}` };
  const { child, ended } = runProgram(CLI, ['open', path], environment);
  const page = (await readFile(at('opened'), 'utf8')).replace('file://', '');
  expect(page).toMatch(/\/parley-open-\w{6}\/open-[\w-]{22}\.html$/);
  const modes = [await stat(page), await stat(dirname(page))].map(({ mode }) => mode & 0o777);
  expect(modes).toEqual([0o600, 0o700]);
  const url = /href="([^"]+)"/.exec(await readFile(page, 'utf8'))?.[1] ?? '';
  expect((await fetch(url)).status).toBe(200);
  await expect(stat(page)).rejects.toThrow('ENOENT');
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 0, stderr: '' });
  await expect(stat(dirname(page))).rejects.toThrow('ENOENT');
});

test('contract §1 signals: a command ends with 130 in the middle of its input, and leaves no file', async () => {
  const { path } = await captureIn([named(1, 'Hello.')]);
  const [header, record] = (await readFile(path, 'utf8')).split('\n');
  const long = `${header}\n${`${record}\n`.repeat(50_000)}`;
  const endsAt = async (line: string) => {
    const at = await temporaryFolder();
    const { child, ended } = startTool(line.split(' '), at(''));
    // Far more than a pipe contains: the command has read the beginning.
    await new Promise((resolvePromise) => void child.stdin.write(long, resolvePromise));
    child.kill('SIGINT');
    const { status, stdout } = await ended;
    return { status, stdout, left: await readdir(at('')) };
  };
  const ends = await Promise.all(['redact - -o out.parley.jsonl', 'report - -o out.html'].map(endsAt));
  expect(ends).toEqual(ends.map(() => ({ status: 130, stdout: '', left: [] })));
});

test('contract §1 signals: find prints each step as it is found, and ends with 130 while an expression takes long', async () => {
  const { path } = await captureIn([named(1, 'first'), named(2, `${'a'.repeat(60)}b`)]);
  const looping = startTool(['find', path, '--frame', '/first|(a+)+"$/']);
  await once(looping.child.stdout, 'data');
  looping.child.kill('SIGINT');
  const stdout = '      1      0.001  received      first\n';
  expect(await looping.ended).toEqual({ status: 130, stdout, stderr: '' });
});
