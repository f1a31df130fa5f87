import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { POLLING } from '#tests/builders/polling.ts';
import { standInTools } from '#tests/builders/standInTools.ts';
import { systemClock } from '../base/clock.ts';
import { PASSWORD, fakeAuthenticator } from '../testing/fakeHelper.ts';
import { unchangedAccounts } from '../testing/testApp.ts';
import type { AccountEntry } from './accounts/localAccounts.ts';
import { createCreationQueue } from './accounts/createUser.ts';
import { LookUpError } from './accounts/lookUp.ts';
import type { Creation } from './accounts/createAccount.ts';
import { type HelperOptions, createHelper } from './helper.ts';

const helperWith = (options: Partial<HelperOptions>) =>
  createHelper({
    authenticator: fakeAuthenticator(),
    accountCheck: unchangedAccounts,
    users: 'off',
    adminGroup: 'sudo',
    creations: {
      create: async () => ({ kind: 'full' }),
      cancelWaiting: () => undefined,
      close: async () => undefined,
    },
    isAdministrator: async () => false,
    onUserCreated: () => undefined,
    ...options,
  });

test('a sign-in is unavailable, not refused, when the name service fails after PAM has accepted it', async () => {
  const helper = helperWith({
    accountCheck: {
      ...unchangedAccounts,
      prove: () => Promise.reject(new LookUpError('getent passwd failed')),
    },
  });
  expect(await helper.authenticate({ username: 'ada', password: PASSWORD })).toEqual({
    kind: 'unavailable',
    reason: 'lookup',
    detail: 'getent passwd failed',
  });
});

const entryWith = (password: string): AccountEntry => ({
  username: 'ada',
  uid: 1000,
  identity: '',
  password,
  aging: '',
});

test('proves the entry as it was before PAM was asked', async () => {
  let entry = entryWith('before');
  const prove = vi.fn<(username: string, entry: AccountEntry | undefined) => Promise<string>>(async () => '');
  const helper = helperWith({
    accountCheck: { ...unchangedAccounts, localEntry: () => entry, prove },
    authenticator: {
      async authenticate() {
        entry = entryWith('after');
        return { kind: 'accepted' };
      },
      close: async () => undefined,
    },
  });
  await helper.authenticate({ username: 'ada', password: PASSWORD });
  expect(prove.mock.calls).toEqual([['ada', entryWith('before')]]);
});

test('refuses a sign-in that PAM accepts for a name that the name service does not know', async () => {
  const helper = helperWith({ accountCheck: { ...unchangedAccounts, prove: async () => undefined } });
  expect(await helper.authenticate({ username: 'ada', password: PASSWORD })).toMatchObject({
    kind: 'refused',
    reason: 'account',
  });
});

test('does not use a cached answer of the name service for the check of an administrator', async () => {
  const check = vi.fn<typeof unchangedAccounts.check>(async () => ({ state: 'ended', reason: 'deleted' }));
  const helper = helperWith({ accountCheck: { ...unchangedAccounts, check } });
  expect(await helper.isAdministrator('ada')).toEqual({ state: 'ended', reason: 'deleted' });
  expect(check.mock.calls).toEqual([['ada', { isFresh: true }]]);
});

test('creates no user where users are off, nor while the name service does not answer', async () => {
  const user = { account: 'chief', username: 'ada', password: PASSWORD };
  expect(await helperWith({ isAdministrator: async () => true }).createUser(user)).toEqual({
    kind: 'refused',
    reason: 'off',
  });
  const helper = helperWith({
    users: 'admin',
    isAdministrator: () => Promise.reject(new LookUpError('getent group failed')),
  });
  expect(await helper.createUser(user)).toEqual({ kind: 'unavailable', detail: 'getent group failed' });
});

/** Two creations by one administrator; the second waits until `open`. */
async function twoCreations() {
  const tools = standInTools();
  tools.replace('useradd', 'touch "$D/$N-begins"; while [ ! -e "$D/open" ]; do sleep 0.02; done');
  let isAdministrator = true;
  let isSame = true;
  const asked = vi.fn<() => void>();
  const helper = helperWith({
    users: 'admin',
    accountCheck: {
      ...unchangedAccounts,
      check: async (username) =>
        isSame ? { state: 'same', username } : { state: 'ended', reason: 'locked' },
    },
    creations: createCreationQueue({ tools, clock: systemClock, limitMs: 60_000, rollBackMs: 60_000 }),
    isAdministrator: async () => {
      asked();
      return isAdministrator;
    },
  });
  const create = (username: string) => helper.createUser({ account: 'chief', username, password: PASSWORD });
  const first = create('ada');
  await vi.waitFor(() => tools.read('ada-begins'), POLLING);
  const second = create('bob');
  await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(3), POLLING);
  return {
    first,
    second,
    open: () => writeFileSync(join(tools.folder, 'open'), ''),
    leaveGroup: () => (isAdministrator = false),
    lock: () => (isSame = false),
    created: () =>
      tools
        .calls()
        .flatMap(({ tool, commandLine }) => (tool === 'useradd' ? commandLine.split(' ').at(-1) : [])),
  };
}

test('creates no user when its administrator has left the group while the creation waited', async () => {
  const { first, second, open, leaveGroup, created } = await twoCreations();
  leaveGroup();
  open();
  expect(await first).toEqual({ kind: 'created' });
  expect(await second).toEqual({ kind: 'refused', reason: 'not-administrator' });
  expect(created()).toEqual(['ada']);
});

test('creates no user when the account of its administrator was locked while the creation waited', async () => {
  const { first, second, open, lock, created } = await twoCreations();
  lock();
  open();
  expect(await first).toEqual({ kind: 'created' });
  expect(await second).toEqual({ kind: 'ended', reason: 'locked' });
  expect(created()).toEqual(['ada']);
});

const FAILED = { kind: 'failed', fault: 'failed', detail: '' } as const;

test.each<[Creation, readonly string[]]>([
  [{ kind: 'created' }, ['ada']],
  [{ ...FAILED, rolledBack: 'left' }, ['ada']],
  [{ ...FAILED, rolledBack: 'removed' }, []],
  [{ kind: 'taken', by: 'user' }, []],
])('after %j the helper reports that the users %j were created', async (creation, wanted) => {
  const created: string[] = [];
  const helper = helperWith({
    users: 'open',
    creations: {
      create: async () => creation,
      cancelWaiting: () => undefined,
      close: async () => undefined,
    },
    onUserCreated: (username) => created.push(username),
  });
  await helper.createUser({ account: null, username: 'ada', password: PASSWORD });
  expect(created).toEqual(wanted);
});
