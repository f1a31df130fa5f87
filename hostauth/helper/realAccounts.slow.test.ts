import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runTool } from '#tests/builders/createTemporaryAccounts.ts';
import { isRoot, withHostAccounts, withPamService } from '#tests/builders/withHostAccounts.ts';
import { PAM_OPTIONS } from '#tests/builders/withPamWrapper.ts';
import { readConfig } from '../base/config.ts';
import { HOST_TOOLS } from './accounts/runTool.ts';
import { createHostHelper } from './helper.ts';
import { checkPam } from './pam/pamBinding.ts';
import type { Credentials, EndReason, Helper } from '../link/helperProtocol.ts';

/** The longest that PAM takes, 511 bytes, with the marks of a shell and of chpasswd, between spaces. */
const PASSWORD = ` '; $(id) \`id\` \\ ab:c ${'é'.repeat(244)} `;

const entryOf = (database: string, name: string) => {
  const { stdout } = spawnSync('getent', ['-s', 'files', database, name], { encoding: 'utf8' });
  return stdout === '' ? undefined : stdout.trimEnd().split(':');
};

const refused = (reason: string) => ({ kind: 'refused', reason });

function replaceBySameUid({ username, password }: Credentials): void {
  const [, , uid = ''] = entryOf('passwd', username) ?? [];
  runTool(['userdel', username]);
  // Another program may have taken the uid in the meantime.
  const options = ['--no-create-home', '--uid', uid, '--non-unique', '--shell=/usr/sbin/nologin'];
  runTool(['useradd', ...options, username]);
  runTool(['chpasswd'], `${username}:${password}\n`);
}

/** Changes of an account by an administrator of the host, and the reason with which its sessions end. */
const CHANGES: readonly (readonly [EndReason, (account: Credentials) => void])[] = [
  ['locked', ({ username }) => runTool(['usermod', '--lock', username])],
  ['locked', ({ username }) => runTool(['passwd', '--quiet', '--lock', username])],
  ['expired', ({ username }) => runTool(['chage', '--expiredate', '1', username])],
  ['expired', ({ username }) => runTool(['chage', '--lastday', '0', username])],
  ['password', ({ username, password }) => runTool(['chpasswd'], `${username}:${password}\n`)],
  ['deleted', ({ username }) => runTool(['userdel', username])],
  ['replaced', ({ username }) => runTool(['usermod', '--non-unique', '--uid', '61234', username])],
  ['changed', ({ username }) => runTool(['usermod', '--shell', '/bin/sh', username])],
  ['password', replaceBySameUid],
];

/** The host's own record of failures, which must not change. */
const HOST_TALLIES = '/run/faillock';
const hostTallies = () => (existsSync(HOST_TALLIES) ? readdirSync(HOST_TALLIES) : []);

