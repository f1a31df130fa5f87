import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { hostauthProgram } from '#tests/builders/hostauthProgram.ts';

// `main.test.ts` checks the same with a full disk.

/** Every host has this PAM service. */
const ENV = { HOSTAUTH_PORT: '0', HOSTAUTH_PAM_SERVICE: 'other' };
const PROGRAM = hostauthProgram('hostauth');

/** Causes a log of over 140 bytes for each request. A pipe buffers 64 KiB; the terminal has two pipes. */
async function logMuch(url: string, requests: number) {
  for (let i = 0; i < requests; i += 50) {
    const answers = Array.from({ length: 50 }, async () => (await fetch(`${url}/none`)).status);
    expect(await Promise.all(answers)).not.toContain(200);
  }
}

test('answers and ends with 0 while its log goes to a pipe that is not read and then closed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hostauth-main-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const fd = openSync(path, constants.O_WRONLY);
  const child = spawn(process.execPath, [PROGRAM], { env: ENV, stdio: ['ignore', 'pipe', fd] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  closeSync(fd);
  if (child.stdout === null) throw new Error('stdout must be a pipe');
  const [ready] = await once(createInterface(child.stdout), 'line');
  const url = String(ready).replace('hostauth is ready at ', '');
  await logMuch(url, 700);
  closeSync(reader);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
