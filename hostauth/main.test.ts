import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { hostauthProgram } from '#tests/builders/hostauthProgram.ts';
import { createClient } from './api/client.ts';
import { SECRET, WRONG } from './testing/fakeHelper.ts';

/** Every host has this PAM service. */
const ENV = { HOSTAUTH_PORT: '0', HOSTAUTH_PAM_SERVICE: 'other' };

const PROGRAM = hostauthProgram('hostauth');

/** Starts the program with these variables and no others. */
function run(env: Record<string, string>, args: readonly string[] = []) {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  // At `exit`, the end of its output may not have arrived yet.
  const ended = once(child, 'close').then(([code]: unknown[]) => code);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return { child, ended };
}

/** Runs the program to its end. */
async function outcome(env: Record<string, string>, args: readonly string[] = []) {
  const { child, ended } = run(env, args);
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, out, err };
}

/** Starts the program and waits until it is ready. */
async function start(env: Record<string, string> = {}) {
  const { child, ended } = run({ ...ENV, ...env });
  const log: string[] = [];
  const lines = createInterface(child.stderr).on('line', (line) => log.push(line));
  const untilLogged = async (event: string) => {
    while (!log.some((line) => line.includes(`"audit":"${event}"`))) await once(lines, 'line');
  };
  const [ready] = await once(createInterface(child.stdout), 'line');
  const url = String(ready).replace('hostauth is ready at ', '');
  return { child, ended, log, untilLogged, url, port: Number(new URL(url).port) };
}

