import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { holdPasswordLock } from '#tests/builders/holdPasswordLock.ts';
import { hostauthProgram } from '#tests/builders/hostauthProgram.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { isRoot, withHostAccounts, withPamService } from '#tests/builders/withHostAccounts.ts';
import { createClient } from '../../api/client.ts';

const PASSWORD = 'correct horse';

/** Whether a process with exactly this command line runs on this host. */
const runs = (...commandLine: readonly string[]) =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .some((pid) => commandLineOf(pid) === `${commandLine.join('\0')}\0`);

function commandLineOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // It has ended since it was listed.
    return undefined;
  }
}

// With the real tools, which only root can use; `routes/users.test.ts` checks the same with replaced tools.
describe.runIf(isRoot)('a signal while a user is created', () => {
  const accounts = withHostAccounts();
  const shipped = withPamService();

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'contract §1 drain: %s to the whole process group ends the service only after the creation and its answer',
    async (signal) => {
      const { PATH = '' } = process.env;
      const env = { PATH, HOSTAUTH_PORT: '0', HOSTAUTH_USERS: 'open', HOSTAUTH_PAM_SERVICE: shipped.service };
      const child = spawn(process.execPath, [hostauthProgram('hostauth')], {
        env,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      const log = text(child.stderr);
      const [line] = await once(child.stdout, 'data');
      const baseUrl = String(line).trim().replace('hostauth is ready at ', '');
      const lock = await holdPasswordLock();
      const username = accounts.name();
      const created = createClient({ baseUrl }).createUser({ username, password: PASSWORD });
      const useradd = [
        '/usr/sbin/useradd',
        '--create-home',
        '--user-group',
        '--shell',
        '/usr/sbin/nologin',
        '--',
        username,
      ];
      await vi.waitFor(() => expect(runs(...useradd)).toBe(true), POLLING);
      const exited = once(child, 'exit');
      process.kill(-(child.pid ?? Number.NaN), signal);
      await lock.release();
      expect(await created).toEqual({ username });
      expect(await exited).toEqual([0, null]);
      expect(await log).toContain('user created');
      expect(await log).not.toContain(PASSWORD);
    },
  );
});
