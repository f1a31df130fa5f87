/*
 * The package in a Debian that boots systemd in a container, with real PAM and accounts. The container's network and processes
 * are its own; its files are a copy of a root that debootstrap makes once. The tests run in their order: the last ones remove
 * the package.
 */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

const exec = promisify(execFile);

/** Packages in the root besides Debian's minimum. */
const PACKAGES = 'systemd,systemd-sysv,dbus,libpam-modules,passwd,curl,procps';
/** A busy machine boots it, and restarts a unit, in a few seconds. */
const PATIENCE = { timeout: 60_000, interval: 100 };

const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
/** The Debian release of this machine: programs that are built here run there. */
const CODENAME = /^ID=debian$/m.test(release) ? /^VERSION_CODENAME=(\w+)$/m.exec(release)?.[1] : undefined;
const CACHE = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
/** The root from which containers are copied. */
const BASE = join(CACHE, 'parley', `debian-${CODENAME}`);

function missingForContainer(): string | undefined {
  if (CODENAME === undefined) return 'this machine is not a Debian';
  if (process.getuid?.() !== 0) return 'only root can boot a container';
  const tools = 'setpriv unshare nsenter systemd-nspawn dpkg-deb dpkg-shlibdeps'.split(' ');
  if (!existsSync(BASE)) tools.push('debootstrap');
  const missing = tools.filter((tool) => spawnSync(tool, ['--version']).error !== undefined);
  return missing.length === 0 ? undefined : `${missing.join(', ')} missing`;
}

/** Creates a container and boots it. The first one on a machine takes minutes: debootstrap downloads Debian. */
async function bootDebian() {
  const folder = await mkdtemp(join(tmpdir(), 'parley-debian-'));
  const root = join(folder, 'root');
  await makeBase();
  await exec('cp', ['--archive', '--reflink=auto', BASE, root]);
  const nspawn = startContainer(root);
  /** Runs a program in it, as root. */
  const run = (...command: string[]) => {
    const args = ['--target', leaderOf(nspawn), '--all', '--', ...command];
    return spawnSync('/usr/bin/nsenter', args, { env: ENVIRONMENT, encoding: 'utf8' });
  };
  const container = {
    root,
    run,
    /** Runs lines of sh in it, as root; returns their stdout. @throws what they print when one fails. */
    sh(script: string): string {
      const { status, stdout, stderr } = run('sh', '-ec', script);
      if (status !== 0) throw new Error(`${script}\nexit ${status}\n${stdout}${stderr}`);
      return stdout;
    },
    write: (path: string, text: string) => writeFileSync(join(root, path), text, { mode: 0o600 }),
    async remove() {
      await powerOff(nspawn);
      await rm(folder, { recursive: true, force: true });
    },
  };
  try {
    const isRunning = 'systemctl is-system-running | grep -E "running|degraded"';
    await vi.waitFor(() => container.sh(isRunning), PATIENCE);
    return container;
  } catch (error) {
    await container.remove();
    throw error;
  }
}

