/*
 * The package in a Debian that boots systemd in a container, with real PAM and accounts. Its network and processes are its
 * own; its files are a copy of a root that debootstrap makes once. The tests run in their order: the last ones remove the
 * package.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

/** Packages in the root besides Debian's minimum. */
const PACKAGES = 'systemd,systemd-sysv,dbus,libpam-modules,passwd,curl,procps';
/** A busy machine boots it in a few seconds. */
const BOOT = { timeout: 60_000, interval: 100 };

/** The result of a program in the container. */
interface Result {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A booted Debian. */
type DebianContainer = Awaited<ReturnType<typeof bootDebian>>;

const field = (text: string, name: string) => new RegExp(`^${name}="?([^"\\n]*)`, 'm').exec(text)?.[1];

/** Returns the Debian release of this machine: programs that are built here run there. */
const codename = (): string | undefined => {
  if (!existsSync('/etc/os-release')) return undefined;
  const release = readFileSync('/etc/os-release', 'utf8');
  return field(release, 'ID') === 'debian' ? field(release, 'VERSION_CODENAME') : undefined;
};

const cachedRoot = (name: string): string =>
  join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'parley', `debian-${name}`);

const onPath = (tool: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, tool)));

/** Returns why no container with the package can boot here; `undefined` when one can. */
function missingForContainer(): string | undefined {
  const name = codename();
  if (name === undefined) return 'this machine is not a Debian';
  if (process.getuid?.() !== 0) return 'only root can boot a container';
  const tools = ['setpriv', 'unshare', 'nsenter', 'systemd-nspawn', 'dpkg-deb', 'dpkg-shlibdeps'];
  if (!existsSync(cachedRoot(name))) tools.push('debootstrap');
  const missing = tools.filter((tool) => !onPath(tool));
  return missing.length === 0 ? undefined : `${missing.join(', ')} missing`;
}

/** Creates a container and boots it. The first one on a machine takes minutes: debootstrap downloads Debian. */
async function bootDebian() {
  const folder = await mkdtemp(join(tmpdir(), 'parley-debian-'));
  const root = join(folder, 'root');
  await promisify(execFile)('cp', ['--archive', '--reflink=auto', await baseRoot(), root]);
  const nspawn = startContainer(root);
  const run = (...command: string[]) => enter(leaderOf(nspawn), command);
  const container = {
    /** Its `/`, as a folder of this machine. */
    root,
    /** Runs a program in it, as root. Never rejects. */
    run,
    /** Runs lines of sh in it, as root. Rejects with what they print when one fails. Resolves to their stdout. */
    async sh(script: string) {
      const { status, stdout, stderr } = await run('sh', '-ec', script);
      if (status !== 0) throw new Error(`${script}\nexit ${status}\n${stdout}${stderr}`);
      return stdout;
    },
    /** Writes a file that only root can read. */
    async write(path: string, text: string) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text, { mode: 0o600 });
    },
    /** Powers it off and deletes it. */
    async remove() {
      await powerOff(nspawn);
      await rm(folder, { recursive: true, force: true });
    },
  };
  try {
    await vi.waitFor(() => container.sh('systemctl is-system-running | grep -E "running|degraded"'), BOOT);
    return container;
  } catch (error) {
    await container.remove();
    throw error;
  }
}

