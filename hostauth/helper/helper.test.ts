import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type AccountState, runTool } from '#tests/builders/createTemporaryAccounts.ts';
import { standInTools } from '#tests/builders/standInTools.ts';
import { isRoot, withHostAccounts, withPamService } from '#tests/builders/withHostAccounts.ts';
import { PAM_OPTIONS } from '#tests/builders/withPamWrapper.ts';
import { readConfig } from '../base/config.ts';
import type { AccountCheck } from './accounts/accountCheck.ts';
import type { Creation } from './accounts/createAccount.ts';
import type { CreationQueue } from './accounts/createUser.ts';
import { type AccountEntry, createAccountProofs, parseEntry } from './accounts/localAccounts.ts';
import { LookUpError } from './accounts/lookUp.ts';
import { HOST_TOOLS } from './accounts/runTool.ts';
import { type HelperOptions, createHelper, createHostHelper } from './helper.ts';
import { checkPam } from './pam/pamBinding.ts';
import type { Credentials, EndReason, Helper } from '../link/helperProtocol.ts';
import { PASSWORD, fakeAuthenticator, fakeClock } from '../testing/testApp.ts';
import { stopLimits } from '../testing/processState.ts';

/** Accounts that never change; a name is the proof of its account. */
const unchangedAccounts: AccountCheck = {
  localEntry: () => undefined,
  prove: async (username) => username,
  check: async (username) => ({ state: 'same', username }),
};

const queueOf = (create: CreationQueue['create']): CreationQueue => ({
  create,
  cancelWaiting: () => undefined,
  close: async () => undefined,
});

const helperWith = (options: Partial<HelperOptions>) =>
  createHelper({
    authenticator: fakeAuthenticator(),
    accountCheck: unchangedAccounts,
    users: 'off',
    adminGroup: 'sudo',
    creations: queueOf(async () => ({ kind: 'full' })),
    isAdministrator: async () => false,
    groupsOf: async () => [],
    onUserCreated: () => undefined,
    ...options,
  });

const entryWith = (password: string): AccountEntry => ({
  username: 'ada',
  uid: 1000,
  identity: '',
  password,
  aging: '',
});
const noName = () => Promise.reject(new LookUpError('getent passwd failed'));

const signInWith = (check: Partial<AccountCheck>, password = PASSWORD) =>
  helperWith({ accountCheck: { ...unchangedAccounts, ...check } }).authenticate({
    username: 'ada',
    password,
  });

test('a sign-in that PAM accepts is unavailable while the name service fails, and refused when that does not know the name; one that PAM refuses is `locked` when shadow says so', async () => {
  const detail = 'getent passwd failed';
  expect(await signInWith({ prove: noName })).toEqual({ kind: 'unavailable', reason: 'lookup', detail });
  const unknown = await signInWith({ prove: async () => undefined });
  expect(unknown).toMatchObject({ kind: 'refused', reason: 'account' });
  const locked = await signInWith({ localEntry: () => entryWith('!$y$x') }, 'wrong');
  expect(locked).toMatchObject({ kind: 'refused', reason: 'locked' });
});

test('proves the entry as it was before PAM was asked', async () => {
  let entry = entryWith('before');
  const prove = vi.fn<AccountCheck['prove']>(async () => '');
  const authenticate = async () => {
    entry = entryWith('after');
    return { kind: 'accepted' } as const;
  };
  const helper = helperWith({
    accountCheck: { ...unchangedAccounts, localEntry: () => entry, prove },
    authenticator: { ...fakeAuthenticator(), authenticate },
  });
  await helper.authenticate({ username: 'ada', password: PASSWORD });
  expect(prove.mock.calls).toEqual([['ada', entryWith('before')]]);
});

test('does not use a cached answer of the name service for the check of an administrator', async () => {
  const check = vi.fn<typeof unchangedAccounts.check>(async () => ({ state: 'ended', reason: 'deleted' }));
  const helper = helperWith({ accountCheck: { ...unchangedAccounts, check } });
  expect(await helper.isAdministrator('ada')).toEqual({ state: 'ended', reason: 'deleted' });
  expect(check.mock.calls).toEqual([['ada', { isFresh: true }]]);
});

test('creates no user where users are off, nor while the name service does not answer', async () => {
  const user = { account: 'chief', username: 'ada', password: PASSWORD };
  const off = helperWith({ isAdministrator: async () => true });
  expect(await off.createUser(user)).toEqual({ kind: 'refused', reason: 'off' });
  const helper = helperWith({ users: 'admin', isAdministrator: noName });
  expect(await helper.createUser(user)).toEqual({ kind: 'unavailable', detail: 'getent passwd failed' });
});

