import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { pino } from 'pino';
import { buildProgram } from '#tests/builders/buildProgram.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { virtualClock } from '#shared/clock.ts';
import { limitRepeats } from './createLogger.ts';

let program: Awaited<ReturnType<typeof buildProgram>>;
beforeAll(async () => {
  program = await buildProgram('src/node/testing/logMany.ts');
}, 60_000);
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
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY);
  const full = openSync('/dev/full', 'w');
  expect(await run(writer)).toEqual(FINE);
  expect(await run(full, 300)).toEqual(FINE);
  for (const fd of [reader, writer, full]) closeSync(fd);
});

test('writes 20 equal lines in 10 s, and then one line with the number of further ones', () => {
  const clock = virtualClock();
  const lines: unknown[] = [];
  const log = pino(
    { base: null, timestamp: false, hooks: limitRepeats(clock).hooks },
    { write: (line) => void lines.push(JSON.parse(line)) },
  );
  for (let i = 0; i < 3140; i++) log.warn({ reason: 'notJson', bytes: i }, 'frame rejected');
  expect(lines).toHaveLength(20);
  clock.advance(10_000);
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toEqual({
    level: 40,
    reason: 'notJson',
    more: 3120,
    msg: 'frame rejected (and 3,120 more)',
  });
  expect(clock.nextDue()).toBeUndefined();
});
