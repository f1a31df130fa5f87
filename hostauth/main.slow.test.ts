import { type ChildProcess, spawn } from 'node:child_process';
import { once, EventEmitter } from 'node:events';
import { chmodSync, closeSync, openSync, readFileSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { expect, onTestFinished, test, vi, describe } from 'vitest';
import { POLLING } from '#tests/builders/polling.ts';
import { isRoot, withHostAccounts, withPamService } from '#tests/builders/withHostAccounts.ts';
import { createClient } from './api/client.ts';
import { SECRET, WRONG } from './testing/testApp.ts';
import { childrenOf, commandOf, hasEnded, hostauthProgram, statusOf } from './testing/processState.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';

/** Every host has this PAM service. */
const ENV = { HOSTAUTH_PORT: '0', HOSTAUTH_PAM_SERVICE: 'other' };

type Files = readonly ('ignore' | 'pipe' | number)[];

/** Starts a program with these variables and no others, after a prefix, with its files from stderr on; collects the lines that it prints and logs. */
function run(
  program: Parameters<typeof hostauthProgram>[0],
  env: Readonly<Record<string, string>>,
  { prefix = [] as readonly string[], args = [] as readonly string[], files = ['pipe'] as Files } = {},
) {
  const [command = '', ...rest] = [...prefix, process.execPath, hostauthProgram(program), ...args];
  const child: ChildProcess = spawn(command, rest, { env, stdio: ['ignore', 'pipe', ...files] });
  const ended = once(child, 'exit');
  // At `exit`, the end of its output may not have arrived yet.
  const closed = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const output = new EventEmitter();
  const linesOf = (input: Readable | null) => {
    const lines: string[] = [];
    if (input !== null) createInterface(input).on('line', (line) => output.emit('line', lines.push(line)));
    return lines;
  };
  const [printed, log] = [linesOf(child.stdout), linesOf(child.stderr)];
  const until = async (words: string) => {
    for (;;) {
      const found = [...printed, ...log].find((line) => line.includes(words));
      if (found !== undefined) return found;
      await once(output, 'line');
    }
  };
  const ready = async () => (await until('hostauth is ready at')).replace('hostauth is ready at ', '');
  return { child, pid: child.pid ?? Number.NaN, ended, closed, printed, log, until, ready };
}

async function outcome(env: Record<string, string>, args: readonly string[] = []) {
  const { closed, printed, log } = run('hostauth', env, { args });
  const [code] = await closed;
  return { code, printed, log };
}

test('contract §1 help, bad usage: prints --help with exit code 0, and reports what cannot be used in one line on stderr with exit code 2, a port in use with 1; answers and ends with 0 while its log goes to a full disk', async () => {
  const fd = openSync('/dev/full', 'w');
  const { child, ended, ready } = run('hostauth', ENV, { files: [fd] });
  closeSync(fd);
  const url = await ready();
  const { port } = new URL(url);
  const [help, taken, ...bad] = await Promise.all([
    outcome({}, ['--help']),
    outcome({ ...ENV, HOSTAUTH_PORT: port }),
    outcome({}, ['--port']),
    outcome({ HOSTAUTH_PORT: 'http' }),
  ]);
  expect([help.code, help.log]).toEqual([0, []]);
  expect(help.printed.join('\n')).toMatch(/^Usage: hostauth [^]*install/);
  expect(help.printed).toContain('  HOSTAUTH_IDLE_S           seconds, from 1 to 31536000 (default: 900)');
  const log = [`cannot listen on 127.0.0.1, port ${port} (EADDRINUSE): name another`];
  expect(taken).toEqual({ code: 1, printed: [], log });
  for (const one of bad)
    expect(one).toEqual({ code: 2, printed: [], log: [expect.stringMatching(/^(?!error)./)] });
  for (const path of ['none', 'healthz', 'none']) await fetch(`${url}/${path}`);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('contract §8 ready line, contract §1 drain: prints only its address, and warns about HOSTAUTH_USERS=open; answers a sign-in that is in progress at SIGTERM and ends with 0; half a request and idle connections do not delay the end', async () => {
  const env = { ...ENV, HOSTAUTH_USERS: 'open' };
  const { child, closed, printed, log, until, ready } = run('hostauth', env);
  const url = await ready();
  const port = Number(new URL(url).port);
  const client = createClient({ baseUrl: url });
  const half = connect(port, '127.0.0.1').on('error', () => {});
  const head = ['POST /auth HTTP/1.1', `Host: 127.0.0.1:${port}`, 'Content-Type: application/json'];
  half.write([...head, 'Content-Length: 9', '', '{'].join('\r\n'));
  const idle = connect(port, '127.0.0.1').on('error', () => {});
  await Promise.all([once(half, 'connect'), once(idle, 'connect')]);
  const refused = client.signIn({ username: 'nobody-here', password: WRONG }).catch(String);
  // The log has it when PAM has answered; the answer is delayed.
  await until('"audit":"sign-in failed"');
  child.kill('SIGTERM');
  child.kill('SIGTERM');
  expect(await refused).toContain('401');
  expect(await closed).toEqual([0, null]);
  expect(log.map((line): unknown => JSON.parse(line)).filter((line) => Object(line).audit)).toMatchObject([
    { audit: 'service started', name: 'hostauth', slots: 1024 },
    { audit: 'sign-in failed' },
    { audit: 'service stopped' },
  ]);
  expect(log.join('\n')).toContain('any program on this machine may create users');
  expect(log.join('\n')).not.toContain(SECRET);
  expect(printed).toEqual([expect.stringMatching(/^hostauth is ready at http:\/\/127\.0\.0\.1:[1-9]\d*$/)]);
});

function expectUnprivileged(pid: number): void {
  for (const thread of readdirSync(`/proc/${pid}/task`).map(Number)) {
    expect(`${statusOf(thread, 'Uid')} ${statusOf(thread, 'Gid')}`.split(/\s+/)).not.toContain('0');
    expect(statusOf(thread, 'Groups')).toBe('');
    for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb']) expect(statusOf(thread, set)).toMatch(/^0+$/);
  }
}

const expectNoCoreFile = (pid: number) =>
  expect(readFileSync(`/proc/${pid}/limits`, 'utf8')).toMatch(/^Max core file size\s+0\s+0\s/m);

// With real rights, as on a host.
describe.runIf(isRoot)('the processes of root', () => {
  const accounts = withHostAccounts();
  const shipped = withPamService();
  const settings = () => ({ HOSTAUTH_PORT: '0', HOSTAUTH_PAM_SERVICE: shipped.service });
  /** As on a host with core files, and by a root with groups: the programs themselves forbid and drop them. */
  const prefix = ['prlimit', '--core=unlimited', 'setpriv', '--groups=4,24'];

  test('the HTTP process has no rights, no groups, no open file of root and no core file; a killed one is replaced on the same address, and ends with its helper', async () => {
    const file = openSync('/etc/shadow', 'r');
    onTestFinished(() => closeSync(file));
    // Node itself closes files up to the first gap in their numbers.
    const gap = Array.from({ length: 17 }, () => 'ignore' as const);
    const options = { prefix, files: ['pipe' as const, ...gap, file] };
    const { pid, until, child, ended, ready } = run('hostauth', settings(), options);
    const client = createClient({ baseUrl: await ready() });
    const http = () => childrenOf(pid).find((one) => commandOf(one).includes('http.js')) ?? Number.NaN;
    const folder = `/proc/${http()}/fd`;
    const openFiles = readdirSync(folder).map((fd) => readlinkSync(join(folder, fd)));
    expect(openFiles).not.toContain('/etc/shadow');
    const account = accounts.create();
    const { token } = await client.signIn(account);
    expect(await client.me(token)).toMatchObject({ username: account.username });
    expectUnprivileged(http());
    expect(statusOf(http(), 'NoNewPrivs')).toBe('1');
    // CAP_DAC_READ_SEARCH, CAP_SETGID and CAP_SETUID, of which it has none.
    expect(statusOf(http(), 'CapBnd')).toBe('00000000000000c4');
    expect(statusOf(pid, 'Uid')).toMatch(/^0\s/);
    const pamChildren = childrenOf(pid).filter((one) => commandOf(one).includes('pamChild.js'));
    expect(pamChildren.length).toBeGreaterThan(0);
    for (const each of [pid, http(), ...pamChildren]) expectNoCoreFile(each);

    const first = http();
    process.kill(first, 'SIGKILL');
    await until('the HTTP process ended');
    // Only its first ready line is printed.
    await vi.waitFor(() => client.signIn(account), POLLING);
    expect(http()).not.toBe(first);
    expectUnprivileged(http());
    // Sessions are in the memory of the process.
    await expect(client.me(token)).rejects.toThrow('401');
    const second = http();
    child.kill('SIGKILL');
    await ended;
    // It is no child of this process: no event tells its end.
    await vi.waitFor(() => expect(hasEnded(second)).toBe(true), POLLING);
  });

  test('sessions survive the restart of a separate helper, and a call in between waits', async () => {
    const folder = mainFolder();
    // As systemd creates it: the HTTP process can enter the folder.
    chmodSync(folder, 0o755);
    const socket = join(folder, 'helper.sock');
    const env = { ...settings(), HOSTAUTH_HELPER_SOCKET: socket, RUNTIME_DIRECTORY: folder };
    const helper = run('helper', env, { prefix });
    await helper.until('ready');
    const { mode, uid } = statSync(socket);
    expect([mode & 0o777, uid === 0]).toEqual([0o600, false]);
    expect(statSync(join(folder, 'proof.key')).mode & 0o777).toBe(0o600);
    const http = run('http', env, { prefix });
    const client = createClient({ baseUrl: await http.ready() });
    expectUnprivileged(http.pid);
    for (const { pid } of [helper, http]) expectNoCoreFile(pid);
    const account = accounts.create();
    const { token } = await client.signIn(account);

    helper.child.kill('SIGKILL');
    await helper.ended;
    const waiting = client.signIn(account);
    const second = run('helper', env, { prefix });
    expect(await waiting).toMatchObject({ username: account.username });
    // The new helper checks the account.
    await http.until('is lost');
    expect(await client.me(token)).toMatchObject({ username: account.username });
    await expect(client.listSessions(token)).rejects.toThrow('403');

    for (const { child, ended } of [http, second]) {
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    }
  });
});
