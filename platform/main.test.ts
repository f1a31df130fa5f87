import type { ChildProcess } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { startPlatform } from '#tests/builders/startPlatform.ts';
import { runProgram } from './testing/program.ts';
import { PROGRAM, READY, startWithAda } from './testing/startWithAda.ts';
import { readStoredPlatform } from './testing/readStoredPlatform.ts';
import { postAuth } from './testing/testPlatform.ts';
import { ADA, temporaryFolder } from './testing/testPlatform.ts';

const storedIn = (folder: string) => readStoredPlatform(join(folder, 'platform.sqlite'));

test.each(['SIGTERM', 'SIGINT'] as const)(
  'contract §1 npm run platform, signals: ends with 0 within two seconds after %s with an open socket, and has stored everything',
  async (signal) => {
    const { child, ended, folder, account, client } = await startWithAda();
    client.sendText('my secret');
    await client.until(({ newest }) => newest()?.modifier === 'client');
    const signalledAt = performance.now();
    child.kill(signal);
    // npm forwards the signal that the terminal has already sent.
    child.kill(signal);
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(0);
    expect(performance.now() - signalledAt).toBeLessThan(2000);
    expect(await client.closed).toEqual({ code: 1001, reason: '' });
    expect(stdout).toMatch(/^The platform is ready at http:\/\/127\.0\.0\.1:\d+\n$/);
    expect(storedIn(folder)[0]?.messages.slice(-2)).toMatchObject([
      { modifier: 'client', content: [{ text: 'my secret' }] },
      { modifier: 'ai', content: [{ text: 'You said: my secret' }] },
    ]);
    for (const line of stderr.trim().split('\n'))
      expect(JSON.parse(line)).toMatchObject({ name: 'platform' });
    for (const secret of [account, 'secret', ADA.email, ADA.password]) expect(stderr).not.toContain(secret);
  },
);

// The grace time is one second. A busy machine may exceed the limit, but not three times.
test('ends within two seconds when a peer does not answer the close', { retry: 2 }, async () => {
  const { child, ended, client } = await startWithAda();
  client.socket.pause();
  const signalledAt = performance.now();
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
  expect(performance.now() - signalledAt).toBeLessThan(2000);
  client.socket.terminate();
});

test('reports a data folder that was removed, and still ends with 0', async () => {
  const { child, ended, folder } = await startWithAda();
  await rm(folder, { recursive: true });
  const line = await lineWith(child, 'the data folder was removed or replaced');
  expect(JSON.parse(line)).toMatchObject({ level: 50, name: 'platform' });
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
});

/** Resolves with the first line on a program's stderr that contains these words. */
async function lineWith({ stderr }: ChildProcess, words: string): Promise<string> {
  for await (const line of createInterface({ input: stderr ?? Readable.from([]) }))
    if (line.includes(words)) return line;
  throw new Error(`the program ended without: ${words}`);
}

test('contract §1 bad usage: ends with one line on stderr and 2 for an unknown option', async () => {
  const { ended } = runProgram(PROGRAM, ['--prot', '1']);
  expect(await ended).toEqual({ code: 2, stdout: '', stderr: "unknown option '--prot'\n" });
});

test('ends with one line on stderr and 2 for an unusable data folder', async () => {
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, '');
  const run = runProgram(PROGRAM, ['--port', '0'], { PARLEY_DATA_DIR: file });
  const { code, stderr } = await run.ended;
  expect(code).toBe(2);
  expect(stderr).toMatch(/^cannot use the data folder [^\n]+\n$/);
});

test('ends with one line on stderr and 1 for a taken port', async () => {
  const other = await startPlatform();
  onTestFinished(() => other.stop());
  const port = String(other.port);
  const again = runProgram(PROGRAM, ['--port', port, '--data-dir', await temporaryFolder()]);
  const { code, stdout, stderr } = await again.ended;
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toBe(`port ${port} is taken: free it, or name another\n`);
});

test('stores its file in the per-user folder of the system when no folder is named', async () => {
  const home = await temporaryFolder();
  const run = runProgram(PROGRAM, ['--port', '0'], {
    HOME: home,
    PARLEY_DATA_DIR: '',
    XDG_CONFIG_HOME: home,
  });
  const apiUrl = (await run.firstLine).slice(READY.length);
  await postAuth(apiUrl, ADA);
  run.child.kill('SIGTERM');
  await run.ended;
  expect(storedIn(join(home, 'Parley'))).toHaveLength(1);
});
