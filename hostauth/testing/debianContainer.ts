/**
 * A Debian that boots systemd in a container, for tests that need one. Its network and processes are its own; its files
 * are a copy of a root that debootstrap makes once.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, vi } from 'vitest';

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
export type DebianContainer = Awaited<ReturnType<typeof bootDebian>>;

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

/**
 * Returns why no container can boot here; `undefined` when one can.
 * @param others tools that the test needs besides.
 */
export function missingForContainer(others: readonly string[]): string | undefined {
  const name = codename();
  if (name === undefined) return 'this machine is not a Debian';
  if (process.getuid?.() !== 0) return 'only root can boot a container';
  const tools = ['setpriv', 'unshare', 'nsenter', 'systemd-nspawn', ...others];
  if (!existsSync(cachedRoot(name))) tools.push('debootstrap');
  const missing = tools.filter((tool) => !onPath(tool));
  return missing.length === 0 ? undefined : `${missing.join(', ')} missing`;
}

/** Creates a container and boots it. The first one on a machine takes minutes: debootstrap downloads Debian. */
export async function bootDebian() {
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

/** Returns the systemd units of a container. */
export const containerUnits = ({ sh }: Pick<DebianContainer, 'sh'>) => ({
  /** Returns the main process of a unit. */
  async pidOf(unit: string) {
    return (await sh(`systemctl show --value --property=MainPID ${unit}`)).trim();
  },
  /** Waits until a unit runs in another process than the previous one. */
  waitForRestart: (unit: string, previous: string) =>
    vi.waitFor(async () => {
      // One call: the unit can change between two.
      const shown = await sh(`systemctl show --property=ActiveState,MainPID ${unit}`);
      expect(shown).toContain('ActiveState=active\n');
      expect(['0', previous]).not.toContain(/^MainPID=(\d+)$/m.exec(shown)?.[1]);
    }, RECOVERY),
  /** Adds a drop-in file to a unit; systemd reads it at its next reload. */
  async addDropIn(unit: string, name: string, lines: readonly string[]) {
    const folder = `/run/systemd/system/${unit}.d`;
    await sh(`mkdir -p ${folder}; cat > ${folder}/${name}.conf <<'END'\n${lines.join('\n')}\nEND`);
  },
});

const URL = 'http://127.0.0.1:4320';

/** Creates a client of the service from within its container, by curl. A user's password is `password of <name>`. */
export function containerClient({ run, sh, write }: DebianContainer) {
  async function curl(path: string, ...args: readonly string[]) {
    const { stdout } = await run('curl', '--silent', '--write-out', '\n%{http_code}', ...args, URL + path);
    const [body = '', status] = stdout.split(/\n(?=\d+$)/);
    return { status: Number(status), body };
  }
  const signIn = (name: string) => curl('/auth', '--json', `@/root/${name}.json`);
  return {
    curl,
    /** Creates a user of the container. @param groups an option of useradd. */
    async addUser(name: string, groups = '') {
      const password = `password of ${name}`;
      await sh(`useradd --create-home ${groups} ${name}; echo '${name}:${password}' | chpasswd`);
      await write(`/root/${name}.json`, JSON.stringify({ username: name, password }));
    },
    signIn,
    /** Signs in; returns the token. */
    async tokenOf(name: string) {
      const { status, body } = await signIn(name);
      expect(status).toBe(200);
      return String(JSON.parse(body).token);
    },
    me: (token: string) => curl('/me', '--header', `Authorization: Bearer ${token}`),
  };
}
