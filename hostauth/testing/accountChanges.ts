import { spawnSync } from 'node:child_process';
import type { Credentials, EndReason } from '../link/helperProtocol.ts';

const ATTEMPTS = 5;

/** Runs a tool; retries while other programs lock the accounts' files. @throws when it fails. */
export function runTool([program = '', ...args]: readonly string[], input = ''): void {
  let failure = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { status, stderr } = spawnSync(program, args, { input, encoding: 'utf8' });
    if (status === 0) return;
    failure = `${status} ${stderr}`;
    if (!stderr.includes('lock')) break;
  }
  throw new Error(`${program} failed: ${failure}`);
}

/** Returns the uid of a user; empty when it does not exist. */
export const uidOf = (username: string): string =>
  spawnSync('id', ['--user', username], { encoding: 'utf8' }).stdout.trim();

const setPassword = (username: string, password: string) =>
  runTool(['chpasswd'], `${username}:${password}\n`);

function replaceBySameUid({ username, password }: Credentials): void {
  const uid = uidOf(username);
  runTool(['userdel', username]);
  // Another program may have taken the uid in the meantime.
  const options = ['--no-create-home', '--uid', uid, '--non-unique', '--shell=/usr/sbin/nologin'];
  runTool(['useradd', ...options, username]);
  setPassword(username, password);
}

/** Changes of an account by an administrator of the host, and the reason with which its sessions end. */
export const ACCOUNT_CHANGES: readonly (readonly [
  what: string,
  reason: EndReason,
  change: (account: Credentials) => void,
])[] = [
  ['usermod --lock', 'locked', ({ username }) => runTool(['usermod', '--lock', username])],
  ['passwd --lock', 'locked', ({ username }) => runTool(['passwd', '--quiet', '--lock', username])],
  ['chage --expiredate', 'expired', ({ username }) => runTool(['chage', '--expiredate', '1', username])],
  ['chage --lastday 0', 'expired', ({ username }) => runTool(['chage', '--lastday', '0', username])],
  ['a new password', 'password', ({ username }) => setPassword(username, 'another one')],
  ['the same password set again', 'password', ({ username, password }) => setPassword(username, password)],
  ['userdel', 'deleted', ({ username }) => runTool(['userdel', username])],
  [
    'another uid',
    'replaced',
    ({ username }) => runTool(['usermod', '--non-unique', '--uid', '61234', username]),
  ],
  ['another shell', 'changed', ({ username }) => runTool(['usermod', '--shell', '/bin/sh', username])],
  ['a new user of the same name, uid and password', 'password', replaceBySameUid],
];