/** Returns the root from which containers are copied; creates it once, whole or not at all. */
async function baseRoot(): Promise<string> {
  const name = codename() ?? '';
  const base = cachedRoot(name);
  if (existsSync(base)) return base;
  await mkdir(dirname(base), { recursive: true });
  const unfinished = await mkdtemp(`${base}.unfinished-`);
  try {
    await promisify(execFile)(
      'debootstrap',
      ['--variant=minbase', `--include=${PACKAGES}`, name, unfinished],
      { maxBuffer: 64 * 2 ** 20 },
    );
    // It is the `/` of all users in the container; mkdtemp creates it for root only.
    await chmod(unfinished, 0o755);
    await rename(unfinished, base);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return base;
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

/** Returns the pid of the container's first process. */
const leaderOf = ({ pid }: ChildProcess): string =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();

const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' };

const enter = (leader: string, command: readonly string[]) =>
  new Promise<Result>((resolve) => {
    const child = execFile(
      '/usr/bin/nsenter',
      ['--target', leader, '--all', '--', ...command],
      { env: ENVIRONMENT },
      (error, stdout, stderr) => {
        resolve({ status: error === null ? 0 : (child.exitCode ?? -1), stdout, stderr });
      },
    );
  });

async function powerOff(nspawn: ChildProcess): Promise<void> {
  const hasEnded = () => nspawn.exitCode !== null || nspawn.signalCode !== null;
  // nspawn passes SIGTERM on as a request to power off.
  nspawn.kill('SIGTERM');
  await vi
    .waitFor(() => {
      if (!hasEnded()) throw new Error('the container still runs');
    }, BOOT)
    // The end of its first process ends all others of a container, and then nspawn.
    .catch(() => process.kill(Number(leaderOf(nspawn)), 'SIGKILL'));
}

/** A busy machine restarts a unit in a few seconds. */
const RECOVERY = { timeout: 60_000, interval: 100 };

let debian: DebianContainer;

/** Returns the main process of a unit. */
const pidOf = async (unit: string) =>
  (await debian.sh(`systemctl show --value --property=MainPID ${unit}`)).trim();

/** Waits until a unit runs in another process than the previous one. */
const waitForRestart = (unit: string, previous: string) =>
  vi.waitFor(async () => {
    // One call: the unit can change between two.
    const shown = await debian.sh(`systemctl show --property=ActiveState,MainPID ${unit}`);
    expect(shown).toContain('ActiveState=active\n');
    expect(['0', previous]).not.toContain(/^MainPID=(\d+)$/m.exec(shown)?.[1]);
  }, RECOVERY);

/** Calls the service from within its container, by curl. */
async function curl(path: string, ...args: readonly string[]) {
  const url = `http://127.0.0.1:4320${path}`;
  const { stdout } = await debian.run('curl', '--silent', '--write-out', '\n%{http_code}', ...args, url);
  const [body = '', status] = stdout.split(/\n(?=\d+$)/);
  return { status: Number(status), body };
}

/** Creates a user of the container, whose password is `password of <name>`. @param groups an option of useradd. */
async function addUser(name: string, groups = '') {
  const password = `password of ${name}`;
  await debian.sh(`useradd --create-home ${groups} ${name}; echo '${name}:${password}' | chpasswd`);
  await debian.write(`/root/${name}.json`, JSON.stringify({ username: name, password }));
}

const signIn = (name: string) => curl('/auth', '--json', `@/root/${name}.json`);

/** Signs in; returns the header field of the session. */
async function authorizationOf(name: string) {
  const { status, body } = await signIn(name);
  expect(status).toBe(200);
  return ['--header', `Authorization: Bearer ${String(JSON.parse(body).token)}`] as const;
}

const missing = missingForContainer();
if (missing !== undefined) process.stderr.write(`skipped: the boot test of hostauth (${missing})\n`);

const PROGRAM = join(import.meta.dirname, '../../out/hostauth/hostauth.js');
const [HTTP, HELPER] = ['hostauth.service', 'hostauth-helper.service'];

// The first run on a machine downloads Debian.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 1_800_000 });

let built = '';
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

describe.skipIf(missing !== undefined)('the package in a booted Debian', () => {
  beforeAll(async () => {
    built = await mkdtemp(join(tmpdir(), 'parley-deb-'));
    deb = await buildDeb(built);
    debian = await bootDebian();
    await addUser('ada', '--groups sudo');
    await addUser('bob');
    before = await filesOf();
    await copyFile(deb, join(debian.root, 'root', basename(deb)));
    // Shorter than shipped: the test does not wait for 30 s.
    for (const unit of [HTTP, HELPER]) {
      const folder = `/run/systemd/system/${unit}.d`;
      await debian.sh(`mkdir -p ${folder}; printf '[Service]\\nWatchdogSec=5\\n' > ${folder}/watchdog.conf`);
    }
    await debian.sh(`dpkg --install /root/${basename(deb)}`);
  });
  afterAll(async () => {
    await debian?.remove();
    await rm(built, { recursive: true, force: true });
  });

  test('contract §1 npm run hostauth: starts both units on installation and enables them, and systemd accepts every line', async () => {
    expect(await debian.sh(`systemctl is-active ${HTTP} ${HELPER}`)).toBe('active\nactive\n');
    expect(await debian.sh(`systemctl is-enabled ${HTTP}`)).toBe('enabled\n');
    expect(await debian.sh('hostauth --help')).toContain('HOSTAUTH_PORT');
    expect(await debian.sh(`systemd-analyze verify --man=no ${HTTP} ${HELPER} 2>&1`)).toBe('');
  });

  test('contract §1 npm run hostauth: signs in a real account, and an administrator creates a user who signs in', async () => {
    expect((await signIn('bob')).status).toBe(200);
    await debian.write('/root/wrong.json', JSON.stringify({ username: 'bob', password: 'wrong' }));
    expect((await signIn('wrong')).status).toBe(401);
    const authorization = await authorizationOf('ada');
    await debian.write('/root/eve.json', JSON.stringify({ username: 'eve', password: 'password of eve' }));
    const created = await curl('/users', ...authorization, '--json', '@/root/eve.json');
    expect(created).toMatchObject({ status: 201 });
    expect((await signIn('eve')).status).toBe(200);
  });

  test('runs the HTTP process as its own user without rights, which reads no shadow and writes no /etc', async () => {
    const pid = await pidOf(HTTP);
    expect((await debian.sh(`ps -o user= -p ${pid}`)).trim()).toBe('hostauth');
    expect((await debian.sh(`ps -o user= -p ${await pidOf(HELPER)}`)).trim()).toBe('root');
    const status = await debian.sh(`cat /proc/${pid}/status`);
    for (const line of ['CapEff:\t0000000000000000', 'CapBnd:\t0000000000000000', 'NoNewPrivs:\t1']) {
      expect(status).toContain(line);
    }
    expect(status).toMatch(/^Groups:\s*\d*\s*$/m);
    expect(await debian.sh(`cat /proc/${pid}/limits | grep core`)).toMatch(/^Max core file size\s+0\s+0\s/);
  });

  test('a killed helper restarts, and sessions survive', async () => {
    const authorization = await authorizationOf('ada');
    const [helper, http] = [await pidOf(HELPER), await pidOf(HTTP)];
    await debian.sh(`kill -9 ${helper}`);
    await waitForRestart(HELPER, helper);
    expect(await pidOf(HTTP)).toBe(http);
    // This call always checks the account, which takes the key of the previous helper.
    const sessions = await curl('/sessions', ...authorization);
    expect(sessions.status).toBe(200);
    expect((await signIn('bob')).status).toBe(200);
  });

  test.each([HTTP, HELPER])('the watchdog restarts a process that hangs (%s)', async (unit) => {
    const pid = await pidOf(unit);
    await debian.sh(`kill -STOP ${pid}`);
    await waitForRestart(unit, pid);
    expect(await debian.sh(`journalctl --unit ${unit}`)).toContain('Watchdog timeout');
    expect((await signIn('bob')).status).toBe(200);
  });

  test('removal stops both processes and leaves what an administrator may have changed', async () => {
    const authorization = await authorizationOf('bob');
    await debian.sh('dpkg --remove hostauth');
    expect((await debian.run('pgrep', '--full', '/usr/lib/hostauth')).stdout).toBe('');
    expect((await curl('/me', ...authorization)).status).toBe(0);
    expect(await readdir(join(debian.root, 'usr/lib'))).not.toContain('hostauth');
    expect(await debian.sh('ls /etc/pam.d/hostauth /etc/default/hostauth')).not.toBe('');
    await debian.sh(`dpkg --install /root/${basename(deb)}`);
    expect((await signIn('bob')).status).toBe(200);
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
    expect(await debian.sh(`readlink /proc/${await pidOf(HTTP)}/exe`)).toBe('/usr/local/lib/hostauth/node\n');
    expect((await signIn('bob')).status).toBe(200);
    await install('--remove');
    await debian.sh(`systemctl stop ${HTTP} ${HELPER}; systemctl daemon-reload; userdel hostauth`);
    expect(await createdFiles()).toEqual([]);
  });
});
