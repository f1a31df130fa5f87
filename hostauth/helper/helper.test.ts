import { randomBytes } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { standInTools } from '#tests/builders/standInTools.ts';
import { readConfig } from '../base/config.ts';
import type { HelperLog } from '../base/stderrWriter.ts';
import type { AccountCheck } from './accounts/accountCheck.ts';
import type { CreationQueue } from './accounts/createUser.ts';
import {
  type AccountEntry,
  createAccountProofs,
  createLocalAccounts,
  parseEntry,
} from './accounts/localAccounts.ts';
import { LookUpError } from './accounts/lookUp.ts';
import { type HelperOptions, createHelper, createHostHelper } from './helper.ts';
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

const USER = { account: 'chief', username: 'ada', password: PASSWORD };

const ENTRY = { username: 'ada', uid: 1000, identity: '', aging: '' };
const entryWith = (password: string): AccountEntry => ({ ...ENTRY, password });
const noName = () => Promise.reject(new LookUpError('getent passwd failed'));

const signInWith = (check: Partial<AccountCheck>, password = PASSWORD, username = 'ada') =>
  helperWith({ accountCheck: { ...unchangedAccounts, ...check } }).authenticate({ username, password });

test('a sign-in that PAM accepts is unavailable while the name service fails, and refused when that does not know the name; one that PAM refuses is `locked` when shadow says so', async () => {
  const detail = 'getent passwd failed';
  expect(await signInWith({ prove: noName })).toEqual({ kind: 'unavailable', reason: 'lookup', detail });
  const unknown = await signInWith({ prove: async () => undefined });
  expect(unknown).toMatchObject({ kind: 'refused', reason: 'account' });
  const [locked, open] = [{ localEntry: () => entryWith('!$y$x') }, { localEntry: () => entryWith('$y$x') }];
  for (const [check, username, reason] of [
    [locked, 'credentials', 'locked'],
    [open, 'credentials', 'credentials'],
    // PAM gives this reason itself.
    [locked, 'prompt', 'prompt'],
  ] as const) {
    const refused = { kind: 'refused', reason, detail: `detail of ${username}` };
    expect(await signInWith(check, 'wrong', username)).toEqual(refused);
  }
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

test('asks for the groups of an account by its name, and does not know them while the name service does not answer', async () => {
  const known = helperWith({
    groupsOf: async (username) => [`groups of ${username}`],
    isAdministrator: async (username) => username === 'ada',
  });
  expect(await known.checkAccount('ada')).toEqual({ state: 'same' });
  expect(await known.isAdministrator('ada')).toEqual({ state: 'administrator' });
  expect(await known.isAdministrator('bob')).toEqual({ state: 'other' });
  const groups = { state: 'same', username: 'ada', groups: ['groups of ada'] };
  expect(await known.accountGroups('ada')).toEqual(groups);
  const silent = helperWith({ groupsOf: noName });
  expect(await silent.accountGroups('ada')).toEqual({ state: 'unknown', detail: 'getent passwd failed' });
});

test('creates no user where users are off, while the name service does not answer, nor when its administrator has left the group while the creation waited', async () => {
  const off = helperWith({ isAdministrator: async () => true });
  expect(await off.createUser(USER)).toEqual({ kind: 'refused', reason: 'off' });
  const helper = helperWith({ users: 'admin', isAdministrator: noName });
  expect(await helper.createUser(USER)).toEqual({ kind: 'unavailable', detail: 'getent passwd failed' });
  let [isAdministrator, leaves] = [true, false];
  const creations = queueOf(async (_, check) => {
    if (leaves) isAdministrator = false;
    return (await check?.()) ?? { kind: 'created' };
  });
  const asking = helperWith({ users: 'admin', creations, isAdministrator: async () => isAdministrator });
  expect(await asking.createUser(USER)).toEqual({ kind: 'created' });
  leaves = true;
  const refused = { kind: 'refused', reason: 'not-administrator' };
  expect(await asking.createUser(USER)).toEqual(refused);
  expect(await asking.createUser({ ...USER, account: null })).toEqual(refused);
  const check = vi.fn<AccountCheck['check']>(async () => ({ state: 'ended', reason: 'expired' }));
  const ending = helperWith({ users: 'admin', creations, accountCheck: { ...unchangedAccounts, check } });
  expect(await ending.createUser(USER)).toEqual({ kind: 'ended', reason: 'expired' });
  expect(await ending.isAdministrator('ada')).toEqual({ state: 'ended', reason: 'expired' });
  // Without a cached answer of the name service.
  expect(check.mock.calls).toEqual(['chief', 'ada'].map((account) => [account, { isFresh: true }]));
});

test('reports each user that exists after its creation, also when the creation failed', async () => {
  const failed = { kind: 'failed', fault: 'failed', detail: '' } as const;
  for (const [creation, reports] of [
    [{ kind: 'created' }, [['ada']]],
    [{ ...failed, rolledBack: 'left' }, [['ada']]],
    [{ ...failed, rolledBack: 'removed' }, []],
    [{ kind: 'taken', by: 'user' }, []],
  ] as const) {
    const onUserCreated = vi.fn<HelperOptions['onUserCreated']>();
    const helper = helperWith({ users: 'open', creations: queueOf(async () => creation), onUserCreated });
    await helper.createUser({ ...USER, account: null });
    expect(onUserCreated.mock.calls).toEqual(reports);
  }
});

test.each([
  // To chpasswd, a second line is another user.
  [{ password: `${PASSWORD}\nroot:owned` }, 'password'],
  [{ password: '' }, 'password'],
  [{ username: 'x;y' }, 'unusable'],
  [{ username: 'sudo' }, 'reserved'],
  [{ password: 'a:b:c' }, undefined],
])('contract §8 POST /users: checks %j before anything is created: %s', async (fields, reason) => {
  const begun: unknown[] = [];
  const creations = queueOf(async (account) => (begun.push(account), { kind: 'created' }));
  const user = { ...USER, account: null, ...fields };
  const creation = await helperWith({ users: 'open', creations }).createUser(user);
  expect(creation).toEqual(reason === undefined ? { kind: 'created' } : { kind: 'refused', reason });
  expect(begun).toEqual(reason === undefined ? [{ name: 'ada', password: user.password }] : []);
});

test('cancels the creations that wait, and its end is that of PAM and of the creations', async () => {
  const [authenticator, creations] = [fakeAuthenticator(), queueOf(async () => ({ kind: 'full' }))];
  const ends = [vi.spyOn(authenticator, 'close'), vi.spyOn(creations, 'close')];
  const cancel = vi.spyOn(creations, 'cancelWaiting');
  const helper = helperWith({ authenticator, creations });
  await helper.cancelWaiting();
  await helper.close();
  for (const call of [cancel, ...ends]) expect(call).toHaveBeenCalledOnce();
  for (const end of ends) {
    end.mockRejectedValueOnce(new Error('its end'));
    await expect(helper.close()).rejects.toThrow('its end');
  }
});

test('runs 16 lookups at once; a session whose lookup has to wait for 5 s is not checked; a failure frees its slot', async () => {
  const pass = stopLimits();
  const tools = standInTools();
  tools.replace('getent', 'exec sleep 60');
  const clock = fakeClock();
  const key = randomBytes(32);
  const log = vi.fn<HelperLog>();
  const config = readConfig({ HOSTAUTH_USERS: 'open', HOSTAUTH_ADMIN_GROUP: 'chiefs', HOSTAUTH_MAX_S: '9' });
  const helper = createHostHelper({ config, key, log, tools, clock });
  onTestFinished(() => helper.close());
  const checkOf = (i: number, ageS = 0) => {
    const entry = parseEntry(`bea${i}:*:${5000 + i}:5000::/home/bea:/bin/sh`.split(':'));
    if (entry === undefined) throw new Error('not an entry');
    return helper.checkAccount(createAccountProofs(key).issue(entry, Math.floor(clock.wall() / 1000) - ageS));
  };
  const checks = Array.from({ length: 273 }, (_, i) => checkOf(i));
  const late = { state: 'unknown', detail: 'too many lookups wait' };
  expect(await checks[272]).toEqual(late);
  expect(clock.waits).toHaveLength(256);
  const root = createLocalAccounts().find('root')!;
  const ofRoot = createAccountProofs(key).issue(root, Math.floor(clock.wall() / 1000));
  expect([await helper.isAdministrator(ofRoot), await helper.accountGroups(ofRoot)]).toEqual([late, late]);
  clock.advance(5000);
  expect(await checks[16]).toEqual(late);
  pass(5000);
  const failed = { state: 'unknown', detail: 'getent passwd failed (no exit code)' };
  expect(await Promise.all(checks.slice(0, 16))).toEqual(checks.slice(0, 16).map(() => failed));
  tools.replace('getent', 'exit 2');
  clock.advance(3000);
  expect(await checkOf(0)).toEqual({ state: 'ended', reason: 'deleted' });
  expect(await checkOf(0, 70)).toEqual({ state: 'ended', reason: 'proof' });
  const user = { account: null, username: 'chiefs', password: PASSWORD };
  expect(await helper.createUser(user)).toEqual({ kind: 'refused', reason: 'reserved' });
  expect(await helper.createUser({ ...user, username: 'bea' })).toEqual({ kind: 'created' });
  expect(log.mock.calls).toEqual([['info', 'the helper created a user', { username: 'bea' }]]);
});
