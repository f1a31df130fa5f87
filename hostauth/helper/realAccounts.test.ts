import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AccountState as TemporaryState } from '#tests/builders/createTemporaryAccounts.ts';
import { holdPasswordLock } from '#tests/builders/holdPasswordLock.ts';
import { hostauthProgram } from '#tests/builders/hostauthProgram.ts';
import { standInTools } from '#tests/builders/standInTools.ts';
import { isRoot, withHostAccounts, withPamService } from '#tests/builders/withHostAccounts.ts';
import { systemClock } from '../base/clock.ts';
import { readConfig } from '../base/config.ts';
import { createCreationQueue } from './accounts/createUser.ts';
import { isAdministrator } from './accounts/lookUp.ts';
import { HOST_TOOLS, type HostTools } from './accounts/runTool.ts';
import { createHostHelper } from './helper.ts';
import { type Authenticator, createPamAuthenticator } from './pam/pamAuthenticator.ts';
import { checkPam } from './pam/pamBinding.ts';
import type { Helper, Credentials } from '../link/helperProtocol.ts';
import { ACCOUNT_CHANGES, runTool, uidOf } from '../testing/accountChanges.ts';

const isOne = (username: string, name: string) =>
  isAdministrator(username, { tools: HOST_TOOLS, group: name });

// Only root can create accounts; `accountCheck.test.ts` checks the same with fixture files.
describe.runIf(isRoot)('a real account that has signed in', { timeout: 60_000 }, () => {
  const accounts = withHostAccounts();
  const shipped = withPamService();
  let helper: Helper;
  let group = '';

  beforeAll(() => {
    group = accounts.createGroup();
    helper = createHelperWith(HOST_TOOLS);
  });
  afterAll(() => helper.close());

  const createHelperWith = (tools: HostTools): Helper =>
    createHostHelper({
      config: readConfig({ HOSTAUTH_PAM_SERVICE: shipped.service, HOSTAUTH_ADMIN_GROUP: group }),
      key: randomBytes(32),
      log: () => undefined,
      pam: { childPath: hostauthProgram('pamChild') },
      tools,
    });

  /** An administrator who has signed in. */
  async function signIn() {
    const account = accounts.create({ groups: [group] });
    const outcome = await helper.authenticate(account);
    if (outcome.kind !== 'accepted') throw new Error(outcome.kind);
    return { account, proof: outcome.account };
  }

  test('contract §8 a session ends with its account: each change of an account ends it with its reason, and it creates no user any more; without its group it creates none either', async () => {
    for (const [, reason, change] of ACCOUNT_CHANGES) {
      const { account, proof } = await signIn();
      expect(await helper.checkAccount(proof)).toEqual({ state: 'same' });
      expect(await helper.isAdministrator(proof)).toEqual({ state: 'administrator' });
      change(account);
      const ended = { state: 'ended', reason };
      expect(await helper.checkAccount(proof)).toEqual(ended);
      expect(await helper.isAdministrator(proof)).toEqual(ended);
      const username = accounts.name();
      expect(await helper.createUser({ account: proof, username, password: 'pass word' })).toEqual({
        kind: 'ended',
        reason,
      });
      expect(uidOf(username)).toBe('');
    }
    const { account, proof } = await signIn();
    runTool(['gpasswd', '--delete', account.username, group]);
    expect(await helper.checkAccount(proof)).toEqual({ state: 'same' });
    const creation = helper.createUser({ account: proof, username: accounts.name(), password: 'pass word' });
    expect(await creation).toEqual({ kind: 'refused', reason: 'not-administrator' });
  });

  test('contract §8 users: members of the group and users whose primary group it is are administrators, others are not', async () => {
    const member = accounts.create({ groups: [group] }).username;
    const other = accounts.create().username;
    expect(await isOne(member, group)).toBe(true);
    expect(await isOne(other, other)).toBe(true);
    expect(await isOne(other, group)).toBe(false);
  });
});

const PASSWORD = 'correct: horse:battery';

const entryOf = (database: string, name: string) => {
  const { stdout } = spawnSync('getent', ['-s', 'files', database, name], { encoding: 'utf8' });
  return stdout === '' ? undefined : stdout.trimEnd().split(':');
};
const homeOf = (name: string) => join('/home', name);
const traces = (name: string) => ({
  entries: ['passwd', 'group', 'shadow', 'gshadow'].filter((file) => entryOf(file, name) !== undefined),
  home: existsSync(homeOf(name)),
});
const NONE = { entries: [], home: false };

const hostAccounts = (tools: Partial<HostTools> = {}, limitMs = 60_000) =>
  createCreationQueue({
    tools: { ...HOST_TOOLS, ...tools },
    clock: systemClock,
    limitMs,
    rollBackMs: 60_000,
  });

