import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, watch } from 'node:fs';
import { appendFile, readFile, readdir, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { runProgram } from '#platform/testing/program.ts';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { version } from '../../package.json';
import { rowsOf, runTool, temporaryFolder, wholeCapture, writeCapture } from './testing/files.ts';

const CLI = resolve(import.meta.dirname, '../../out/replay/cli.js');

const recv = (t: number, name: string): CaptureRecord => ({
  t,
  type: 'recv',
  data: JSON.stringify({ name }),
});

async function capture(...records: readonly CaptureRecord[]) {
  const at = await temporaryFolder();
  return { at, path: await writeCapture(at('x.parley.jsonl'), records) };
}

/** Starts the tool; it has ended when the test ends. `ended` has the exit status that a shell shows. */
function start(args: readonly string[], cwd?: string) {
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

test('contract §1 npm run replay, stdout: prints the result on stdout only and ends with 0', async () => {
  const { path } = await capture(recv(1, 'Ada Lovelace'));
  const { code, stdout, stderr } = await runProgram(CLI, ['run', path, '--json']).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ capture: path, updates: { applied: 1, ignored: 0 } });
  const versions = runProgram(CLI, ['--version']).ended;
  expect(await versions).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

const NO_COMMAND = 'name a command; parley-replay --help lists them\n';

test('contract §1 bad usage: one line on stderr and status 2 without a command', async () => {
  expect(await runProgram(CLI, []).ended).toEqual({ code: 2, stdout: '', stderr: NO_COMMAND });
});

test.each([
  [['run', 'gone.parley.jsonl'], 'gone.parley.jsonl: there is no such file\n'],
  [['run', 'x', '--wiht', 'state'], "unknown option '--wiht' (Did you mean --with?)\n"],
  [['fold'], "unknown command 'fold'; parley-replay --help lists the commands\n"],
])('contract §1 bad usage: %j gives one line on stderr and status 2', async (args, err) => {
  expect(await runTool(...args)).toEqual({ status: 2, out: '', err });
});

test('run - reads a gzipped capture from a pipe and ends before the pipe does; stats prints rows before it ends', async () => {
  const { path } = await capture(recv(1, 'Ada Lovelace'), recv(1000, 'late'));
  const { child, ended } = start(['run', '-', '--until', '1', '--json']);
  const zipped = createGzip();
  zipped.pipe(child.stdin);
  zipped.write(await readFile(path));
  zipped.flush();
  const { status, stdout } = await ended;
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ capture: 'stdin', updates: { applied: 1, ignored: 0 } });

  const stats = start(['stats', '--per-update', '-']);
  stats.child.stdin.write(await readFile(path));
  await once(stats.child.stdout, 'data');
  expect(rowsOf(stats.printed.stdout)).toMatchObject([{ capture: 'stdin', update: 1 }]);
  stats.child.stdin.end();
  expect(rowsOf((await stats.ended).stdout)).toHaveLength(2);
});

test('ends with its own status and without a message when the reader of stdout closes it', async () => {
  const message = { modifier: 'ai', content: [{ category: 'text', text: 'x'.repeat(1000) }] };
  const frames = Array.from({ length: 5000 }, (_, t) => ({ t, type: 'recv', data: JSON.stringify(message) }));
  const { path } = await capture(...frames);
  const run = start(['run', path, '--json', '--with', 'conversation']);
  run.child.stdout.once('data', () => run.child.stdout.destroy());
  expect(await run.ended).toMatchObject({ status: 0, stderr: '' });
  const verify = start(['verify', '--files-from', '-', '--reporter', 'ndjson']);
  await once(verify.child.stdout, 'data');
  verify.child.stdout.destroy();
  verify.child.stdin.end(`${(await capture(recv(1, 'Ada Lovelace'))).path}\n`.repeat(100));
  expect(await verify.ended).toMatchObject({ status: 2, stderr: '' });
});

async function redirected(to: string, ...args: readonly string[]) {
  const child = spawn('/bin/sh', ['-c', `"$@" ${to}`, 'sh', process.execPath, CLI, ...args]);
  const stderr = text(child.stderr);
  await once(child, 'close');
  return { code: child.exitCode, stderr: await stderr };
}