// Only root can create accounts; `pamAuthenticator.test.ts` uses libpam-wrapper, the tests of `accounts/` replaced tools.
describe.runIf(isRoot)('real accounts through the shipped PAM file', () => {
  const accounts = withHostAccounts();
  const shipped = withPamService();
  const hostTalliesBefore = hostTallies();
  let group = '';
  let helper: Helper;

  /** Creates the helper of this host, with some tools replaced. */
  const start = (tools: Partial<typeof HOST_TOOLS> = {}) =>
    createHostHelper({
      config: readConfig({ HOSTAUTH_PAM_SERVICE: shipped.service, HOSTAUTH_ADMIN_GROUP: group }),
      key: Buffer.alloc(32, 1),
      log: () => undefined,
      pam: PAM_OPTIONS,
      tools: { ...HOST_TOOLS, ...tools },
    });
  beforeAll(() => {
    group = accounts.createGroup();
    helper = start();
  });
  afterAll(() => helper.close());

  async function administrator() {
    const account = accounts.create({ groups: [group] });
    const outcome = await helper.authenticate(account);
    if (outcome.kind !== 'accepted') throw new Error(outcome.kind);
    return { account, proof: outcome.account };
  }

  test('spec §3.4 row 1, §4.3 row 1, row 4, contract §8 PAM service: all parts are in place; a created user has a group and a home of its own and no shell, signs in with exactly its password, which forgets earlier failures, and is locked after five failures, for this service only', async () => {
    expect(checkPam(shipped.service)).toBeUndefined();
    const username = accounts.name();
    const right = { username, password: PASSWORD };
    const { proof } = await administrator();
    expect(await helper.createUser({ account: proof, ...right })).toEqual({ kind: 'created' });
    const [, , uid, gid, , home = '', shell] = entryOf('passwd', username) ?? [];
    expect({ home, shell }).toEqual({ home: join('/home', username), shell: '/usr/sbin/nologin' });
    expect(entryOf('group', username)?.slice(2)).toEqual([gid, '']);
    const { mode, uid: owner, gid: ownerGroup } = statSync(home);
    const other = accounts.name();
    runTool(['useradd', '--create-home', other]);
    expect([mode, owner, ownerGroup]).toEqual([
      statSync(join('/home', other)).mode,
      Number(uid),
      Number(gid),
    ]);
    expect(readdirSync(home).sort()).toEqual(readdirSync('/etc/skel').sort());

    const fail = async (passwords: readonly string[]) => {
      for (const password of passwords)
        expect(await helper.authenticate({ username, password })).toMatchObject(refused('credentials'));
    };
    for (const passwords of [[], ['x', 'y', 'z', ''], ['x', 'y', 'z', '']]) {
      await fail(passwords);
      expect(await helper.authenticate(right)).toMatchObject({ kind: 'accepted' });
    }
    await fail([PASSWORD.slice(0, -1), PASSWORD.trim(), '', 'x', 'y']);
    expect(await helper.authenticate(right)).toMatchObject(refused('locked'));
    expect(readdirSync(shipped.tallies)).toContain(username);
    expect(hostTallies()).toEqual(hostTalliesBefore);
  });

  test('spec §5 item 2: refuses unknown names, root, and accounts that cannot be used, as one whose password was not set when chpasswd and userdel failed', async () => {
    const unknown = await helper.authenticate({ username: accounts.name(), password: 'wrong' });
    expect(unknown).toMatchObject(refused('credentials'));
    const root = await helper.authenticate({ username: 'root', password: 'wrong' });
    // Hosts may lock it.
    expect(root).toMatchObject(refused(expect.stringMatching(/^(credentials|locked)$/)));
    expect(readdirSync(shipped.tallies)).not.toContain('root');
    for (const [state, reason] of [
      ['blank', 'credentials'],
      ['locked', 'locked'],
      ['system', 'credentials'],
      ['expired', 'expired'],
      ['must-change', 'must-change'],
    ] as const) {
      const outcome = await helper.authenticate(accounts.create({ state }));
      expect([state, outcome]).toMatchObject([state, refused(reason)]);
    }
    const { proof } = await administrator();
    const username = accounts.name();
    const broken = start({ chpasswd: '/bin/false', userdel: '/bin/false' });
    onTestFinished(() => broken.close());
    const creation = await broken.createUser({ account: proof, username, password: PASSWORD });
    expect(creation).toMatchObject({ kind: 'failed', rolledBack: 'left' });
    for (const password of [PASSWORD, '', '!'])
      expect(await helper.authenticate({ username, password })).toMatchObject(refused('locked'));
  });

  test('each change of an account ends its session with its reason, and it creates no user any more; without its group it creates none either', async () => {
    for (const [reason, change] of CHANGES) {
      const { account, proof } = await administrator();
      expect(await helper.checkAccount(proof)).toEqual({ state: 'same' });
      change(account);
      expect(await helper.checkAccount(proof)).toEqual({ state: 'ended', reason });
      const user = { account: proof, username: accounts.name(), password: PASSWORD };
      expect(await helper.createUser(user)).toEqual({ kind: 'ended', reason });
      expect(entryOf('passwd', user.username)).toBeUndefined();
    }
    const { account, proof } = await administrator();
    expect(await helper.isAdministrator(proof)).toEqual({ state: 'administrator' });
    runTool(['gpasswd', '--delete', account.username, group]);
    expect(await helper.checkAccount(proof)).toEqual({ state: 'same' });
    const creation = helper.createUser({ account: proof, username: accounts.name(), password: PASSWORD });
    expect(await creation).toEqual({ kind: 'refused', reason: 'not-administrator' });
  });
});
