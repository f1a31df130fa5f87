import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

/** An account that signs in, or one that must not: what an administrator can make of one. */
export type AccountState = 'usable' | 'blank' | 'expired' | 'must-change' | 'locked' | 'system';

export interface AccountOptions {
  /** A random one unless given. */
  readonly password?: string;
  readonly state?: AccountState;
  /** Further groups, which exist. */
  readonly groups?: readonly string[];
}

export interface HostAccount {
  readonly username: string;
  readonly password: string;
}

/** Accounts of the host that runs the tests, for a while: only root can make them. */
export interface TemporaryAccounts {
  /** A name that is free, and whose user, home and group `removeAll` takes away whoever made them. */
  name(): string;
  create(options?: AccountOptions): HostAccount;
  /** A group without members; gives its name. */
  createGroup(): string;
  /** Also happens when the process exits. */
  removeAll(): void;
}

/** Begins the name of each, with the process that made it, so that what a killed one left can be told from ours. */
const NAME = /^parley-t-([0-9a-z]+)-[0-9a-f]{8}$/;
const ATTEMPTS = 5;
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' };

/** What each state takes once the account is there. */
const MADE: Readonly<Record<AccountState, readonly (readonly string[])[]>> = {
  usable: [],
  blank: [['usermod', '--password', '']],
  expired: [['chage', '--expiredate', '1']],
  'must-change': [['chage', '--lastday', '0']],
  locked: [['usermod', '--lock']],
  system: [],
};

/** @throws Error if this process may not make accounts. */
export function createTemporaryAccounts(): TemporaryAccounts {
  const names: string[] = [];
  const name = () => {
    const fresh = `parley-t-${process.pid.toString(36)}-${randomBytes(4).toString('hex')}`;
    names.push(fresh);
    return fresh;
  };
  const removeAll = () => names.splice(0).forEach(remove);
  process.once('exit', removeAll);
  sweep();
  return {
    name,
    removeAll,
    create: (options = {}) => create(name(), options),
    createGroup() {
      const group = name();
      run(['groupadd', group]);
      return group;
    },
  };
}

function create(username: string, options: AccountOptions): HostAccount {
  const { password = randomBytes(12).toString('base64url'), state = 'usable', groups = [] } = options;
  run([
    'useradd',
    '--no-create-home',
    '--home-dir=/nonexistent',
    '--shell=/usr/sbin/nologin',
    '--user-group',
    ...(groups.length > 0 ? ['--groups', groups.join(',')] : []),
    ...(state === 'system' ? ['--system'] : []),
    username,
  ]);
  run(['chpasswd'], `${username}:${password}\n`);
  for (const command of MADE[state]) run([...command, username]);
  return { username, password: state === 'blank' ? '' : password };
}

/** Others may hold the lock of the accounts' files for a moment: a few attempts, each of which waits by itself. */
function run(command: readonly string[], input = ''): void {
  let told = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { status, stderr } = runOnce(command, input);
    if (status === 0) return;
    told = `${status}: ${stderr.trim()}`;
  }
  throw new Error(`${command[0]} failed with ${told}`);
}

function runOnce([program = '', ...rest]: readonly string[], input = '') {
  return spawnSync(program, rest, { input, encoding: 'utf8', env: ENVIRONMENT });
}

function remove(name: string): void {
  if (!NAME.test(name)) throw new Error(`${name} is not a temporary account`);
  for (let attempt = 0; attempt < ATTEMPTS && isListed('/etc/passwd', name); attempt++) {
    runOnce(['userdel', '--remove', '--force', name]);
  }
  for (let attempt = 0; attempt < ATTEMPTS && isListed('/etc/group', name); attempt++) {
    runOnce(['groupdel', name]);
  }
}

const listed = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.slice(0, line.indexOf(':')));

const isListed = (file: string, name: string) => listed(file).includes(name);

/** Takes away what processes that are no more have left. */
function sweep(): void {
  const left = new Set([...listed('/etc/passwd'), ...listed('/etc/group')]);
  for (const name of left) {
    const pid = NAME.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${Number.parseInt(pid, 36)}`)) remove(name);
  }
}