/** The mode of a new home, from login.defs. */
function homeMode(): number {
  const settings = readFileSync('/etc/login.defs', 'utf8');
  const of = (name: string) => new RegExp(`^${name}\\s+(\\d+)`, 'm').exec(settings)?.[1];
  const mode = of('HOME_MODE');
  return mode === undefined ? 0o777 & ~Number.parseInt(of('UMASK') ?? '022', 8) : Number.parseInt(mode, 8);
}

/** The users that existed before, and the modes of the account files. */
const hostNow = () => ({
  users: readFileSync('/etc/shadow', 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('parley-t-')),
  modes: ['passwd', 'shadow', 'group', 'gshadow'].map((file) =>
    statSync(join('/etc', file)).mode.toString(8),
  ),
});

// Only root can create accounts; the other tests of this folder replace the tools.
describe.runIf(isRoot)('users created by the real tools', () => {
  const accounts = withHostAccounts();
  const shipped = withPamService();
  const before = isRoot ? hostNow() : undefined;
  let pam: Authenticator;

  beforeAll(() => {
    const childPath = hostauthProgram('pamChild');
    pam = createPamAuthenticator({ service: shipped.service, childPath, timeoutMs: 60_000 });
  });
  afterAll(() => pam.close());

  test('spec §4.3 row 4: have a group and a home of their own, sign in through PAM with exactly their password, and get no shell', async () => {
    const name = accounts.name();
    expect(await hostAccounts().create({ name, password: PASSWORD })).toEqual({ kind: 'created' });
    const [, , uid, gid, , home, shellOf] = entryOf('passwd', name) ?? [];
    expect({ home, shellOf }).toEqual({ home: homeOf(name), shellOf: '/usr/sbin/nologin' });
    expect(Number(uid)).toBeGreaterThanOrEqual(1000);
    expect(entryOf('group', name)?.slice(2)).toEqual([gid, '']);
    expect(entryOf('shadow', name)?.[1]).toMatch(/^\$/);
    const { mode, uid: owner, gid: ownerGroup } = statSync(homeOf(name));
    expect((mode & 0o7777).toString(8)).toBe(homeMode().toString(8));
    expect([owner, ownerGroup]).toEqual([Number(uid), Number(gid)]);
    expect(readdirSync(homeOf(name)).sort()).toEqual(readdirSync('/etc/skel').sort());
    expect(await pam.authenticate({ username: name, password: PASSWORD })).toEqual({ kind: 'accepted' });
    expect(await pam.authenticate({ username: name, password: 'correct' })).toMatchObject({
      kind: 'refused',
    });
    for (const password of ['é'.repeat(63), "'; $(id) `id` \\", ' spaces ']) {
      const other = accounts.name();
      expect(await hostAccounts().create({ name: other, password })).toEqual({ kind: 'created' });
      expect(await pam.authenticate({ username: other, password })).toEqual({ kind: 'accepted' });
    }
    const shell = spawnSync('su', [name, '-c', 'echo in'], {
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin' },
    });
    expect({ status: shell.status, out: shell.stdout }).toEqual({
      status: 1,
      out: expect.not.stringContaining('in\n') as unknown,
    });
  });

  test('cannot have the name of a group, also when the group is created just before useradd', async () => {
    const name = accounts.createGroup();
    expect(await hostAccounts().create({ name, password: PASSWORD })).toEqual({ kind: 'taken', by: 'group' });
    const { getent, replace } = standInTools();
    replace('getent', 'exit 2');
    const blind = hostAccounts({ getent });
    expect(await blind.create({ name, password: PASSWORD })).toEqual({ kind: 'taken', by: 'useradd' });
    expect(traces(name)).toEqual({ entries: ['group', 'gshadow'], home: false });
  });

  test('cannot sign in when chpasswd and userdel fail, which is reported', async () => {
    const name = accounts.name();
    const creation = await hostAccounts({ chpasswd: '/bin/false', userdel: '/bin/false' }).create({
      name,
      password: PASSWORD,
    });
    expect(creation).toMatchObject({ kind: 'failed', rolledBack: 'left' });
    expect(entryOf('shadow', name)?.[1]).toBe('!');
    for (const password of [PASSWORD, '', '!']) {
      expect(await pam.authenticate({ username: name, password })).toMatchObject({ kind: 'refused' });
    }
  });

  test('are not created while the account files are locked: busy at the limit, and nothing is left', async () => {
    const name = accounts.name();
    const lock = await holdPasswordLock();
    const creation = await hostAccounts({}, 1000).create({ name, password: PASSWORD });
    await lock.release();
    expect(creation).toMatchObject({ kind: 'failed', fault: 'busy', rolledBack: 'nothing' });
    expect(traces(name)).toEqual(NONE);
    // What a stopped useradd leaves does not block the next one.
    expect(await hostAccounts().create({ name, password: PASSWORD })).toEqual({ kind: 'created' });
  });

  test('leave the host’s other users and the modes of its files unchanged', () => {
    expect(hostNow()).toEqual(before);
  });
});

