/*
 * The package in a Debian that boots, with real systemd, PAM and accounts. The tests run in their order: the last ones
 * remove the package.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type DebianContainer,
  bootDebian,
  containerClient,
  containerUnits,
  missingForContainer,
} from '../testing/debianContainer.ts';

const missing = missingForContainer(['dpkg-deb', 'dpkg-shlibdeps']);
if (missing !== undefined) process.stderr.write(`skipped: the boot test of hostauth (${missing})\n`);

const PROGRAM = resolve(import.meta.dirname, '../../out/hostauth/hostauth.js');
const [HTTP, HELPER] = ['hostauth.service', 'hostauth-helper.service'];

// The first run on a machine downloads Debian.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 1_800_000 });

let folder = '';
let debian: DebianContainer;
let units: ReturnType<typeof containerUnits>;
let client: ReturnType<typeof containerClient>;
let deb = '';
let before = new Set<string>();

const filesOf = async () =>
  new Set(
    (
      await debian.sh(
        'find / -xdev -path /tmp -prune -o -path /var/log -prune -o -path /run -prune -o -print',
      )
    ).split('\n'),
  );

/** Lists the files that the package has added, without those of the tests and of the created user. */
async function createdFiles(): Promise<string[]> {
  // systemd looks for the folder sysusers.d anyway.
  const expected = /^\/(root|etc\/sysusers.d|home\/eve|var\/mail\/eve|var\/spool\/mail\/eve)(\/|$)/;
  return [...(await filesOf())].filter((path) => !before.has(path) && !expected.test(path));
}

async function buildDeb(output: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, 'package', '--output', output]);
  return stdout.trim();
}

const createEve = (token: string) =>
  client.curl('/users', '--header', `Authorization: Bearer ${token}`, '--json', '@/root/eve.json');

