import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from './testing/program.ts';
import { readStoredPlatform } from './testing/readStoredPlatform.ts';
import { ADA, connect, postAuth, temporaryFolder } from './testing/testPlatform.ts';

const PROGRAM = resolve(import.meta.dirname, '../out/platform/platform.js');

test('contract §1 npm run platform, signals: uses the folder of the system, where its commands find it, and ends with 0 after SIGTERM with everything stored and no secret logged', async () => {
  const home = await temporaryFolder();
  const environment = { HOME: home, PARLEY_DATA_DIR: '', XDG_CONFIG_HOME: home };
  const { child, ended, firstLine } = runProgram(PROGRAM, ['--port', '0'], environment);
  const apiUrl = (await firstLine).slice('The platform is ready at '.length);
  const { body: account } = await postAuth(apiUrl, ADA);
  const client = await connect(apiUrl.replace('http:', 'ws:'), account);
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
