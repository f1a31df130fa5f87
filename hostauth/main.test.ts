import { spawn } from 'node:child_process';
import { once, EventEmitter } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi, describe } from 'vitest';
import { holdPasswordLock } from '#tests/builders/holdPasswordLock.ts';
import { hostauthProgram } from '#tests/builders/hostauthProgram.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { isRoot, withHostAccounts, withPamService } from '#tests/builders/withHostAccounts.ts';
import { createClient } from './api/client.ts';
import { startHttpProcess } from './httpProcess.ts';
import { SECRET, WRONG, fakeAuthenticator, fakeHelper } from './testing/fakeHelper.ts';
import { childrenOf, commandOf } from './testing/processState.ts';

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

/** Resolves with what a program prints first, and the address in it. */
async function ready(stdout: Readable | null) {
  const [data] = await once(stdout ?? new EventEmitter(), 'data');
  const printed = String(data);
  return { printed, url: printed.trim().replace('hostauth is ready at ', '') };
}

test('contract §1 help, bad usage: prints --help with exit code 0, and reports what cannot be used in one line on stderr with exit code 2, a port in use with 1; answers and ends with 0 while its log goes to a full disk', async () => {
  const fd = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [PROGRAM], { env: ENV, stdio: ['ignore', 'pipe', fd] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  closeSync(fd);
  const { url } = await ready(child.stdout);
  const { port } = new URL(url);
  const [help, taken, ...bad] = await Promise.all([
    outcome({}, ['--help']),
    outcome({ ...ENV, HOSTAUTH_PORT: port }),
    outcome({}, ['--port']),
    outcome({ HOSTAUTH_PORT: 'http' }),
  ]);
  expect([help.code, help.err]).toEqual([0, '']);
  expect(help.out).toMatch(/^Usage: hostauth [^]*install/);
  expect(help.out).toContain('HOSTAUTH_IDLE_S           seconds, from 1 to 31536000 (default: 900)');
  const err = `cannot listen on 127.0.0.1, port ${port} (EADDRINUSE): name another\n`;
  expect(taken).toEqual({ code: 1, out: '', err });
  for (const { code, out, err: line } of bad) {
    expect([code, out]).toEqual([2, '']);
    expect(line).toMatch(/^(?!error)[^\n]+\n$/);
  }
  for (const path of ['none', 'healthz', 'none']) await fetch(`${url}/${path}`);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('contract §8 ready line, contract §1 drain: prints only its address; answers a sign-in that is in progress at SIGTERM and ends with 0; half a request and idle connections do not delay the end', async () => {
  const { child, ended } = run(ENV);
  const log: string[] = [];
  const lines = createInterface(child.stderr).on('line', (line) => log.push(line));
  const more: string[] = [];
  const { printed, url } = await ready(child.stdout);
  child.stdout.on('data', (data) => more.push(String(data)));
  const port = Number(new URL(url).port);
  const client = createClient({ baseUrl: url });
  const half = connect(port, '127.0.0.1').on('error', () => {});
  half.write(
    `POST /auth HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
  );
  const idle = connect(port, '127.0.0.1').on('error', () => {});
  await Promise.all([once(half, 'connect'), once(idle, 'connect')]);
  const refused = client.signIn({ username: 'nobody-here', password: WRONG }).catch(String);
  // The log has it when PAM has answered; the answer is delayed.
  while (!log.some((line) => line.includes('"audit":"sign-in failed"'))) await once(lines, 'line');
  child.kill('SIGTERM');
  child.kill('SIGTERM');
  expect(await refused).toContain('401');
  expect(await ended).toBe(0);
  expect(log.map((line): unknown => JSON.parse(line)).filter((line) => Object(line).audit)).toMatchObject([
    { audit: 'service started', name: 'hostauth', slots: 1024 },
    { audit: 'sign-in failed' },
    { audit: 'service stopped' },
  ]);
  expect(log.join('\n')).not.toContain(SECRET);
  expect(printed).toMatch(/^hostauth is ready at http:\/\/127\.0\.0\.1:[1-9]\d*\n$/);
  expect(more).toEqual([]);
});

const PASSWORD = 'correct horse';

/** Whether this program creates this user now. */
const isCreating = (pid: number, username: string) =>
  childrenOf(pid).some((tool) => commandOf(tool) === `${USERADD.join('\0')}\0${username}\0`);

const USERADD = ['/usr/sbin/useradd', '--create-home', '--user-group', '--shell', '/usr/sbin/nologin', '--'];

// With the real tools, which only root can use; `routes/users.test.ts` checks the same with replaced tools.
describe.runIf(isRoot)('a signal while a user is created', () => {
  const accounts = withHostAccounts();
  const shipped = withPamService();

  test('contract §1 drain, contract §8 users: warns about HOSTAUTH_USERS=open; SIGINT to the whole process group ends the service only after the creation and its answer', async () => {
    const { PATH = '' } = process.env;
    const env = { PATH, HOSTAUTH_PORT: '0', HOSTAUTH_USERS: 'open', HOSTAUTH_PAM_SERVICE: shipped.service };
    const child = spawn(process.execPath, [hostauthProgram('hostauth')], {
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const log = text(child.stderr);
    const { url: baseUrl } = await ready(child.stdout);
    // Before the lock: the first name removes the accounts of killed runs, by tools that would wait for the lock.
    const username = accounts.name();
    const lock = await holdPasswordLock();
    const created = createClient({ baseUrl }).createUser({ username, password: PASSWORD });
    await vi.waitFor(() => expect(isCreating(child.pid ?? 0, username)).toBe(true), POLLING);
    const exited = once(child, 'exit');
    process.kill(-(child.pid ?? Number.NaN), 'SIGINT');
    await lock.release();
    expect(await created).toEqual({ username });
    expect(await exited).toEqual([0, null]);
    expect(await log).toContain('any program on this machine may create users');
    expect(await log).toContain('user created');
    expect(await log).not.toContain(PASSWORD);
  });
});

const READY = 'hostauth is ready at http://127.0.0.1:4321\n';

/** Starts a program instead of the HTTP process; `printed` returns what reaches stdout. */
function startHttp(program: string, env: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'hostauth-http-'));
  const path = join(folder, 'http.mjs');
  writeFileSync(path, program);
  const events = new EventEmitter();
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation(() => events.emit('printed'));
  const warn = vi.fn<() => void>(() => void events.emit('warned'));
  const http = startHttpProcess({
    path,
    env: { HOSTAUTH_PORT: '0', ...env },
    isRoot: false,
    helper: fakeHelper(fakeAuthenticator()),
    logger: { warn },
    onReady: () => undefined,
    onFailed: () => undefined,
  });
  onTestFinished(async () => {
    await http.stop();
    stdout.mockRestore();
    rmSync(folder, { recursive: true });
  });
  const untilWarned = async (count: number) => {
    while (warn.mock.calls.length < count) await once(events, 'warned');
  };
  return {
    untilWarned,
    firstPrint: once(events, 'printed'),
    printed: () => stdout.mock.calls.map(([line]) => String(line)),
  };
}

test('prints the first line of the HTTP process, drops what it prints later, and restarts it on the same port', async () => {
  const { untilWarned, printed } = startHttp(
    `const port = process.env.HOSTAUTH_PORT === '0' ? 4321 : Number(process.env.HOSTAUTH_PORT) + 1;
     process.stdout.write('hostauth is ready at http://127.0.0.1:' + port + '\\n' + 'more:22\\n'.repeat(1000));
     process.stdout.write('more:22\\n'.repeat(1000), () => process.exit(1));`,
  );
  await untilWarned(2);
  // The second process must listen on the port of the first one.
  expect(printed().slice(0, 2)).toEqual([READY, READY.replace('4321', '4322')]);
});

test('waits twice as long before each restart of an HTTP process that does not become ready', async () => {
  const wait = setTimeout;
  const timeout = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation((call, ms) => wait(call, call.name === 'start' ? 0 : ms));
  onTestFinished(() => timeout.mockRestore());
  const { untilWarned } = startHttp(
    `import { existsSync, writeFileSync } from 'node:fs';
     const marker = import.meta.filename + '.marker';
     if (existsSync(marker)) process.exit(1);
     writeFileSync(marker, '');
     process.stdout.write('hostauth is ready at http://127.0.0.1:4321\\n', () => process.exit(1));`,
  );
  await untilWarned(4);
  const delays = timeout.mock.calls.flatMap(([call, ms]) => (call.name === 'start' ? [ms] : []));
  expect(delays.slice(0, 4)).toEqual([100, 200, 400, 800]);
});

test('starts the HTTP process in a session of its own, so that it cannot type into the terminal of root, with its settings and nothing else of its environment', async () => {
  const { firstPrint, printed } = startHttp(
    `import { readFileSync } from 'node:fs';
     const [, , , , , session] = readFileSync('/proc/self/stat', 'utf8').split(' ');
     process.stdout.write('hostauth is ready at ' + (session === String(process.pid)) + Object.keys(process.env).sort() + ':1\\n');
     setInterval(() => undefined, 1000);`,
    { HOSTAUTH_IDLE_S: '9', LC_ALL: 'C', LD_PRELOAD: '', NODE_OPTIONS: '', SECRET: 'sesame' },
  );
  await firstPrint;
  const names = 'HOSTAUTH_HELPER_FD,HOSTAUTH_IDLE_S,HOSTAUTH_PORT,LC_ALL,UV_USE_IO_URING';
  expect(printed()).toEqual([`hostauth is ready at true${names}:1\n`]);
});