describe.skipIf(missing !== undefined)('the package in a booted Debian', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-deb-'));
    deb = await buildDeb(folder);
    debian = await bootDebian();
    units = containerUnits(debian);
    client = containerClient(debian);
    await client.addUser('ada', '--groups sudo');
    await client.addUser('bob');
    before = await filesOf();
    await copyFile(deb, join(debian.root, 'root', basename(deb)));
    // Shorter than shipped: the test does not wait for 30 s.
    for (const unit of [HTTP, HELPER])
      await units.addDropIn(unit, 'watchdog', ['[Service]', 'WatchdogSec=5']);
    await debian.sh(`dpkg --install /root/${basename(deb)}`);
  });
  afterAll(async () => {
    await debian?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  test('contract §1 npm run hostauth: starts both units on installation and enables them, and systemd accepts every line', async () => {
    expect(await debian.sh(`systemctl is-active ${HTTP} ${HELPER}`)).toBe('active\nactive\n');
    expect(await debian.sh(`systemctl is-enabled ${HTTP}`)).toBe('enabled\n');
    expect(await debian.sh('hostauth --help')).toContain('HOSTAUTH_PORT');
    expect(await debian.sh(`systemd-analyze verify --man=no ${HTTP} ${HELPER} 2>&1`)).toBe('');
  });

  test('contract §1 npm run hostauth: signs in a real account, and an administrator creates a user who signs in', async () => {
    expect((await client.signIn('bob')).status).toBe(200);
    await debian.write('/root/wrong.json', JSON.stringify({ username: 'bob', password: 'wrong' }));
    expect((await client.signIn('wrong')).status).toBe(401);
    const token = await client.tokenOf('ada');
    await debian.write('/root/eve.json', JSON.stringify({ username: 'eve', password: 'password of eve' }));
    const created = await createEve(token);
    expect(created).toMatchObject({ status: 201 });
    expect((await client.signIn('eve')).status).toBe(200);
  });

  test('runs the HTTP process as its own user without rights, which reads no shadow and writes no /etc', async () => {
    const pid = await units.pidOf(HTTP);
    expect((await debian.sh(`ps -o user= -p ${pid}`)).trim()).toBe('hostauth');
    expect((await debian.sh(`ps -o user= -p ${await units.pidOf(HELPER)}`)).trim()).toBe('root');
    const status = await debian.sh(`cat /proc/${pid}/status`);
    for (const line of ['CapEff:\t0000000000000000', 'CapBnd:\t0000000000000000', 'NoNewPrivs:\t1']) {
      expect(status).toContain(line);
    }
    expect(status).toMatch(/^Groups:\s*\d*\s*$/m);
    expect(await debian.sh(`cat /proc/${pid}/limits | grep core`)).toMatch(/^Max core file size\s+0\s+0\s/);
  });

  test('a killed helper restarts, and sessions survive', async () => {
    const token = await client.tokenOf('ada');
    const [helper, http] = [await units.pidOf(HELPER), await units.pidOf(HTTP)];
    await debian.sh(`kill -9 ${helper}`);
    await units.waitForRestart(HELPER, helper);
    expect(await units.pidOf(HTTP)).toBe(http);
    // This call always checks the account, which takes the key of the previous helper.
    const sessions = await client.curl('/sessions', '--header', `Authorization: Bearer ${token}`);
    expect(sessions.status).toBe(200);
    expect((await client.signIn('bob')).status).toBe(200);
  });

  test.each([HTTP, HELPER])('the watchdog restarts a process that hangs (%s)', async (unit) => {
    const pid = await units.pidOf(unit);
    await debian.sh(`kill -STOP ${pid}`);
    await units.waitForRestart(unit, pid);
    expect(await debian.sh(`journalctl --unit ${unit}`)).toContain('Watchdog timeout');
    expect((await client.signIn('bob')).status).toBe(200);
  });

  test('removal stops both processes and leaves what an administrator may have changed', async () => {
    const token = await client.tokenOf('bob');
    await debian.sh('dpkg --remove hostauth');
    expect((await debian.run('pgrep', '--full', '/usr/lib/hostauth')).stdout).toBe('');
    expect((await client.me(token)).status).toBe(0);
    expect(await readdir(join(debian.root, 'usr/lib'))).not.toContain('hostauth');
    expect(await debian.sh('ls /etc/pam.d/hostauth /etc/default/hostauth')).not.toBe('');
    await debian.sh(`dpkg --install /root/${basename(deb)}`);
    expect((await client.signIn('bob')).status).toBe(200);
  });

  test('purge leaves nothing but created users', async () => {
    await debian.sh('dpkg --purge hostauth');
    expect(await createdFiles()).toEqual([]);
    expect(await debian.sh('getent passwd | cut -d: -f1')).toMatch(/^ada\nbob\neve\n$/m);
    expect((await debian.run('getent', 'passwd', 'hostauth')).status).toBe(2);
    expect((await debian.run('getent', 'group', 'hostauth')).status).toBe(2);
    expect((await debian.run('ls', '/run/hostauth', '/var/lib/hostauth')).stdout).toBe('');
  });

  test('contract §1 npm run hostauth: `install` installs the same service without the package, and --remove removes it', async () => {
    const install = async (...args: string[]) => {
      const options = ['install', '--root', debian.root, ...args];
      return (await promisify(execFile)(process.execPath, [PROGRAM, ...options])).stdout;
    };
    expect(await install()).toContain(`installed ${join(debian.root, 'usr/local/lib/hostauth')}\n`);
    await debian.sh(
      'systemd-sysusers; systemctl daemon-reload; systemctl enable hostauth; systemctl restart hostauth',
    );
    expect(await debian.sh(`systemctl is-active ${HTTP} ${HELPER}`)).toBe('active\nactive\n');
    expect(await debian.sh(`readlink /proc/${await units.pidOf(HTTP)}/exe`)).toBe(
      '/usr/local/lib/hostauth/node\n',
    );
    expect((await client.signIn('bob')).status).toBe(200);
    await install('--remove');
    await debian.sh(`systemctl stop ${HTTP} ${HELPER}; systemctl daemon-reload; userdel hostauth`);
    expect(await createdFiles()).toEqual([]);
  });
});
