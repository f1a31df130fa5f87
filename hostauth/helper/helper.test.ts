import { expect, test, vi } from 'vitest';
import type { Creation } from './accounts/createAccount.ts';
import type { CreationQueue } from './accounts/createUser.ts';
import { type AccountEntry } from './accounts/localAccounts.ts';
import { LookUpError } from './accounts/lookUp.ts';
import { type HelperOptions, createHelper } from './helper.ts';
import type { UserCreation } from '../link/helperProtocol.ts';
import { PASSWORD, fakeAuthenticator } from '../testing/fakeHelper.ts';
import { unchangedAccounts } from '../testing/testApp.ts';

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

test('logs a refused account that is locked in shadow as locked', async () => {
  const locked = { ...unchangedAccounts, localEntry: () => entryWith('!$y$x') };
  const helper = helperWith({ accountCheck: locked });
  const outcome = await helper.authenticate({ username: 'ada', password: 'wrong' });
  expect(outcome).toMatchObject({ kind: 'refused', reason: 'locked' });
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
    creations: queueOf(async () => creation),
    onUserCreated: (username) => created.push(username),
  });
  await helper.createUser({ account: null, username: 'ada', password: PASSWORD });
  expect(created).toEqual(wanted);
});

/** A queue of creations that records them, each after its check. */
function recordingQueue() {
  const begun: unknown[] = [];
  const waiting: (() => void)[] = [];
  const creations = queueOf(async (user, check) => {
    await new Promise<void>((resolve) => void waiting.push(resolve));
    const refusal = await check?.();
    if (refusal !== undefined) return refusal;
    begun.push(user);
    return { kind: 'created' };
  });
  return { creations, begun, begin: () => waiting.shift()?.() };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test.each<[string, Partial<HelperOptions>, UserCreation]>([
  [
    'has left the group',
    { isAdministrator: async () => false },
    { kind: 'refused', reason: 'not-administrator' },
  ],
  [
    'was locked',
    { accountCheck: { ...unchangedAccounts, check: async () => ({ state: 'ended', reason: 'locked' }) } },
    { kind: 'ended', reason: 'locked' },
  ],
])('creates no user when its administrator %s while the creation waited', async (_, later, refusal) => {
  const { creations, begun, begin } = recordingQueue();
  const options: Partial<HelperOptions> = { users: 'admin', creations, isAdministrator: async () => true };
  const now = { ...options };
  const helper = helperWith({
    ...options,
    isAdministrator: async (username) => (now.isAdministrator ?? (async () => false))(username),
    accountCheck: {
      ...unchangedAccounts,
      check: async (proof) => (now.accountCheck ?? unchangedAccounts).check(proof),
    },
  });
  const [first, second] = ['ada', 'bob'].map((username) =>
    helper.createUser({ account: 'chief', username, password: PASSWORD }),
  );
  await settled();
  begin();
  expect(await first).toEqual({ kind: 'created' });
  Object.assign(now, later);
  begin();
  expect(await second).toEqual(refusal);
  expect(begun).toEqual([{ name: 'ada', password: PASSWORD }]);
});

/** Creates a user where every program may; returns the result and the creations. */
async function createAnywhere(fields: { username?: string; password?: string }) {
  const begun: unknown[] = [];
  const helper = helperWith({
    users: 'open',
    creations: queueOf(async (user) => (begun.push(user), { kind: 'created' })),
  });
  return {
    creation: await helper.createUser({ account: null, username: 'ada', password: PASSWORD, ...fields }),
    begun,
  };
}

test.each([
  ['a second line, which to chpasswd is another user', `${PASSWORD}\nroot:owned`],

  ['a NUL', `${PASSWORD}\0`],

  ['512 bytes', 'x'.repeat(512)],

  ['nothing', ''],
])('contract §8 POST /users: refuses a password with %s before anything is created', async (_, password) => {
  expect(await createAnywhere({ password })).toEqual({
    creation: { kind: 'refused', reason: 'password' },
    begun: [],
  });
});

test.each(['a:b:c', ' leading and trailing ', 'é'.repeat(63)])(
  'accepts the password %j and passes it on unchanged',
  async (password) => {
    expect(await createAnywhere({ password })).toEqual({
      creation: { kind: 'created' },
      begun: [{ name: 'ada', password }],
    });
  },
);

test.each([
  ['x;y', 'unusable'],
  ['wheel', 'reserved'],
  ['sudo', 'reserved'],
])(
  'contract §8 POST /users: refuses the name %s as %s before anything is created',
  async (username, reason) => {
    expect(await createAnywhere({ username })).toEqual({ creation: { kind: 'refused', reason }, begun: [] });
  },
);