/** Returns the names that a helper reports after a creation with this outcome. */
const reports = async (creation: Creation) => {
  const onUserCreated = vi.fn<HelperOptions['onUserCreated']>();
  const helper = helperWith({ users: 'open', creations: queueOf(async () => creation), onUserCreated });
  await helper.createUser({ account: null, username: 'ada', password: PASSWORD });
  return onUserCreated.mock.calls;
};

test('reports each user that exists after its creation, also when the creation failed', async () => {
  const failed = { kind: 'failed', fault: 'failed', detail: '' } as const;
  expect(await reports({ kind: 'created' })).toEqual([['ada']]);
  expect(await reports({ ...failed, rolledBack: 'left' })).toEqual([['ada']]);
  expect(await reports({ ...failed, rolledBack: 'removed' })).toEqual([]);
  expect(await reports({ kind: 'taken', by: 'user' })).toEqual([]);
});

test('creates no user when its administrator has left the group while the creation waited', async () => {
  const waiting: (() => void)[] = [];
  const creations = queueOf(async (_, check) => {
    await new Promise<void>((resolve) => void waiting.push(resolve));
    return (await check?.()) ?? { kind: 'created' };
  });
  let isAdministrator = true;
  const helper = helperWith({ users: 'admin', creations, isAdministrator: async () => isAdministrator });
  const [first, second] = ['ada', 'bob'].map((username) =>
    helper.createUser({ account: 'chief', username, password: PASSWORD }),
  );
  await new Promise((resolve) => setImmediate(resolve));
  waiting.shift()?.();
  expect(await first).toEqual({ kind: 'created' });
  isAdministrator = false;
  waiting.shift()?.();
  expect(await second).toEqual({ kind: 'refused', reason: 'not-administrator' });
});

test.each([
  // To chpasswd, a second line is another user.
  [{ password: `${PASSWORD}\nroot:owned` }, 'password'],
  [{ password: '' }, 'password'],
  [{ username: 'x;y' }, 'unusable'],
  [{ username: 'sudo' }, 'reserved'],
  [{ password: 'a:b:c' }, undefined],
  [{ password: ' leading and trailing ' }, undefined],
  [{ password: 'é'.repeat(63) }, undefined],
])('contract §8 POST /users: checks %j before anything is created: %s', async (fields, reason) => {
  const begun: unknown[] = [];
  const creations = queueOf(async (account) => (begun.push(account), { kind: 'created' }));
  const user = { account: null, username: 'ada', password: PASSWORD, ...fields };
  const creation = await helperWith({ users: 'open', creations }).createUser(user);
  expect(creation).toEqual(reason === undefined ? { kind: 'created' } : { kind: 'refused', reason });
  expect(begun).toEqual(reason === undefined ? [{ name: 'ada', password: user.password }] : []);
});

test('runs 16 lookups at once; a session whose lookup has to wait for 5 s is not checked; a failure frees its slot', async () => {
  const pass = stopLimits();
  const tools = standInTools();
  tools.replace('getent', 'exec sleep 60');
  const clock = fakeClock();
  const key = randomBytes(32);
  const helper = createHostHelper({ config: readConfig({}), key, log: () => undefined, tools, clock });
  onTestFinished(() => helper.close());
  const checkOf = (i: number) => {
    const entry = parseEntry(`bea${i}:*:${5000 + i}:5000::/home/bea:/bin/sh`.split(':'));
    if (entry === undefined) throw new Error('not an entry');
    return helper.checkAccount(createAccountProofs(key).issue(entry, Math.floor(clock.wall() / 1000)));
  };
  const checks = Array.from({ length: 17 }, (_, i) => checkOf(i));
  await clock.untilWait(5000);
  clock.advance(5000);
  expect(await checks[16]).toEqual({ state: 'unknown', detail: 'too many lookups wait' });
  pass(5000);
  const failed = { state: 'unknown', detail: expect.stringMatching(/^getent passwd failed/) };
  expect(await Promise.all(checks.slice(0, 16))).toEqual(checks.slice(0, 16).map(() => failed));
  tools.replace('getent', 'exit 2');
  clock.advance(3000);
  expect(await checkOf(0)).toEqual({ state: 'ended', reason: 'deleted' });
});

/** The longest that PAM takes, 511 bytes, with the marks of a shell and of chpasswd, between spaces. */
const LONGEST = ` '; $(id) \`id\` \\ ab:c ${'é'.repeat(244)} `;

const entryOf = (database: string, name: string) => {
  const { stdout } = spawnSync('getent', ['-s', 'files', database, name], { encoding: 'utf8' });
  return stdout === '' ? undefined : stdout.trimEnd().split(':');
};

