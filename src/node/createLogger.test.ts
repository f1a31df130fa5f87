import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { pino } from 'pino';
import { buildProgram } from '#tests/builders/buildProgram.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { virtualClock } from '#shared/clock.ts';
import { limitRepeats } from './createLogger.ts';
import { errorCode } from '#shared/formatText.ts';
import { CAN_MOUNT, smallDisk } from '#tests/builders/smallDisk.ts';
import { createRotatingFile } from './createRotatingFile.ts';

let program: Awaited<ReturnType<typeof buildProgram>>;
beforeAll(async () => {
  program = await buildProgram('src/node/testing/logMany.ts');
});
afterAll(() => program.remove());

/** Runs a program that logs 1,500 lines (200 kB: more than a pipe holds) to this stderr and must end by itself. */
async function run(stderr: number, lines = 1500) {
  const child = spawn(process.execPath, [program.path, String(lines)], { stdio: ['ignore', 'pipe', stderr] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  child.stdout?.on('data', (data: Buffer) => (printed += data.toString()));
  await once(child, 'close');
  return { printed, code: child.exitCode, signal: child.signalCode };
}

const FINE = { printed: 'done\n', code: 0, signal: null };

test('does not end or block the program when its pipe is not read, or its file is on a full disk', async () => {
  const path = join(mainFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  const writer = fs.openSync(path, fs.constants.O_WRONLY);
  const full = fs.openSync('/dev/full', 'w');
  expect(await run(writer)).toEqual(FINE);
  const bytes = Buffer.alloc(1000);
  const [first = ''] = bytes.toString('utf8', 0, fs.readSync(reader, bytes)).split('\n');
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/);
  expect(JSON.parse(first)).toEqual({ level: 30, time, msg: `0 ${'x'.repeat(80)}` });
  expect(await run(full, 300)).toEqual(FINE);
  for (const fd of [reader, writer, full]) fs.closeSync(fd);
});

test('writes 20 equal lines in 10 s, and then one line with the number of further ones, each time', () => {
  const clock = virtualClock();
  const lines: unknown[] = [];
  const { hooks, flush } = limitRepeats(clock);
  const options = { base: null, timestamp: false, hooks };
  const log = pino(options, { write: (line) => void lines.push(JSON.parse(line)) });
  for (const before of [0, 21]) {
    clock.advance(4000);
    for (let i = 0; i < 3140; i++) log.warn({ reason: 'notJson', bytes: i }, 'frame rejected');
    expect(lines).toHaveLength(before + 20);
    clock.advance(6000);
    expect(lines).toHaveLength(before + 21);
    const msg = 'frame rejected (and 3,120 more)';
    expect(lines.at(-1)).toEqual({ level: 40, reason: 'notJson', more: 3120, msg });
  }
  expect(clock.nextDue()).toBeUndefined();
  for (let i = 1; i <= 21; i++) log.warn({ reason: `reason ${i}` }, 'frame rejected');
  expect(lines).toHaveLength(42 + 21);
  // Equal are the level, the message and the reason; the lines of a child count with those of its parent.
  lines.length = 0;
  for (let i = 0; i < 21; i++) {
    log.info('text');
    log.child({}).info('text');
    log.warn('text');
    log.info({ reason: 'r' }, 'text');
    log.error(new Error('failed'));
    log.error({ reason: 'r' });
  }
  flush();
  const shown = lines.map(Object).map(({ level, reason, more, msg }) => [level, reason, more, msg]);
  expect(shown).toHaveLength(5 * 20 + 5);
  const more = [
    [30, undefined, 22, 'text (and 22 more)'],
    [40, undefined, 1, 'text (and 1 more)'],
    [30, 'r', 1, 'text (and 1 more)'],
    [50, undefined, 1, 'failed (and 1 more)'],
    [50, 'r', 1, ' (and 1 more)'],
  ];
  expect([shown.slice(-5), clock.nextDue()]).toEqual([more, undefined]);
});

function fileForTest({ folder = join(mainFolder(), 'logs'), maxBytes = 1_000_000, name = 'x.log' } = {}) {
  const clock = virtualClock();
  const reported: unknown[] = [];
  const path = join(folder, name);
  const file = createRotatingFile({
    path,
    maxBytes,
    maxFiles: 3,
    clock,
    onFailure: (error) => reported.push(errorCode(error)),
    onRecovery: () => reported.push('recovered'),
  });
  const text = (of = name) => fs.readFileSync(join(folder, of), 'utf8');
  return { file, clock, reported, path, folder, text };
}

test('appends each line at once, in a folder and a file that only the owner can read; rotates before a file exceeds its limit, and keeps three files', () => {
  const { file, path, folder, text } = fileForTest();
  file.write('one\n');
  const modes = [folder, path].map((of) => fs.statSync(of).mode & 0o777);
  expect([text(), ...modes]).toEqual(['one\n', 0o700, 0o600]);
  fileForTest({ folder }).file.write('two\n');
  expect(text()).toBe('one\ntwo\n');
  const small = fileForTest({ maxBytes: 10 });
  for (let line = 1; line <= 9; line++) small.file.write(`${line}234\n`);
  expect(fs.readdirSync(small.folder).sort()).toEqual(['x.1.log', 'x.2.log', 'x.log']);
  const texts = ['x.2.log', 'x.1.log', 'x.log'].map(small.text);
  expect(texts).toEqual(['5234\n6234\n', '7234\n8234\n', '9234\n']);
  small.file.write(`${'long '.repeat(10)}\n`);
  expect(small.text()).toBe(`${'long '.repeat(10)}\n`);
});

test('reports an unusable folder once, retries after 1 s, 2 s and so on, and logs how many lines were lost; waits only 1 s again after a recovery, and creates no data folder that was removed', () => {
  const folder = join(mainFolder(), 'logs');
  fs.writeFileSync(folder, '');
  const { file, clock, reported, text } = fileForTest({ folder });
  file.write('one\n');
  file.write('two\n');
  clock.advance(1000);
  file.write('three\n');
  fs.rmSync(folder);
  clock.advance(1999);
  file.write('four\n');
  expect(reported).toEqual(['ENOTDIR']);
  clock.advance(1);
  file.write('five\n');
  expect(reported).toEqual(['ENOTDIR', 'recovered']);
  const [lost = '', ...rest] = text().split('\n');
  expect(lost).toMatch(/^\{"level":40,"time":"2.+Z","lost":4,"msg":"log lines were lost: they /);
  expect(rest).toEqual(['five', '']);
  const again = fileForTest({ folder, maxBytes: 1 });
  for (let round = 0; round < 2; round++) {
    fs.rmSync(folder, { recursive: true, force: true });
    fs.writeFileSync(folder, '');
    again.file.write('one\n');
    fs.rmSync(folder);
    again.clock.advance(1000);
    again.file.write('two\n');
  }
  expect(again.reported).toEqual(['ENOTDIR', 'recovered', 'ENOTDIR', 'recovered']);
  const gone = fileForTest({ folder: join(folder, 'gone', 'logs') });
  gone.file.write('one\n');
  expect([gone.reported, fs.readdirSync(folder)]).toEqual([['ENOENT'], ['x.log']]);
  // It retries at least each 30 s.
  for (let retry = 0; retry < 40; retry++) {
    gone.clock.advance(30_000);
    gone.file.write('two\n');
  }
  fs.mkdirSync(join(folder, 'gone'));
  gone.clock.advance(30_000);
  gone.file.write('three\n');
  expect(gone.reported).toEqual(['ENOENT', 'recovered']);
});

test.skipIf(!CAN_MOUNT)('writes complete lines only, and reports a full disk and its recovery once', () => {
  const disk = smallDisk(64);
  const { file, clock, reported, text } = fileForTest({ folder: join(disk.path, 'logs') });
  const line = `${'x'.repeat(999)}\n`;
  file.write(line);
  disk.fill();
  for (let i = 0; i < 10; i++) file.write(line);
  expect([reported, text().length % 1000]).toEqual([['ENOSPC'], 0]);
  const written = text().length / 1000;
  disk.free();
  clock.advance(1000);
  file.write(line);
  expect(reported).toEqual(['ENOSPC', 'recovered']);
  const lines = text().trimEnd().split('\n');
  expect(JSON.parse(lines[written] ?? '')).toMatchObject({ lost: 11 - written });
  expect(lines).toHaveLength(written + 2);
});
