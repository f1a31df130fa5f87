import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { virtualClock } from '#shared/clock.ts';
import { tableOf } from '#tests/builders/tableOf.ts';
import { CHECKS } from './checks.ts';
import { readConformanceOptions } from './conformanceOptions.ts';
import { observeSocket } from './observedSocket.ts';
import { runCommand, startBuiltIn } from './testing/runCommand.ts';
import { readPlatformLimits } from '../routes/platformLimits.ts';
import { ADA, postAuth } from '../testing/testPlatform.ts';

/** The checks that wait for an answer, or send much. */
const WITH_TIME = new Set(['answer', 'interrupted', 'large-body', 'large-frame', 'large-file']);

test('the built-in platform passes the checks that take no time', async () => {
  const only = CHECKS.map(({ id }) => id).filter((id) => !WITH_TIME.has(id));
  const { status, out, err } = await runCommand([`${await startBuiltIn()}/`, '--only', only.join()]);
  expect(out).toMatch(/\n\n44 checks: 34 ok, 0 failed, 10 not tested\n$/);
  expect({ status, err }).toEqual({ status: 0, err: '' });
});

test('contract §1 signals: prints one JSON document with the addresses, the counts and each check; an interrupted test reports what it has tested, and exits with the signal’s status', async () => {
  const apiUrl = await startBuiltIn();
  await postAuth(apiUrl, ADA);
  const argv = [apiUrl, '--json', '--only', 'snapshot,person,isolation,revoked'];
  const { status, out } = await runCommand([...argv, '--email', ADA.email, '--password', ADA.password]);
  expect(status).toBe(0);
  await expect(out.replaceAll(apiUrl.slice(5), '//platform')).toMatchFileSnapshot('testing/json.txt');
  const interrupted = await runCommand([apiUrl], { signal: AbortSignal.abort(143) });
  expect(interrupted.status).toBe(143);
  expect(interrupted.out).toMatch(/the test was interrupted\n\n49 checks: 0 ok, 0 failed, 49 not tested\n$/);
});

test('contract §1 help, contract §1 bad usage: lists the options and exits with 0; exits with 2 and one line, without credentials, for a mistake, a platform that cannot be reached, and one that refuses the account', async () => {
  const apiUrl = await startBuiltIn();
  const path = join(import.meta.dirname, 'testing/usage.txt');
  const table = await tableOf(path, async (line) => {
    const argv = line.replace('http://platform', apiUrl).split(' ').slice(1);
    const { status, out, err } = await runCommand(argv);
    return `${err}${out}exit ${status}`.replaceAll(apiUrl, 'http://platform');
  });
  await expect(table).toMatchFileSnapshot(path);
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
});

const read = (argv: readonly string[]) =>
  readConformanceOptions(argv, { out: () => undefined, err: () => undefined });

test('reads each option, and has defaults', async () => {
  const waits = ['--timeout', '600', '--quiet', '0.5', '--say', 'a', '--say', 'b', '--json'];
  const others = ['--only=login,pong', '--platform-url', 'ws://b/', '--email', 'a@b.c', '--password', 'p'];
  const all = [read(['https://a.org//']), read(['http://a/', ...waits, ...others])];
  await expect(JSON.stringify(all, null, 2)).toMatchFileSnapshot('testing/options.txt');
});

test('a test leaves no socket and no timer', async () => {
  const apiUrl = await startBuiltIn();
  const ended = vi.spyOn(WebSocket.prototype, 'terminate');
  onTestFinished(() => ended.mockRestore());
  await runCommand([apiUrl, '--only', 'isolation']);
  expect(new Set(ended.mock.contexts).size).toBe(3);
  const limits = { ...readPlatformLimits({}), registrationsPerHour: 1 };
  const { out } = await runCommand([await startBuiltIn({ limits }), '--only', 'isolation']);
  expect(out).toContain('it needs a second registration, which was refused or not tried');
  const clock = virtualClock();
  const url = `${apiUrl.replace('http:', 'ws:')}/nobody`;
  const socket = observeSocket({ url, clock, timeoutMs: 1000 });
  expect(await socket.until(() => socket.closed()?.reason === 'unauthorized')).toBe(true);
  expect([await socket.ping(), socket.hasEnded(), clock.nextDue()]).toEqual([null, false, undefined]);
  const { body: account } = await postAuth(apiUrl, ADA);
  const open = observeSocket({ url: url.replace('nobody', account), clock, timeoutMs: 500 });
  await open.until(() => open.frames.length > 0);
  const late = open.until(() => false);
  expect(clock.nextDue()).toBe(500);
  clock.advance(500);
  expect(await late).toBe(false);
  open.terminate();
});
