import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect } from './testing/testPlatform.ts';
import { lostMessages } from './testing/lostMessages.ts';
import { runProgram } from './testing/program.ts';
import { postAuth } from './testing/testPlatform.ts';
import { PROGRAM, READY, startWithAda } from './testing/startWithAda.ts';
import { ADA, temporaryFolder } from './testing/testPlatform.ts';

test('keeps every message that a client received when it is killed during messages', async () => {
  const { child, ended, folder, account, client } = await startWithAda();
  const blob = Buffer.alloc(90_000, 7).toString('base64');
  for (let sent = 0; sent < 20; sent++) client.send({ category: 'image', text: `${sent}.png`, blob });
  await client.until(({ updates }) => updates().length >= 9);
  child.kill('SIGKILL');
  await Promise.all([ended, client.closed]);
  const seen = client.conversation().messages;
  const restarted = runProgram(PROGRAM, ['--port', '0', '--data-dir', folder]);
  const apiUrl = (await restarted.firstLine).slice(READY.length);
  expect(await postAuth(apiUrl, { ...ADA, name: '' })).toMatchObject({ status: 200, body: account });
  const again = await connect(apiUrl.replace('http:', 'ws:'), account);
  expect(lostMessages(again.conversation().messages, seen)).toEqual([]);
});

test('lists and revokes accounts while it runs, and ends with 1 for an unknown email', async () => {
  const { folder, client } = await startWithAda();
  const command = (...args: string[]) => runProgram(PROGRAM, [...args, '--data-dir', folder]).ended;
  const { code, stdout } = await command('accounts');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^EMAIL +CREATED +MESSAGES +REVOKED\nada@example\.org .+ -\n$/u);
  const revoked = { code: 0, stdout: 'ada@example.org is revoked\n', stderr: '' };
  expect(await command('revoke', ADA.email)).toEqual(revoked);
  expect(await client.closed).toEqual({ code: 4401, reason: 'unauthorized' });
  const unknown = { code: 1, stdout: '', stderr: 'there is no account bob@example.org\n' };
  expect(await command('restore', 'bob@example.org')).toEqual(unknown);
  expect(await command('restore')).toEqual({ code: 2, stdout: '', stderr: 'restore takes one email\n' });
});

test('ends with one line on stderr and 2 for a plain address of hostauth on another machine, and creates no folder', async () => {
  const folder = join(await temporaryFolder(), 'data');
  const argv = ['--port', '0', '--data-dir', folder, '--hostauth', 'http://auth.example.org'];
  const { code, stderr } = await runProgram(PROGRAM, argv).ended;
  expect(code).toBe(2);
  expect(stderr).toMatch(/^--hostauth is a plain address of another machine: [^\n]+\n$/);
  expect(existsSync(folder)).toBe(false);
});

test('ends with one line on stderr and 2 for a limit that is not valid', async () => {
  const { ended } = runProgram(PROGRAM, [], { PARLEY_PLATFORM_MESSAGES_PER_MINUTE: 'many' });
  expect(await ended).toEqual({
    code: 2,
    stdout: '',
    stderr: 'PARLEY_PLATFORM_MESSAGES_PER_MINUTE takes a whole number, 1 to 1000000\n',
  });
});

test('ends with one line on stderr and 2 for an unusable setting of the assistant', async () => {
  const run = runProgram(PROGRAM, ['--port', '0', '--data-dir', await temporaryFolder()], {
    PARLEY_ASSISTANT_URL: 'ollama',
  });
  const { code, stderr } = await run.ended;
  expect(code).toBe(2);
  expect(stderr).toMatch(/^PARLEY_ASSISTANT_URL takes an http or https address [^\n]+\n$/);
});
