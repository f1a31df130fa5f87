import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildProgram } from '#tests/builders/buildProgram.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';

let program: Awaited<ReturnType<typeof buildProgram>>;
beforeAll(async () => {
  program = await buildProgram('src/log/testing/logMany.ts');
}, 60_000);
afterAll(() => program.remove());

/** Runs a program that logs 20,000 lines (3 MB) to this stderr and must end by itself. */
async function run(stderr: number, lines = 20_000) {
  const child = spawn(process.execPath, [program.path, String(lines)], { stdio: ['ignore', 'pipe', stderr] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  child.stdout?.on('data', (data: Buffer) => (printed += data.toString()));
  await once(child, 'close');
  return { printed, code: child.exitCode, signal: child.signalCode };
}

const FINE = { printed: 'done\n', code: 0, signal: null };

/** Creates a pipe; returns both ends. */
function pipe() {
  const path = join(mainFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY);
  return { reader, writer };
}

test('does not end or block the program when its pipe is not read', async () => {
  const { reader, writer } = pipe();
  expect(await run(writer)).toEqual(FINE);
  for (const fd of [reader, writer]) closeSync(fd);
});

test('does not end the program when the reader of its pipe is closed', async () => {
  const { reader, writer } = pipe();
  closeSync(reader);
  expect(await run(writer)).toEqual(FINE);
  closeSync(writer);
});

test('does not end the program when its file is on a full disk', async () => {
  const full = openSync('/dev/full', 'w');
  expect(await run(full)).toEqual(FINE);
  closeSync(full);
});

test('writes all lines to a file', async () => {
  const path = join(mainFolder(), 'log');
  const file = openSync(path, 'w');
  expect(await run(file, 100)).toEqual(FINE);
  closeSync(file);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(lines).toHaveLength(101);
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ level: 30, msg: 'the last line' });
});

test('writes all lines to a pipe that is read', async () => {
  const child = spawn(process.execPath, [program.path, '100'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const logged = await text(child.stderr);
  expect(logged.trimEnd().split('\n')).toHaveLength(101);
});

test('does not end the program when stdout is closed', async () => {
  const { reader, writer } = pipe();
  closeSync(reader);
  const child = spawn(process.execPath, [program.path, '1'], { stdio: ['ignore', writer, 'ignore'] });
  expect(await once(child, 'close')).toEqual([0, null]);
  closeSync(writer);
});
