import { type ChildProcess, spawn } from 'node:child_process';
import { once, EventEmitter } from 'node:events';
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { hostauthProgram } from '#tests/builders/hostauthProgram.ts';
import { POLLING } from '#tests/builders/polling.ts';
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
    const output = new EventEmitter();
    for (const stream of [child.stdout, child.stderr]) {
      if (stream !== null)
        createInterface(stream).on('line', (line) => {
          lines.push(line);
          output.emit('line');
        });
    }
    const until = async (text: string) => {
      while (!lines.some((line) => line.includes(text))) await once(output, 'line');
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

  test('the HTTP process has no rights, no groups, no open file of root and no core file; a killed one is replaced on the same address, and ends with its helper', async () => {
    const file = openSync('/etc/shadow', 'r');
    onTestFinished(() => closeSync(file));
    // Node itself closes files up to the first gap in their numbers.
    const gap = Array.from({ length: 17 }, () => 'ignore' as const);
    const { pid, http, until, client, child, ended } = await start({}, [...gap, file]);
    expect(openFilesOf(http())).not.toContain('/etc/shadow');
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
