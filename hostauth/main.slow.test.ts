import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { hostauthProgram } from '#tests/builders/hostauthProgram.ts';
import { temporaryFolder } from './testing/temporaryFolder.ts';

// `main.test.ts` checks the same with a full disk.

/** Every host has this PAM service. */
const ENV = { HOSTAUTH_PORT: '0', HOSTAUTH_PAM_SERVICE: 'other' };

test('answers and ends with 0 while its log goes to a pipe that is not read and then closed', async () => {
  const path = join(temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const fd = openSync(path, constants.O_WRONLY);
  const child = spawn(process.execPath, [hostauthProgram('hostauth')], {
    env: ENV,
    stdio: ['ignore', 'pipe', fd],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  closeSync(fd);
  if (child.stdout === null) throw new Error('stdout must be a pipe');
  const [ready] = await once(createInterface(child.stdout), 'line');
  const url = String(ready).replace('hostauth is ready at ', '');
  // A log of over 140 bytes for each request. A pipe buffers 64 KiB; the terminal has two pipes.
  for (let i = 0; i < 14; i++) {
    const answers = Array.from({ length: 50 }, async () => (await fetch(`${url}/none`)).status);
    expect(await Promise.all(answers)).not.toContain(200);
  }
  closeSync(reader);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
