import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { Message } from '#shared/protocol/update.ts';
import { runProgram } from './testing/program.ts';
import { readStoredPlatform } from './testing/readStoredPlatform.ts';
import { ADA, connect, postAuth, temporaryFolder, testPlatform } from './testing/testPlatform.ts';

/** The built program. */
const PROGRAM = resolve(import.meta.dirname, '../out/platform/platform.js');
/** The ready line, without the address at its end. */
const READY = 'The platform is ready at ';

/** Starts the program with these options. */
async function start(argv: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const run = runProgram(PROGRAM, ['--port', '0', ...argv], environment);
  const apiUrl = (await run.firstLine).slice(READY.length);
  return { ...run, apiUrl, connect: (account: string) => connect(apiUrl.replace('http:', 'ws:'), account) };
}

/** Starts the program in a folder of its own and connects Ada to it. */
async function startWithAda() {
  const folder = await temporaryFolder();
  const run = await start(['--data-dir', folder]);
  const { body: account } = await postAuth(run.apiUrl, ADA);
  return { ...run, folder, account, client: await run.connect(account) };
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'contract §1 npm run platform, signals: ends with 0 after %s with an open socket, and has stored everything',
  async (signal) => {
    const { child, ended, folder, account, client } = await startWithAda();
    client.sendText('my secret');
    await client.until(({ newest }) => newest()?.modifier === 'client');
    child.kill(signal);
    // npm forwards the signal that the terminal has already sent.
    child.kill(signal);
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(0);
    expect(await client.closed).toEqual({ code: 1001, reason: '' });
    expect(stdout).toMatch(/^The platform is ready at http:\/\/127\.0\.0\.1:\d+\n$/);
    expect(readStoredPlatform(join(folder, 'platform.sqlite'))[0]?.messages.slice(-2)).toMatchObject([
      { modifier: 'client', content: [{ text: 'my secret' }] },
      { modifier: 'ai', content: [{ text: 'You said: my secret' }] },
    ]);
    for (const line of stderr.trim().split('\n'))
      expect(JSON.parse(line)).toMatchObject({ name: 'platform' });
    for (const secret of [account, 'secret', ADA.email, ADA.password]) expect(stderr).not.toContain(secret);
  },
);

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

const end = async (argv: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
  await runProgram(PROGRAM, argv, environment).ended;

test('contract §1 bad usage: ends with one line on stderr, and 2 for an option, a setting or a folder that cannot be used, 1 for a taken port', async () => {
  const folder = await temporaryFolder();
  const [file, data] = [join(folder, 'file'), join(folder, 'data')];
  await writeFile(file, '');
  const { port } = await testPlatform();
  const dataDir = ['--port', '0', '--data-dir', data];
  const ends = await Promise.all([
    end(['--prot', '1']),
    end(['--port', '0'], { PARLEY_DATA_DIR: file }),
    end([...dataDir, '--hostauth', 'http://auth.example.org']),
    end(dataDir, { PARLEY_ASSISTANT_URL: 'ollama' }),
    end(['--port', `${port}`, '--data-dir', join(folder, 'other')]),
  ]);
  expect(ends).toEqual([
    { code: 2, stdout: '', stderr: "unknown option '--prot'\n" },
    { code: 2, stdout: '', stderr: expect.stringMatching(/^cannot use the data folder [^\n]+\n$/) },
    {
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^--hostauth is a plain address of another machine: [^\n]+\n$/),
    },
    {
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^PARLEY_ASSISTANT_URL takes an http or https address [^\n]+\n$/),
    },
    { code: 1, stdout: '', stderr: `port ${port} is taken: free it, or name another\n` },
  ]);
  expect(existsSync(data)).toBe(false);
});

test('uses the per-user folder of the system when no folder is named, and its commands list and revoke accounts there while it runs', async () => {
  const home = await temporaryFolder();
  const environment = { HOME: home, PARLEY_DATA_DIR: '', XDG_CONFIG_HOME: home };
  const run = await start([], environment);
  const client = await run.connect((await postAuth(run.apiUrl, ADA)).body);
  expect(existsSync(join(home, 'Parley', 'platform.sqlite'))).toBe(true);
  const command = (...args: string[]) => runProgram(PROGRAM, args, environment).ended;
  const [listed, unknown, bad] = await Promise.all([
    command('accounts'),
    command('restore', 'bob@example.org'),
    command('restore'),
  ]);
  expect(listed).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^EMAIL +CREATED +MESSAGES +REVOKED\nada@example\.org .+ -\n$/u),
    stderr: '',
  });
  expect(unknown).toEqual({ code: 1, stdout: '', stderr: 'there is no account bob@example.org\n' });
  expect(bad).toEqual({ code: 2, stdout: '', stderr: 'restore takes one email\n' });
  const revoked = { code: 0, stdout: 'ada@example.org is revoked\n', stderr: '' };
  expect(await command('revoke', ADA.email)).toEqual(revoked);
  expect(await client.closed).toEqual({ code: 4401, reason: 'unauthorized' });
});

const textOf = ({ content = [] }: Message) => content.map(({ text }) => text ?? '').join('');

/** Returns the messages that a client has received and that are missing after a restart. The newest one may have grown. */
function lostMessages(messages: readonly Message[], seen: readonly Message[]): readonly Message[] {
  return seen.filter((message, index) => {
    const now = messages[index];
    const isNewest = index === seen.length - 1;
    if (isNewest && now !== undefined) return now.id !== message.id || !textOf(now).includes(textOf(message));
    return !isDeepStrictEqual(now, message);
  });
}

// `npm run soak` kills it a hundred times.
test('keeps every message that its client received and every account that it has confirmed when it is killed', async () => {
  const folder = await temporaryFolder();
  let before: readonly Message[] = [];
  const accounts: string[] = [];
  for (const [round, updates] of [9, 25, 1].entries()) {
    const run = await start(['--data-dir', folder]);
    const enter = async (at: number, name: string) =>
      (await postAuth(run.apiUrl, { ...ADA, email: `ada${at}@example.org`, name })).body;
    const known = round === 0 ? undefined : await enter(round - 1, '');
    expect(known).toBe(accounts.at(-1));
    accounts.push(await enter(round, ADA.name));
    const client = await run.connect(accounts[0] ?? '');
    expect(lostMessages(client.conversation().messages, before)).toEqual([]);
    const blob = Buffer.alloc(90_000, 7).toString('base64');
    for (const words of ['stream', 'many 20', `round ${round}`, 'several']) client.sendText(words);
    for (let sent = 0; sent < 8; sent++) client.send({ category: 'image', text: `${sent}.png`, blob });
    await client.until(() => client.updates().length > updates);
    run.child.kill('SIGKILL');
    await Promise.all([run.ended, client.closed]);
    before = client.conversation().messages;
  }
});
