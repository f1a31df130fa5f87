import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { virtualClock } from '#shared/clock.ts';
import { CHECKS } from './checks.ts';
import { readConformanceOptions } from './conformanceOptions.ts';
import { observeSocket } from './observedSocket.ts';
import { FAULTS } from './testing/faults.ts';
import { runCommand, startBuiltIn } from './testing/runCommand.ts';
import { ADA, postAuth } from '../testing/testPlatform.ts';

/** The checks that wait for an answer, or send much. */
const WITH_TIME = new Set(['answer', 'interrupted', 'large-body', 'large-frame', 'large-file']);

test('the built-in platform passes the checks that take no time', async () => {
  const only = CHECKS.map(({ id }) => id).filter((id) => !WITH_TIME.has(id));
  const { status, out, err } = await runCommand([`${await startBuiltIn()}/`, '--only', only.join()]);
  expect(out).toMatch(/\n\n44 checks: 34 ok, 0 failed, 10 not tested\n$/);
  expect(out).toMatch(/^spec §4\.1 +identifier +ok {10}the answer to credentials/m);
  expect({ status, err }).toEqual({ status: 0, err: '' });
});

test('contract §1 signals: prints one JSON document with the addresses, the counts and each check; an interrupted test reports what it has tested, and exits with the signal’s status', async () => {
  const apiUrl = await startBuiltIn();
  const { status, out } = await runCommand([apiUrl, '--json', '--only', 'person,revoked']);
  expect(status).toBe(0);
  const words = expect.any(String);
  const checks = [
    { id: 'person', row: 'spec §2.6 person', checks: words, result: 'ok' },
    { id: 'revoked', row: 'spec §5.1', checks: words, result: 'notTested', why: words },
  ];
  const platformUrl = apiUrl.replace('http:', 'ws:');
  expect(JSON.parse(out)).toEqual({ apiUrl, platformUrl, ok: 1, failed: 0, notTested: 1, checks });
  const interrupted = await runCommand([apiUrl], { signal: AbortSignal.abort(143) });
  expect(interrupted.status).toBe(143);
  expect(interrupted.out).toContain('the test was interrupted');
});

test.each([
  [[], "missing required argument 'url'"],
  [['ftp://127.0.0.1'], 'It takes an address that begins with http:// or https://'],
  [['http://127.0.0.1:4311', '--platform-url', 'http://127.0.0.1'], 'begins with ws:// or wss://'],
  [['http://127.0.0.1:4311', '--email', 'ada@example.org'], '--email and --password need each other'],
  [['http://127.0.0.1:4311', '--only', 'person,none'], 'It takes ids of checks'],
  [
    ['http://127.0.0.1:2'],
    'cannot reach http://127.0.0.1:2 (ECONNREFUSED): start the platform, or name another address',
  ],
])('contract §1 bad usage: %j gives one line on stderr and exit 2', async (argv, words) => {
  const { status, out, err } = await runCommand(argv);
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toMatch(/^[^\n]+\n$/);
  expect(err).toContain(words);
});

test('exits with 2 and one line without the credentials, when the platform refuses them', async () => {
  const apiUrl = await startBuiltIn();
  const argv = [apiUrl, '--email', ADA.email, '--password', ADA.password];
  const { status, err } = await runCommand(argv);
  expect(status).toBe(2);
  expect(err).toBe(
    'the platform refuses this email and password (status 401, with a text): name another account\n',
  );
  await postAuth(apiUrl, ADA);
  const { out } = await runCommand([...argv, '--only', 'snapshot,person,isolation']);
  expect(out).toContain('1 ok, 0 failed, 2 not tested');
});

test('contract §1 help: lists the options and exits with 0', async () => {
  const { status, out } = await runCommand(['--help']);
  expect(status).toBe(0);
  await expect(out).toMatchFileSnapshot('testing/help.txt');
});

test('shows the progress and a table in colors on a terminal, without the account, and the reason of what is not tested', async () => {
  // It accepts everything with the same identifier, and no socket.
  const server = createServer((_, response) => response.end('server'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const apiUrl = `http://127.0.0.1:${Object(server.address()).port}`;
  const argv = [apiUrl, '--only', 'login,unknown-email,snapshot,pong,revoked'];
  const { status, out, err } = await runCommand(argv, { isOutColored: true, isErrTerminal: true });
  const shown = `${err}\n${out}`.replaceAll('\u001B', '␛').replaceAll('\r', '␍');
  await expect(shown).toMatchFileSnapshot('testing/report.txt');
  expect(status).toBe(1);
  const unreachable = await runCommand([apiUrl, '--platform-url', 'ws://127.0.0.1:2/']);
  const words = 'cannot connect to ws://127.0.0.1:2 (connect ECONNREFUSED 127.0.0.1:2): name another one';
  expect(unreachable).toEqual({ status: 2, out: '', err: `${words} with --platform-url\n` });
});

test('reads each option, and has defaults', () => {
  const read = (...argv: string[]) => readConformanceOptions(argv, { out: vi.fn(), err: vi.fn() });
  const defaults = { login: null, timeoutMs: 5000, quietMs: 1500, say: [], only: null, json: false };
  expect(read('https://a.org//')).toEqual({
    apiUrl: 'https://a.org',
    platformUrl: 'wss://a.org',
    ...defaults,
  });
  const login = { email: 'a@b.c', password: 'p' };
  const waits = ['--timeout', '600', '--quiet', '0.5', '--say', 'a', '--say', 'b', '--json'];
  const argv = ['--only=login,pong', '--platform-url', 'ws://b/', '--email', 'a@b.c', '--password', 'p'];
  expect(read('http://a/', ...waits, ...argv)).toEqual({
    ...{ apiUrl: 'http://a', platformUrl: 'ws://b', login, timeoutMs: 600_000, quietMs: 500 },
    ...{ say: ['a', 'b'], only: ['login', 'pong'], json: true },
  });
  for (const wrong of ['0', '601', 'x']) expect(read('http://a', '--quiet', wrong)).toEqual({ exitCode: 2 });
});

const cannotFail = (id: string) => id.startsWith('kind-') || id === 'revoked' || id === 'restart';

test('every check that can fail has a fault that it must find', () => {
  const proven = new Set(FAULTS.map(({ id }) => id));
  expect(CHECKS.filter(({ id }) => !proven.has(id) && !cannotFail(id)).map(({ id }) => id)).toEqual([]);
});

test('a test leaves no socket and no timer', async () => {
  const apiUrl = await startBuiltIn();
  const ended = vi.spyOn(WebSocket.prototype, 'terminate');
  onTestFinished(() => ended.mockRestore());
  await runCommand([apiUrl, '--only', 'isolation']);
  expect(new Set(ended.mock.contexts).size).toBe(3);
  const clock = virtualClock();
  const url = `${apiUrl.replace('http:', 'ws:')}/nobody`;
  const socket = observeSocket({ url, clock, timeoutMs: 1000 });
  expect(await socket.until(() => socket.closed()?.reason === 'unauthorized')).toBe(true);
  expect(clock.nextDue()).toBeUndefined();
});