test('prints one line and ends with 2 when stdout is full or closed, but not when it is /dev/null', async () => {
  const { path } = await capture(recv(1, 'Ada Lovelace'));
  const ends = await Promise.all([
    redirected('> /dev/full', 'run', path),
    redirected('> /dev/full', 'verify', path),
    redirected('> /dev/full', 'redact', path, '-o', '-'),
    redirected('>&-', '--version'),
    redirected('> /dev/null', '--version'),
  ]);
  const full = { code: 2, stderr: 'stdout cannot be written: the disk is full\n' };
  const closed = 'stdout is closed; to discard the results, redirect it to /dev/null\n';
  expect(ends).toEqual([full, full, full, { code: 2, stderr: closed }, { code: 0, stderr: '' }]);
});

test('contract §1 signals: SIGINT and SIGTERM end a session at the recorded speed at once', async () => {
  const { path } = await capture(recv(1, 'Ada Lovelace'), recv(3_600_000, 'late'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const program = runProgram(CLI, ['run', path, '--speed', '1']);
    expect(await program.firstLine).toContain('Ada Lovelace');
    program.child.kill(signal);
    await program.ended;
    // A shell shows 130 or 143.
    expect(program.child.signalCode).toBe(signal);
  }
});

test('contract §1 signals: SIGINT during minimize keeps the best result so far and ends with 130', async () => {
  const { at, path } = await capture(...Array.from({ length: 64 }, (_, t) => recv(t, `name ${t}.`)));
  execFileSync('mkfifo', [at('stuck')]);
  // The first checks say which half it is; then one never ends.
  const check = `n=$(wc -l < "$1"); [ $n -eq 1 ] || [ $n -gt 17 ] || { echo > ${at('stuck')}; sleep 1000; }; ! grep -q 'name 40\\.' "$1"`;
  await writeFile(at('check.sh'), check);
  const { child, ended } = start(['minimize', path, '--check', `sh ${at('check.sh')}`, '--json']);
  await readFile(at('stuck'));
  child.kill('SIGINT');
  const { status, stdout, stderr } = await ended;
  expect({ status, stderr }).toEqual({ status: 130, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ records: { before: 64, after: 32 }, minimal: false });
  const { records } = await wholeCapture(at('x.min.parley.jsonl'));
  expect(records).toEqual(Array.from({ length: 32 }, (_, i) => recv(32 + i, `name ${32 + i}.`)));
});

/** Interrupts `verify` while it waits for the name of its second capture, when the golden of the first one is there. */
async function interruptedVerify(reporter: string, signal: NodeJS.Signals) {
  const { at, path } = await capture(recv(1, 'Ada Lovelace'));
  const { child, ended } = start(['verify', '--files-from', '-', '--update', '--reporter', reporter]);
  await new Promise<void>((resolvePromise) => {
    const watcher = watch(at(''), () => existsSync(at('x.golden.json')) && resolvePromise());
    onTestFinished(() => watcher.close());
    child.stdin.write(`${path}\n`);
  });
  if (reporter === 'pretty') await once(child.stdout, 'data');
  child.kill(signal);
  // npm repeats the terminal's signal.
  child.kill(signal);
  return ended;
}

test('contract §1 signals: verify reports what it has found so far, and ends with 130 or 143', async () => {
  const [pretty, json] = await Promise.all([
    interruptedVerify('pretty', 'SIGINT'),
    interruptedVerify('json', 'SIGTERM'),
  ]);
  expect([pretty.status, json.status]).toEqual([130, 143]);
  expect(pretty.stdout).toContain('new      golden of ');
  expect(pretty.stdout).toContain('interrupted by SIGINT: these are the results so far\n');
  expect(JSON.parse(json.stdout)).toMatchObject({
    end: 'SIGTERM',
    interrupted: true,
    results: expect.any(Array),
  });
});

/** Sends SIGTERM to a command after its first output. */
async function interrupted(...args: readonly string[]) {
  const { child, ended } = start(args);
  await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')]);
  child.kill('SIGTERM');
  return ended;
}

test('contract §1 signals: verify merge and diff end with 143 after SIGTERM, never as if nothing differed', async () => {
  const { path } = await capture(recv(1, 'Ada Lovelace'));
  await appendFile(path, '{"t":2,');
  const [merged, compared] = await Promise.all([
    interrupted('verify', 'merge', '-', '--reporter', 'ndjson'),
    interrupted('diff', path, '-'),
  ]);
  expect(merged).toMatchObject({ status: 143, stdout: expect.stringContaining('"end":"SIGTERM"') });
  expect(compared).toMatchObject({ status: 143, stdout: '' });
});

/** Sends SIGTERM to a command that reads a named pipe, the argument that begins with `x.`; returns its status and the other files. */
async function endAtPipe(line: string) {
  const at = await temporaryFolder();
  const args = line.split(' ');
  const pipe = args.find((one) => one.startsWith('x.')) ?? '';
  execFileSync('mkfifo', [at(pipe)]);
  const { child, ended } = start(args, at(''));
  const writer = createWriteStream(at(pipe));
  onTestFinished(() => void writer.destroy());
  // The writer's end opens as soon as the pipe has a reader.
  await once(writer, 'open');
  child.kill('SIGTERM');
  return { status: (await ended).status, left: (await readdir(at(''))).filter((name) => name !== pipe) };
}

test('contract §1 signals: a command ends with 143 while the writer of a named pipe is silent', async () => {
  const ends = await Promise.all(
    [
      'redact x.parley.jsonl -o out.parley.jsonl',
      'import x.har -o out.parley.jsonl',
      'verify --files-from x.txt',
      'verify . --known x.json',
    ].map(endAtPipe),
  );
  expect(ends).toEqual(ends.map(() => ({ status: 143, left: [] })));
});

test('contract §1 signals: a command ends with 130 in the middle of its input, and leaves no file', async () => {
  const { path } = await capture(recv(1, 'Hello.'));
  const [header, record] = (await readFile(path, 'utf8')).split('\n');
  const long = `${header}\n${`${record}\n`.repeat(50_000)}`;
  const endsAt = async (line: string) => {
    const at = await temporaryFolder();
    const { child, ended } = start(line.split(' '), at(''));
    // Far more than a pipe contains: the command has read the beginning.
    await new Promise((resolvePromise) => void child.stdin.write(long, resolvePromise));
    child.kill('SIGINT');
    const { status, stdout } = await ended;
    return { status, stdout, left: await readdir(at('')) };
  };
  const ends = await Promise.all(
    ['redact - -o out.parley.jsonl', 'export - --to har -o out.har', 'report - -o out.html'].map(endsAt),
  );
  expect(ends).toEqual(ends.map(() => ({ status: 130, stdout: '', left: [] })));
});

test('contract §1 signals: a command ends with 130 while the app’s code loops; with 2 when loading it ends or blocks the process', async () => {
  const { at, path } = await capture({ t: 5, type: 'recv', data: 'apples 2' });
  const counter = JSON.stringify(resolve(import.meta.dirname, 'testing/counterAdapter.ts'));
  const withAdapter = async (name: string, code: string, args: readonly string[]) => {
    await writeFile(at(name), code);
    return start([...args, '--app', at(name)]);
  };
  const loop = `import { counterAdapter } from ${counter};
    import { writeSync } from 'node:fs';
    const reduce = () => { writeSync(2, 'looping'); for (;;); };
    export const adapter = { ...counterAdapter, reduce };`;
  const looping = await withAdapter('loop.ts', loop, [
    'export',
    path,
    '--to',
    'redux-devtools',
    '-o',
    at('out'),
  ]);
  await once(looping.child.stderr, 'data');
  looping.child.kill('SIGINT');
  expect(await looping.ended).toMatchObject({ status: 130, stdout: '' });
  expect(await readdir(at(''))).toEqual(['loop.ts', 'x.parley.jsonl']);
  for (const [name, code] of [
    ['exit.ts', 'process.exit(0);\nexport const adapter = {};'],
    ['wait.ts', 'await new Promise(() => undefined);\nexport const adapter = {};'],
  ] as const)
    expect(await (await withAdapter(name, code, ['verify', path])).ended).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('ended before the work was done'),
    });
});