/** The mode of a new home, from login.defs. */
function homeMode(): number {
  const settings = readFileSync('/etc/login.defs', 'utf8');
  const of = (name: string) => new RegExp(`^${name}\\s+(\\d+)`, 'm').exec(settings)?.[1];
  const mode = of('HOME_MODE');
  return mode === undefined ? 0o777 & ~Number.parseInt(of('UMASK') ?? '022', 8) : Number.parseInt(mode, 8);
}

const refused = (reason: string) => ({ kind: 'refused', reason });

const STATES: readonly (readonly [AccountState, string])[] = [
  ['blank', 'credentials'],
  ['locked', 'locked'],
  ['system', 'credentials'],
  ['expired', 'expired'],
  ['must-change', 'must-change'],
];

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

  /** An administrator who has signed in. */
  async function administrator() {
    const account = accounts.create({ groups: [group] });
    const outcome = await helper.authenticate(account);
    if (outcome.kind !== 'accepted') throw new Error(outcome.kind);
    return { account, proof: outcome.account };
  }

  test('spec §3.4 row 1, §4.3 row 1, row 4, contract §8 PAM service: all parts are in place; a created user has a group and a home of its own and no shell, signs in with exactly its password, which forgets earlier failures, and is locked after five failures, for this service only', async () => {
    expect(checkPam(shipped.service)).toBeUndefined();
    const username = accounts.name();
    const right = { username, password: LONGEST };
    const { proof } = await administrator();
    expect(await helper.createUser({ account: proof, ...right })).toEqual({ kind: 'created' });
    const [, , uid, gid, , home = '', shell] = entryOf('passwd', username) ?? [];
    expect({ home, shell }).toEqual({ home: join('/home', username), shell: '/usr/sbin/nologin' });
    expect(entryOf('group', username)?.slice(2)).toEqual([gid, '']);
    const { mode, uid: owner, gid: ownerGroup } = statSync(home);
    expect([mode & 0o7777, owner, ownerGroup]).toEqual([homeMode(), Number(uid), Number(gid)]);
    expect(readdirSync(home).sort()).toEqual(readdirSync('/etc/skel').sort());

    const fail = async (passwords: readonly string[]) => {
      for (const password of passwords)
        expect(await helper.authenticate({ username, password })).toMatchObject(refused('credentials'));
    };
    for (const passwords of [[], ['x', 'y', 'z', ''], ['x', 'y', 'z', '']]) {
      await fail(passwords);
      expect(await helper.authenticate(right)).toMatchObject({ kind: 'accepted' });
    }
    await fail([LONGEST.slice(0, -1), LONGEST.trim(), '', 'x', 'y']);
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
    for (const [state, reason] of STATES) {
      const outcome = await helper.authenticate(accounts.create({ state }));
      expect([state, outcome]).toMatchObject([state, refused(reason)]);
    }
    const { proof } = await administrator();
    const username = accounts.name();
    const broken = start({ chpasswd: '/bin/false', userdel: '/bin/false' });
    onTestFinished(() => broken.close());
    const creation = await broken.createUser({ account: proof, username, password: LONGEST });
    expect(creation).toMatchObject({ kind: 'failed', rolledBack: 'left' });
    for (const password of [LONGEST, '', '!'])
      expect(await helper.authenticate({ username, password })).toMatchObject(refused('locked'));
  });

  test('each change of an account ends its session with its reason, and it creates no user any more; without its group it creates none either', async () => {
    for (const [reason, change] of CHANGES) {
      const { account, proof } = await administrator();
      expect(await helper.checkAccount(proof)).toEqual({ state: 'same' });
      change(account);
      expect(await helper.checkAccount(proof)).toEqual({ state: 'ended', reason });
      const user = { account: proof, username: accounts.name(), password: LONGEST };
      expect(await helper.createUser(user)).toEqual({ kind: 'ended', reason });
      expect(entryOf('passwd', user.username)).toBeUndefined();
    }
    const { account, proof } = await administrator();
    expect(await helper.isAdministrator(proof)).toEqual({ state: 'administrator' });
    runTool(['gpasswd', '--delete', account.username, group]);
    expect(await helper.checkAccount(proof)).toEqual({ state: 'same' });
    const creation = helper.createUser({ account: proof, username: accounts.name(), password: LONGEST });
    expect(await creation).toEqual({ kind: 'refused', reason: 'not-administrator' });
  });
});

test('the shipped PAM file turns off the signal handling and the delay of pam_unix', () => {
  const text = readFileSync(new URL('../pam.d/hostauth', import.meta.url), 'utf8');
  expect(text.match(/^auth .*pam_unix.*$/gm)).toEqual([expect.stringMatching(/ nodelay noreap$/)]);
  const counting = text.match(/^auth .*pam_faillock.*$/gm);
  expect(counting).toHaveLength(3);
  expect(counting?.every((line) => line.endsWith(' nodelay'))).toBe(true);
});