/** A pipe whose reader reads nothing, and which `endReader` closes. */
function unreadPipe() {
  const folder = mkdtempSync(join(tmpdir(), 'hostauth-main-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { fd: openSync(path, constants.O_WRONLY), endReader: () => closeSync(reader) };
}

const fullDisk = () => ({ fd: openSync('/dev/full', 'w'), endReader: () => undefined });

/** Causes a log of over 140 bytes for each request. A pipe buffers 64 KiB; the terminal has two pipes. */
async function logMuch(url: string, requests: number) {
  for (let i = 0; i < requests; i += 50) {
    const answers = Array.from({ length: 50 }, async () => (await fetch(`${url}/none`)).status);
    expect(await Promise.all(answers)).not.toContain(200);
  }
}

test('contract §8 ready line: prints only its address on stdout when it is ready', async () => {
  const { child, ended } = run(ENV);
  child.stderr.resume();
  let out = '';
  child.stdout.on('data', (data: Buffer) => (out += data.toString()));
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(out).toMatch(/^hostauth is ready at http:\/\/127\.0\.0\.1:[1-9]\d*\n$/);
});

test.each([
  ['a full disk', fullDisk, 50],
  ['a pipe that is not read and then closed', unreadPipe, 700],
])('answers and ends with 0 while its log goes to %s', async (_when, open, requests) => {
  const { fd, endReader } = open();
  const child = spawn(process.execPath, [PROGRAM], { env: ENV, stdio: ['ignore', 'pipe', fd] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  closeSync(fd);
  if (child.stdout === null) throw new Error('stdout must be a pipe');
  const [ready] = await once(createInterface(child.stdout), 'line');
  const url = String(ready).replace('hostauth is ready at ', '');
  await logMuch(url, requests);
  endReader();
  const login = createClient({ baseUrl: url }).signIn({ username: 'nobody-here', password: WRONG });
  await expect(login).rejects.toThrow('401');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('answers and ends with 0 while its log goes to a stopped terminal', async () => {
  const command = `echo pid $$; exec '${process.execPath}' '${PROGRAM}'`;
  const terminal = spawn('script', ['--quiet', '--command', command, '/dev/null'], {
    env: { ...ENV, PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void terminal.kill('SIGKILL'));
  const ended = once(terminal, 'exit');
  let shown = '';
  terminal.stdout.on('data', (data: Buffer) => (shown += data.toString()));
  const url = await vi.waitFor(() => textAfter(shown, /ready at (\S+)\r?\n/), { timeout: 30_000 });
  const pid = Number(textAfter(shown, /^pid (\d+)/));
  onTestFinished(() => void (terminal.exitCode ?? process.kill(pid, 'SIGKILL')));
  terminal.stdout.pause();
  await logMuch(url, 1000);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  process.kill(pid, 'SIGTERM');
  terminal.stdout.resume();
  expect(await ended).toEqual([0, null]);
});

function textAfter(shown: string, pattern: RegExp): string {
  const found = pattern.exec(shown)?.[1];
  if (found === undefined) throw new Error(`not shown yet: ${shown}`);
  return found;
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  'contract §1 drain: %s ends it with 0, and the log has start and stop',
  async (signal) => {
    const { child, ended, log } = await start();
    child.kill(signal);
    expect(await ended).toBe(0);
    const audit = log
      .map((line): unknown => JSON.parse(line))
      .filter((line) => Object(line).audit !== undefined);
    expect(audit).toMatchObject([
      { audit: 'service started', name: 'hostauth', slots: 1024 },
      { audit: 'service stopped' },
    ]);
  },
);

test('contract §1 drain: answers a sign-in that is in progress at SIGTERM; half a request and idle connections do not delay the end', async () => {
  const { child, ended, log, untilLogged, url, port } = await start();
  const client = createClient({ baseUrl: url });
  const half = connect(port, '127.0.0.1').on('error', () => {});
  half.write(
    `POST /auth HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
  );
  const idle = connect(port, '127.0.0.1').on('error', () => {});
  await Promise.all([once(half, 'connect'), once(idle, 'connect')]);
  const login = client.signIn({ username: 'nobody-here', password: WRONG });
  // The log has it when PAM has answered; the answer is delayed.
  await Promise.all([untilLogged('sign-in failed'), expect(login).rejects.toThrow('401'), end()]);
  async function end() {
    await untilLogged('sign-in failed');
    child.kill('SIGTERM');
    child.kill('SIGTERM');
  }
  expect(await ended).toBe(0);
  expect(log.at(-1)).toContain('"audit":"service stopped"');
  expect(log.join('\n')).not.toContain(SECRET);
});

test('contract §8 users: warns about HOSTAUTH_USERS=open', async () => {
  const { log } = await start({ HOSTAUTH_USERS: 'open' });
  expect(log[0]).toContain('any program on this machine may create users');
});

test('contract §1 help: prints --help on stdout with exit code 0', async () => {
  const { code, out, err } = await outcome({}, ['--help']);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^Usage: hostauth /);
  expect(out).toContain('install');
  expect(out).toContain('HOSTAUTH_IDLE_S           seconds, from 1 to 31536000 (default: 900)');
});

test.each([
  ['an unknown option', {}, ['--port']],
  ['an unknown command', {}, ['instal']],
  ['an unknown option of install', {}, ['install', '--no']],
  ['a bad port', { HOSTAUTH_PORT: 'http' }, []],
  ['an address for everyone without TLS', { HOSTAUTH_HOST: '0.0.0.0' }, []],
  [
    'a certificate that is not there',
    { ...ENV, HOSTAUTH_TLS_CERT: '/nowhere/c.pem', HOSTAUTH_TLS_KEY: '/nowhere/k.pem' },
    [],
  ],
  ['a PAM service that is not there', { HOSTAUTH_PAM_SERVICE: 'not-there' }, []],
])('contract §1 bad usage: reports %s in one line on stderr with exit code 2', async (_what, env, args) => {
  const { code, out, err } = await outcome(env, args);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(/^(?!error)[^\n]+\n$/);
});

test('reports a port in use in one line on stderr with exit code 1', async () => {
  const { port } = await start();
  const { code, out, err } = await outcome({ ...ENV, HOSTAUTH_PORT: String(port) });
  expect([code, out]).toEqual([1, '']);
  expect(err).toBe(`cannot listen on 127.0.0.1, port ${port} (EADDRINUSE): name another\n`);
});