const accepted = { kind: 'accepted' };
const refused = (reason: string) => ({ kind: 'refused', reason });
const wrong = ({ username }: Pick<Credentials, 'username'>) => ({ username, password: 'not the password' });

const STATES: readonly (readonly [TemporaryState, string])[] = [
  ['blank', 'credentials'],
  ['locked', 'credentials'],
  ['system', 'credentials'],
  ['expired', 'expired'],
  ['must-change', 'must-change'],
];

/** The host's own record of failures, which must not change. */
const HOST_TALLIES = '/run/faillock';
const hostTallies = () => (existsSync(HOST_TALLIES) ? readdirSync(HOST_TALLIES) : []);

// Only root can create accounts; `pamAuthenticator.test.ts` uses libpam-wrapper.
describe.runIf(isRoot)('real accounts through the shipped PAM file', { timeout: 60_000 }, () => {
  const accounts = withHostAccounts();
  const shipped = withPamService();
  const hostTalliesBefore = hostTallies();
  let pam: Authenticator;

  beforeAll(() => {
    pam = createPamAuthenticator({
      service: shipped.service,
      childPath: hostauthProgram('pamChild'),
      timeoutMs: 60_000,
      refusalStepMs: 1,
    });
  });
  afterAll(() => pam.close());

  const fail = async (account: Credentials, times: number) => {
    for (let i = 0; i < times; i++) {
      expect(await pam.authenticate(wrong(account))).toMatchObject(refused('credentials'));
    }
  };

  test('contract §8 PAM service: has all parts in place', () => {
    expect(checkPam(shipped.service)).toBeUndefined();
  });

  test('spec §3.4 row 1, §4.3 row 1, §5 item 2: accepts the password of a usable account, and refuses others, unknown names, root, and accounts that cannot be used', async () => {
    const account = accounts.create();
    expect(await pam.authenticate(account)).toEqual(accepted);
    for (const { username } of [account, { username: accounts.name() }, { username: 'root' }])
      expect(await pam.authenticate(wrong({ username }))).toMatchObject(refused('credentials'));
    expect(readdirSync(shipped.tallies)).not.toContain('root');
    for (const [state, reason] of STATES) {
      const unusable = accounts.create({ state });
      expect(await pam.authenticate(unusable)).toMatchObject(refused(reason));
      expect(await pam.authenticate(wrong(unusable))).toMatchObject(refused('credentials'));
    }
  });

  test('accepts a password of 126 bytes; one of 127 or 128 bytes does not reach PAM, even if it is right', async () => {
    const longest = 'é'.repeat(63);
    const account = accounts.create({ password: longest });
    expect(await pam.authenticate(account)).toEqual(accepted);
    for (const more of ['x', 'xy']) {
      expect(await pam.authenticate({ ...account, password: longest + more })).toEqual(refused('input'));
      const longer = accounts.create({ password: longest + more });
      expect(await pam.authenticate(longer)).toEqual(refused('input'));
    }
    for (const more of ['\0x', '\r\n', '\uD800'])
      expect(await pam.authenticate({ username: account.username, password: `p${more}` })).toEqual(
        refused('input'),
      );
  });

  test('locks the account after five failures, but never by rounds of four and a success, also for the right password, for this service only', async () => {
    const account = accounts.create();
    for (let round = 0; round < 2; round++) {
      await fail(account, 4);
      expect(await pam.authenticate(account)).toEqual(accepted);
    }
    await fail(account, 5);
    expect(await pam.authenticate(account)).toMatchObject(refused('credentials'));
    expect(readdirSync(shipped.tallies)).toContain(account.username);
    expect(hostTallies()).toEqual(hostTalliesBefore);
  });

  test('turns off the signal handling and the delay of pam_unix', () => {
    const text = readFileSync(new URL('../pam.d/hostauth', import.meta.url), 'utf8');
    expect(text.match(/^auth .*pam_unix.*$/gm)).toEqual([expect.stringMatching(/ nodelay noreap$/)]);
    const counting = text.match(/^auth .*pam_faillock.*$/gm);
    expect(counting).toHaveLength(3);
    expect(counting?.every((line) => line.endsWith(' silent nodelay'))).toBe(true);
  });
});
