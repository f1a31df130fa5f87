import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The state of an account: one that can sign in, or one of those that cannot. */
export type AccountState = 'usable' | 'blank' | 'expired' | 'must-change' | 'locked' | 'system';

interface AccountOptions {
  /** Random by default. */
  readonly password?: string;
  readonly state?: AccountState;
  /** Additional, existing groups. */
  readonly groups?: readonly string[];
}

/** An account of this host. */
export interface HostAccount {
  readonly username: string;
  readonly password: string;
}

/** The names of accounts, groups, PAM services and their folders contain the id of the process that created them. */
const NAME = /^parley-t-(\d+)-[0-9a-f]{8}$/;
const freshName = () => `parley-t-${process.pid}-${randomBytes(4).toString('hex')}`;

/** Returns whether a name is that of a process that has ended, because it was killed. */
function isLeft(name: string): boolean {
  const [, pid] = NAME.exec(name) ?? [];
  return pid !== undefined && !existsSync(`/proc/${pid}`);
}

const ATTEMPTS = 5;
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };

/** The command that puts a new account into each state. */
const MADE: Readonly<Partial<Record<AccountState, readonly string[]>>> = {
  blank: ['usermod', '--password', ''],
  expired: ['chage', '--expiredate', '1'],
  'must-change': ['chage', '--lastday', '0'],
  locked: ['usermod', '--lock'],
};

/** A manager of temporary accounts. */
export type TemporaryAccounts = ReturnType<typeof createTemporaryAccounts>;

/** Creates a manager of temporary accounts on the host that runs the tests. @throws Error if this process cannot create accounts. */
export function createTemporaryAccounts() {
  const names: string[] = [];
  const name = () => {
    const fresh = freshName();
    names.push(fresh);
    return fresh;
  };
  const removeAll = () => names.splice(0).forEach(removeAccount);
  process.once('exit', removeAll);
  for (const left of [...listed('/etc/passwd'), ...listed('/etc/group')].filter(isLeft)) removeAccount(left);
  return {
    /** Returns an unused name; `removeAll` removes its user, home and group, also when other code created them. */
    name,
    /** Removes all of them; also happens when the process exits. */
    removeAll,
    create: (options: AccountOptions = {}) => create(name(), options),
    /** Creates a group without members; returns its name. */
    createGroup() {
      const group = name();
      runTool(['groupadd', group]);
      return group;
    },
  };
}

function create(username: string, options: AccountOptions): HostAccount {
  const { password = randomBytes(12).toString('base64url'), state = 'usable', groups = [] } = options;
  const args = ['--no-create-home', '--home-dir=/nonexistent', '--shell=/usr/sbin/nologin', '--user-group'];
  if (groups.length > 0) args.push('--groups', groups.join(','));
  if (state === 'system') args.push('--system');
  runTool(['useradd', ...args, username]);
  runTool(['chpasswd'], `${username}:${password}\n`);
  const command = MADE[state];
  if (command !== undefined) runTool([...command, username]);
  return { username, password: state === 'blank' ? '' : password };
}

/** Runs a command; retries because other programs may lock the accounts' files. Each attempt waits by itself. @throws Error if it fails. */
export function runTool(command: readonly string[], input = ''): void {
  let failure = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { status, stderr } = runOnce(command, input);
    if (status === 0) return;
    failure = `${status}: ${stderr.trim()}`;
  }
  throw new Error(`${command[0]} failed with ${failure}`);
}

const runOnce = ([program = '', ...rest]: readonly string[], input = '') =>
  spawnSync(program, rest, { input, encoding: 'utf8', env: ENVIRONMENT });

function removeAccount(name: string): void {
  if (!NAME.test(name)) throw new Error(`${name} is not a temporary account`);
  for (const [file, command] of [
    ['/etc/passwd', ['userdel', '--remove', '--force']],
    ['/etc/group', ['groupdel']],
  ] as const)
    for (let attempt = 0; attempt < ATTEMPTS && listed(file).includes(name); attempt++)
      runOnce([...command, name]);
}

const listed = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.slice(0, line.indexOf(':')));

const FOLDER = '/etc/pam.d';
const SHIPPED = join(import.meta.dirname, '..', '..', 'hostauth', 'pam.d', 'hostauth');
const SHIPPED_TALLIES = '/var/lib/hostauth/faillock';
/** Creates a PAM service on this host, from `text` or the shipped file. `remove`, and the end of the process, remove it. */
export function createTemporaryPamService(text?: string) {
  for (const folder of [FOLDER, tmpdir()])
    for (const left of readdirSync(folder).filter(isLeft))
      rmSync(join(folder, left), { recursive: true, force: true });
  const service = freshName();
  const [file, tallies] = [join(FOLDER, service), join(tmpdir(), service)];
  mkdirSync(tallies, { mode: 0o700 });
  // Never overwrites an existing file.
  writeFileSync(file, text ?? readFileSync(SHIPPED, 'utf8').replaceAll(SHIPPED_TALLIES, tallies), {
    flag: 'wx',
    mode: 0o644,
  });
  const remove = () => [file, tallies].forEach((path) => rmSync(path, { recursive: true, force: true }));
  process.once('exit', remove);
  return { service, tallies, remove };
}
