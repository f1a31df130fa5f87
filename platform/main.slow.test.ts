import type { ChildProcess } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { runProgram } from './testing/program.ts';
import { readStoredPlatform } from './testing/readStoredPlatform.ts';
import { ADA, connect, postAuth, temporaryFolder } from './testing/testPlatform.ts';

const PROGRAM = resolve(import.meta.dirname, '../out/platform/platform.js');
/** The ready line, without the address at its end. */
const READY = 'The platform is ready at ';

/** Starts the program with these options, and connects Ada to it. */
async function startWithAda(argv: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const run = runProgram(PROGRAM, ['--port', '0', ...argv], environment);
  const apiUrl = (await run.firstLine).slice(READY.length);
  const { body: account } = await postAuth(apiUrl, ADA);
  return { ...run, account, client: await connect(apiUrl.replace('http:', 'ws:'), account) };
}

test('contract §1 npm run platform, signals: uses the folder of the system, where its commands find it, and ends with 0 after SIGTERM with everything stored and no secret logged', async () => {
  const home = await temporaryFolder();
  const environment = { HOME: home, PARLEY_DATA_DIR: '', XDG_CONFIG_HOME: home };
  const { child, ended, account, client } = await startWithAda([], environment);
  expect(await runProgram(PROGRAM, ['accounts'], environment).ended).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^EMAIL +CREATED +MESSAGES +REVOKED\nada@example\.org .+ -\n$/u),
    stderr: '',
  });
  client.sendText('my secret');
  await client.until(({ newest }) => newest()?.modifier === 'client');
  child.kill('SIGTERM');
  // npm forwards the signal that the terminal has already sent.
  child.kill('SIGTERM');
  const { code, stdout, stderr } = await ended;
  expect(code).toBe(0);
  expect(await client.closed).toEqual({ code: 1001, reason: '' });
  expect(stdout).toMatch(/^The platform is ready at http:\/\/127\.0\.0\.1:\d+\n$/);
  const [stored] = readStoredPlatform(join(home, 'Parley', 'platform.sqlite'));
  expect(stored?.messages.slice(-2)).toMatchObject([
    { modifier: 'client', content: [{ text: 'my secret' }] },
    { modifier: 'ai', content: [{ text: 'You said: my secret' }] },
  ]);
  for (const line of stderr.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ name: 'platform' });
  for (const secret of [account, 'secret', ADA.email, ADA.password]) expect(stderr).not.toContain(secret);
});

/** Resolves with the first line on a program's stderr that contains these words. */
async function lineWith({ stderr }: ChildProcess, words: string): Promise<string> {
  for await (const line of createInterface({ input: stderr ?? Readable.from([]) }))
    if (line.includes(words)) return line;
  throw new Error(`the program ended without: ${words}`);
}

const oneLine = (begin: string) => expect.stringMatching(new RegExp(`^${begin}[^\\n]+\\n$`));

test('contract §1 bad usage: reports a data folder that was removed, and still ends with 0 after SIGINT; another one ends with one line on stderr, and 2 for a folder that cannot be used, 1 for its port', async () => {
  const folder = await temporaryFolder();
  const { child, client, ended, firstLine } = await startWithAda(['--data-dir', join(folder, 'own')]);
  const file = join(folder, 'file');
  await writeFile(file, '');
  const { port } = new URL((await firstLine).slice(READY.length));
  const runs = [
    runProgram(PROGRAM, ['--port', '0', '--data-dir', file]),
    runProgram(PROGRAM, ['--port', port, '--data-dir', join(folder, 'other')]),
  ];
  const ends = await Promise.all(runs.map((run) => run.ended));
  expect(ends).toEqual([
    { code: 2, stdout: '', stderr: oneLine('cannot use the data folder ') },
    { code: 1, stdout: '', stderr: `port ${port} is taken: free it, or name another\n` },
  ]);
  // Before the folder is removed: the line may come at once.
  const line = lineWith(child, 'the data folder was removed or replaced');
  await rm(join(folder, 'own'), { recursive: true });
  // Only a change shows it.
  client.sendText('nowhere to go');
  expect(JSON.parse(await line)).toMatchObject({ level: 50, name: 'platform' });
  child.kill('SIGINT');
  expect((await ended).code).toBe(0);
});