/** Creates the root from which containers are copied, once, whole or not at all. */
async function makeBase(): Promise<void> {
  if (existsSync(BASE)) return;
  await mkdir(dirname(BASE), { recursive: true });
  const unfinished = await mkdtemp(`${BASE}.unfinished-`);
  try {
    const args = ['--variant=minbase', `--include=${PACKAGES}`, CODENAME ?? '', unfinished];
    await exec('debootstrap', args, { maxBuffer: 64 * 2 ** 20 });
    // It is the `/` of all users in the container; mkdtemp creates it for root only.
    await chmod(unfinished, 0o755);
    await rename(unfinished, BASE);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/**
 * The container powers off when this process ends, however it ends: nspawn passes SIGTERM on. Its SIGKILL would leave the
 * container running. nspawn needs a `/run` that it can write to, and systemd does not have to run here.
 */
function startContainer(root: string): ChildProcess {
  const nspawn =
    'systemd-nspawn --boot --directory="$1" --register=no --keep-unit --link-journal=no --private-network --console=pipe --quiet';
  const mounts = ['unshare', '--mount', '--propagation', 'private'];
  const script = `mount -t tmpfs tmpfs /run; exec ${nspawn}`;
  const args = ['--pdeathsig', 'TERM', ...mounts, 'sh', '-ec', script, 'sh', root];
  return spawn('setpriv', args, { stdio: 'ignore' });
}

const leaderOf = ({ pid }: ChildProcess): string =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();

const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' };

async function powerOff(nspawn: ChildProcess): Promise<void> {
  // nspawn passes SIGTERM on as a request to power off.
  nspawn.kill('SIGTERM');
  await vi
    .waitFor(() => {
      if (nspawn.exitCode === null && nspawn.signalCode === null) throw new Error('the container still runs');
    }, PATIENCE)
    // The end of its first process ends all others of a container, and then nspawn.
    .catch(() => process.kill(Number(leaderOf(nspawn)), 'SIGKILL'));
}

const missing = missingForContainer();
if (missing !== undefined) process.stderr.write(`skipped: the boot test of hostauth (${missing})\n`);

const PROGRAM = resolve(import.meta.dirname, '../../out/hostauth/hostauth.js');
const [HTTP, HELPER] = ['hostauth.service', 'hostauth-helper.service'];

// The first run on a machine downloads Debian.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 1_800_000 });

let folder = '';
let debian: Awaited<ReturnType<typeof bootDebian>>;
let deb = '';
let before = new Set<string>();

const FIND = 'find / -xdev -path /tmp -prune -o -path /var/log -prune -o -path /run -prune -o -print';
const filesOf = () => new Set(debian.sh(FIND).split('\n'));

/** Lists the files that the package has added, without those of the tests and of the created user. */
function createdFiles(): string[] {
  // systemd looks for the folder sysusers.d anyway.
  const expected = /^\/(root|etc\/sysusers.d|home\/eve|var\/mail\/eve|var\/spool\/mail\/eve)(\/|$)/;
  return [...filesOf()].filter((path) => !before.has(path) && !expected.test(path));
}

function curl(path: string, ...args: readonly string[]) {
  const command = ['curl', '--silent', '--write-out', '\n%{http_code}', ...args];
  const { stdout } = debian.run(...command, `http://127.0.0.1:4320${path}`);
  const [body = '', status] = stdout.split(/\n(?=\d+$)/);
  return { status: Number(status), body };
}

const signIn = (name: string) => curl('/auth', '--json', `@/root/${name}.json`);

function tokenOf(name: string): string {
  const { status, body } = signIn(name);
  expect(status).toBe(200);
  return String(JSON.parse(body).token);
}

const curlWith = (token: string, path: string, ...args: readonly string[]) =>
  curl(path, '--header', `Authorization: Bearer ${token}`, ...args);

const credentials = (username: string) =>
  debian.write(`/root/${username}.json`, JSON.stringify({ username, password: `password of ${username}` }));

/** Creates a user. @param groups an option of useradd. */
function addUser(name: string, groups = ''): void {
  debian.sh(`useradd --create-home ${groups} ${name}; echo '${name}:password of ${name}' | chpasswd`);
  credentials(name);
}

const pidOf = (unit: string) => debian.sh(`systemctl show --value --property=MainPID ${unit}`).trim();

const waitForRestart = (unit: string, previous: string) =>
  vi.waitFor(() => {
    // One call: the unit can change between two.
    const shown = debian.sh(`systemctl show --property=ActiveState,MainPID ${unit}`);
    expect(shown).toContain('ActiveState=active\n');
    expect(['0', previous]).not.toContain(/^MainPID=(\d+)$/m.exec(shown)?.[1]);
  }, PATIENCE);

describe.skipIf(missing !== undefined)('the package in a booted Debian', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-deb-'));
    deb = (await exec(process.execPath, [PROGRAM, 'package', '--output', folder])).stdout.trim();
    debian = await bootDebian();
    addUser('ada', '--groups sudo');
    addUser('bob');
    before = filesOf();
    await copyFile(deb, join(debian.root, 'root', basename(deb)));
    // Shorter than shipped: the test does not wait for 30 s.
    for (const unit of [HTTP, HELPER]) {
      const dropIns = `/run/systemd/system/${unit}.d`;
      debian.sh(`mkdir -p ${dropIns}; printf '[Service]\\nWatchdogSec=5\\n' > ${dropIns}/watchdog.conf`);
    }
    debian.sh(`dpkg --install /root/${basename(deb)}`);
  });
  afterAll(async () => {
    await debian?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  test('contract §1 npm run hostauth: starts both units on installation and enables them, and systemd accepts every line; signs in a real account, and an administrator creates a user who signs in; runs the HTTP process as its own user without rights, which reads no shadow and writes no /etc', () => {
    expect(debian.sh(`systemctl is-active ${HTTP} ${HELPER}`)).toBe('active\nactive\n');
    expect(debian.sh(`systemctl is-enabled ${HTTP}`)).toBe('enabled\n');
    expect(debian.sh('hostauth --help')).toContain('HOSTAUTH_PORT');
    expect(debian.sh(`systemd-analyze verify --man=no ${HTTP} ${HELPER} 2>&1`)).toBe('');
    expect(signIn('bob').status).toBe(200);
    debian.write('/root/wrong.json', JSON.stringify({ username: 'bob', password: 'wrong' }));
    expect(signIn('wrong').status).toBe(401);
    credentials('eve');
    expect(curlWith(tokenOf('ada'), '/users', '--json', '@/root/eve.json').status).toBe(201);
    expect(signIn('eve').status).toBe(200);
    const pid = pidOf(HTTP);
    expect(debian.sh(`ps -o user= -p ${pid}`).trim()).toBe('hostauth');
    expect(debian.sh(`ps -o user= -p ${pidOf(HELPER)}`).trim()).toBe('root');
    const status = debian.sh(`cat /proc/${pid}/status`);
    for (const line of ['CapEff:\t0000000000000000', 'CapBnd:\t0000000000000000', 'NoNewPrivs:\t1'])
      expect(status).toContain(line);
    expect(status).toMatch(/^Groups:\s*\d*\s*$/m);
    expect(debian.sh(`cat /proc/${pid}/limits | grep core`)).toMatch(/^Max core file size\s+0\s+0\s/);
  });

  test('a killed helper restarts, and sessions survive', async () => {
    const token = tokenOf('ada');
    const [helper, http] = [pidOf(HELPER), pidOf(HTTP)];
    debian.sh(`kill -9 ${helper}`);
    await waitForRestart(HELPER, helper);
    expect(pidOf(HTTP)).toBe(http);
    // This call always checks the account, which takes the key of the previous helper.
    expect(curlWith(token, '/sessions').status).toBe(200);
    expect(signIn('bob').status).toBe(200);
  });

  test.each([HTTP, HELPER])('the watchdog restarts a process that hangs (%s)', async (unit) => {
    const pid = pidOf(unit);
    debian.sh(`kill -STOP ${pid}`);
    await waitForRestart(unit, pid);
    expect(debian.sh(`journalctl --unit ${unit}`)).toContain('Watchdog timeout');
    expect(signIn('bob').status).toBe(200);
  });

  test('removal stops both processes and leaves what an administrator may have changed; purge leaves nothing but created users', async () => {
    const token = tokenOf('bob');
    debian.sh('dpkg --remove hostauth');
    expect(debian.run('pgrep', '--full', '/usr/lib/hostauth').stdout).toBe('');
    expect(curlWith(token, '/me').status).toBe(0);
    expect(await readdir(join(debian.root, 'usr/lib'))).not.toContain('hostauth');
    expect(debian.sh('ls /etc/pam.d/hostauth /etc/default/hostauth')).not.toBe('');
    debian.sh(`dpkg --install /root/${basename(deb)}`);
    expect(signIn('bob').status).toBe(200);
    debian.sh('dpkg --purge hostauth');
    expect(createdFiles()).toEqual([]);
    expect(debian.sh('getent passwd | cut -d: -f1')).toMatch(/^ada\nbob\neve\n$/m);
    expect(debian.run('getent', 'passwd', 'hostauth').status).toBe(2);
    expect(debian.run('getent', 'group', 'hostauth').status).toBe(2);
    expect(debian.run('ls', '/run/hostauth', '/var/lib/hostauth').stdout).toBe('');
  });

  test('contract §1 npm run hostauth: `install` installs the same service without the package, and --remove removes it', async () => {
    const install = async (...args: string[]) =>
      (await exec(process.execPath, [PROGRAM, 'install', '--root', debian.root, ...args])).stdout;
    expect(await install()).toContain(`installed ${join(debian.root, 'usr/local/lib/hostauth')}\n`);
    debian.sh('systemd-sysusers; systemctl daemon-reload');
    debian.sh('systemctl enable hostauth; systemctl restart hostauth');
    expect(debian.sh(`systemctl is-active ${HTTP} ${HELPER}`)).toBe('active\nactive\n');
    expect(debian.sh(`readlink /proc/${pidOf(HTTP)}/exe`)).toBe('/usr/local/lib/hostauth/node\n');
    expect(signIn('bob').status).toBe(200);
    await install('--remove');
    debian.sh(`systemctl stop ${HTTP} ${HELPER}; systemctl daemon-reload; userdel hostauth`);
    expect(createdFiles()).toEqual([]);
  });
});
