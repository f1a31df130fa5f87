import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { basename, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { recv } from '#tests/builders/recv.ts';
import { message } from '#tests/builders/updateOf.ts';
import { STARTED_AT, temporaryFolder, writeCapture } from './testing/files.ts';

const CLI = resolve(import.meta.dirname, '../../out/replay/cli.js');
const COUNTER = resolve(import.meta.dirname, 'testing/counterAdapter.ts');

/** Starts a command in a folder. */
function start(cwd: string, args: readonly string[]) {
  const child = spawn(process.execPath, [CLI, ...args], { cwd });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  /** Sends a signal; resolves to the exit status that a shell shows, and to stdout. */
  const interrupt = async (signal: NodeJS.Signals) => {
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
    const { exitCode, signalCode } = child;
    return { status: exitCode ?? 128 + constants.signals[signalCode ?? signal], stdout };
  };
  return { child, interrupt };
}

test.each([
  ['run x.parley.jsonl'],
  ['stats x.parley.jsonl'],
  ['redact x.parley.jsonl -o out.parley.jsonl'],
  ['export x.parley.jsonl --to har -o out.har'],
  ['export x.parley.jsonl --to redux-devtools -o out.json'],
  ['import x.har -o out.parley.jsonl'],
  ['minimize x.parley.jsonl --check true'],
  ['diff x.parley.jsonl --from 0'],
  ['stats --per-update --files-from x.txt'],
  ['verify --files-from x.txt'],
  ['verify . --known x.json'],
  ['verify . --resume x.ndjson'],
])('contract §1 signals: `%s` ends with 143 while the writer of a named pipe is silent', async (line) => {
  const folder = (await temporaryFolder())('');
  const args = line.split(' ');
  const pipe = resolve(folder, args.find((one) => one.startsWith('x.')) ?? '');
  await promisify(execFile)('mkfifo', [pipe]);
  const { interrupt } = start(folder, args);
  const writer = createWriteStream(pipe);
  onTestFinished(() => void writer.destroy());
  // The writer's end opens as soon as the pipe has a reader.
  await once(writer, 'open');
  expect((await interrupt('SIGTERM')).status).toBe(143);
  expect(await readdir(folder)).toEqual([basename(pipe)]);
});

const header = { format: 'parley-capture', version: 2, startedAt: STARTED_AT, app: '0.1.0' };
const LONG = `${JSON.stringify(header)}\n${`${JSON.stringify(recv(1, message('Hello.')))}\n`.repeat(50_000)}`;

test.each([
  ['redact - -o out.parley.jsonl'],
  ['export - --to har -o out.har'],
  ['export - --to redux-devtools -o out.json'],
  ['report - -o out.html'],
  ['import - -o out.parley.jsonl'],
])('contract §1 signals: `%s` ends with 130 in the middle of its input, and leaves no file', async (line) => {
  const folder = (await temporaryFolder())('');
  const { child, interrupt } = start(folder, line.split(' '));
  // Far more than a pipe contains: the command has read the beginning.
  await new Promise((resolvePromise) => void child.stdin.write(LONG, resolvePromise));
  expect(await interrupt('SIGINT')).toEqual({ status: 130, stdout: '' });
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  ['run x'],
  ['stats x'],
  ['stats x --per-update'],
  ['diff x --from 0'],
  ['export x --to redux-devtools -o out.json'],
])('contract §1 signals: `%s` ends with 130 while the app’s code loops, and leaves no file', async (line) => {
  const at = await temporaryFolder();
  await writeCapture(at('x'), [{ t: 5, type: 'recv', data: 'apples 2' }]);
  await writeFile(
    at('adapter.ts'),
    `import { counterAdapter } from ${JSON.stringify(COUNTER)};
      import { writeSync } from 'node:fs';
      const reduce = () => { writeSync(2, 'looping'); for (;;); };
      export const adapter = { ...counterAdapter, reduce };`,
  );
  const { child, interrupt } = start(at(''), [...line.split(' '), '--app', at('adapter.ts')]);
  await once(child.stderr, 'data');
  expect(await interrupt('SIGINT')).toEqual({ status: 130, stdout: '' });
  expect(await readdir(at(''))).toEqual(['adapter.ts', 'x']);
});
