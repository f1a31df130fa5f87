import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { POLLING } from '#tests/builders/polling.ts';
import { hostauthProgram } from '#tests/builders/hostauthProgram.ts';
import { isRoot, withHostAccounts, withPamService } from '#tests/builders/withHostAccounts.ts';
import { createClient } from './api/client.ts';
import {
  childrenOf,
  commandOf,
  expectNoCoreFile,
  expectUnprivileged,
  hasEnded,
  openFilesOf,
  statusOf,
} from './testing/processState.ts';
import { ACCOUNT_CHANGES, runTool, uidOf } from './testing/accountChanges.ts';

// Programs start slowly on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

// As root, as on a host; `main.test.ts` starts it as any user.
describe.runIf(isRoot)('the processes of the service', () => {
  const accounts = withHostAccounts();
  const shipped = withPamService();

  /** Starts a program and collects the lines that it prints and logs. */
  function run(
    name: Parameters<typeof hostauthProgram>[0],
    env: Readonly<Record<string, string>> = {},
    files: readonly ('ignore' | number)[] = [],
  ) {
    // As on a host with core files, and by a root with groups: the programs themselves forbid and drop them.
    const command = [process.execPath, hostauthProgram(name)];
    const child: ChildProcess = spawn(
      'prlimit',
      ['--core=unlimited', 'setpriv', '--groups=4,24', ...command],
      {
        env: { HOSTAUTH_PORT: '0', HOSTAUTH_PAM_SERVICE: shipped.service, ...env },
        stdio: ['ignore', 'pipe', 'pipe', ...files],
      },
    );
    const ended = once(child, 'exit');
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await ended;
    });
    const lines: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      if (stream !== null) createInterface(stream).on('line', (line) => lines.push(line));
    }
    const until = async (text: string) => {
      await vi.waitFor(() => expect(lines.join('\n')).toContain(text), 30_000);
      return lines.find((line) => line.includes(text)) ?? '';
    };
    return { child, pid: child.pid ?? Number.NaN, ended, lines, until };
  }

  /** Starts the command as `npm run hostauth` does: the helper, which starts the HTTP process. */
  async function start(
    env: Readonly<Record<string, string>> = {},
    files: readonly ('ignore' | number)[] = [],
  ) {
    const command = run('hostauth', env, files);
    const line = await command.until('hostauth is ready at');
    const baseUrl = line.replace('hostauth is ready at ', '');
    const http = () =>
      childrenOf(command.pid).find((pid) => commandOf(pid).includes('http.js')) ?? Number.NaN;
    return { ...command, http, client: createClient({ baseUrl }) };
  }

  test('the HTTP process has no rights and no groups, reads no file of root, and writes no core file', async () => {
    const { pid, http, client } = await start();
    const { token } = await client.signIn(accounts.create());
    expect(await client.me(token)).toMatchObject({ username: expect.any(String) });
    expectUnprivileged(http());
    expect(statusOf(http(), 'NoNewPrivs')).toBe('1');
    // CAP_DAC_READ_SEARCH, CAP_SETGID and CAP_SETUID, of which it has none.
    expect(statusOf(http(), 'CapBnd')).toBe('00000000000000c4');
    expect(statusOf(pid, 'Uid')).toMatch(/^0\s/);
    const [uid = '', gid = ''] = ['Uid', 'Gid'].map((field) => statusOf(http(), field).split(/\s+/)[0] ?? '');
    // A process with the same ids cannot read shadow.
    const attempt = spawn('setpriv', [
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      'cat',
      '/etc/shadow',
    ]);
    expect((await once(attempt, 'exit'))[0]).toBe(1);
    const pamChildren = childrenOf(pid).filter((child) => commandOf(child).includes('pamChild.js'));
    expect(pamChildren.length).toBeGreaterThan(0);
    for (const each of [pid, http(), ...pamChildren]) expectNoCoreFile(each);
  });

  test('a killed HTTP process is replaced on the same address', async () => {
    const { http, until, client, child, ended } = await start();
    const account = accounts.create();
    const { token } = await client.signIn(account);
    const first = http();
    process.kill(first, 'SIGKILL');
    await until('the HTTP process ended');
    await vi.waitFor(() => client.signIn(account), { timeout: 30_000, interval: 50 });
    expect(http()).not.toBe(first);
    expectUnprivileged(http());
    // Sessions are in the memory of the process.
    await expect(client.me(token)).rejects.toThrow('401');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  test('the HTTP process ends when its helper is killed', async () => {
    const { child, ended, http } = await start();
    const pid = http();
    child.kill('SIGKILL');
    await ended;
    await vi.waitFor(() => expect(hasEnded(pid)).toBe(true), 10_000);
  });

  test('contract §8 a session ends with its account: every change of an account ends its sessions, at once for POST /users and within 10 s for GET /me', async () => {
    const group = accounts.createGroup();
    const { client, lines } = await start({ HOSTAUTH_ADMIN_GROUP: group });
    for (const [, reason, change] of ACCOUNT_CHANGES) {
      const account = accounts.create({ groups: [group] });
      const [{ token: asked }, { token: unasked }] = [
        await client.signIn(account),
        await client.signIn(account),
      ];
      const username = accounts.name();
      expect((await client.listSessions(asked)).sessions.length).toBeGreaterThan(1);
      change(account);
      const creation = client.createUser({ username, password: 'pass word' }, asked);
      await expect(creation).rejects.toThrow('401');
      expect(uidOf(username)).toBe('');
      const ended = () => expect(client.me(unasked)).rejects.toThrow('401');
      await vi.waitFor(ended, { timeout: 10_000, interval: 200 });
      const audited = () =>
        lines.filter((line) => line.includes('session ended') && line.includes(account.username));
      // The log may arrive after the answer.
      await vi.waitFor(() => expect(audited()).toHaveLength(2), POLLING);
      expect(audited().every((line) => line.includes(`"reason":"${reason}"`))).toBe(true);
    }
  });

  test('only an administrator lists and ends sessions, until the user leaves the group', async () => {
    const group = accounts.createGroup();
    const { client } = await start({ HOSTAUTH_ADMIN_GROUP: group });
    const [chief, other] = [accounts.create({ groups: [group] }), accounts.create()];
    const [{ token }, { token: others }] = [await client.signIn(chief), await client.signIn(other)];
    const { sessions } = await client.listSessions(token);
    expect(sessions.map(({ username, address }) => [username, address])).toEqual([
      [chief.username, '127.0.0.1'],
      [other.username, '127.0.0.1'],
    ]);
    for (const text of [token, others]) expect(JSON.stringify(sessions)).not.toContain(text);
    await expect(client.listSessions(others)).rejects.toThrow('403');
    await expect(client.endSessions(others)).rejects.toThrow('403');
    await client.endSessions(token, other.username);
    await expect(client.me(others)).rejects.toThrow('401');
    runTool(['gpasswd', '--delete', chief.username, group]);
    await expect(client.listSessions(token)).rejects.toThrow('403');
    await expect(client.endSessions(token)).rejects.toThrow('403');
    expect(await client.me(token)).toMatchObject({ username: chief.username });
  });

  test('the HTTP process inherits no open file of the command', async () => {
    const file = openSync('/etc/shadow', 'r');
    onTestFinished(() => closeSync(file));
    // Node itself closes files up to the first gap in their numbers.
    const { http, lines, child, ended } = await start({}, [
      ...Array.from({ length: 17 }, () => 'ignore' as const),
      file,
    ]);
    expect(openFilesOf(http())).not.toContain('/etc/shadow');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(lines.join('\n')).not.toContain('EBADF');
  });

  test('the next sign-in succeeds after all PAM processes were killed', async () => {
    const { pid, client } = await start();
    const account = accounts.create();
    await client.signIn(account);
    for (const each of childrenOf(pid))
      if (commandOf(each).includes('pamChild.js')) process.kill(each, 'SIGKILL');
    expect(await client.signIn(account)).toMatchObject({ username: account.username });
  });

  test('sessions survive the restart of a separate helper, and a call in between waits', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hostauth-run-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    // As systemd creates it: the HTTP process can enter the folder.
    chmodSync(folder, 0o755);
    const env = { HOSTAUTH_HELPER_SOCKET: join(folder, 'helper.sock'), RUNTIME_DIRECTORY: folder };
    const helper = run('helper', env);
    await helper.until('ready');
    const { mode, uid } = statSync(env.HOSTAUTH_HELPER_SOCKET);
    expect([mode & 0o777, uid === 0]).toEqual([0o600, false]);
    expect(statSync(join(folder, 'proof.key')).mode & 0o777).toBe(0o600);
    const http = run('http', env);
    const line = await http.until('hostauth is ready at');
    expectUnprivileged(http.pid);
    for (const { pid } of [helper, http]) expectNoCoreFile(pid);
    const client = createClient({ baseUrl: line.replace('hostauth is ready at ', '') });
    const account = accounts.create();
    const { token } = await client.signIn(account);

    helper.child.kill('SIGKILL');
    await helper.ended;
    const waiting = client.signIn(account);
    const second = run('helper', env);
    expect(await waiting).toMatchObject({ username: account.username });
    const third = run('helper', env);
    expect(await third.ended).toEqual([1, null]);
    // The new helper checks the account.
    await vi.waitFor(() => expect(http.lines.join()).toContain('is lost'), POLLING);
    expect(await client.me(token)).toMatchObject({ username: account.username });
    await expect(client.listSessions(token)).rejects.toThrow('403');

    for (const { child, ended } of [http, second]) {
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    }
  });
});
