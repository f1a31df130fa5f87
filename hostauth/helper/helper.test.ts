import { expect, test } from 'vitest';
import { PASSWORD, fakeAuthenticator } from '../testing/fakeAuthenticator.ts';
import { unchangedAccounts } from '../testing/unchangedAccounts.ts';
import { LookUpError } from './accounts/lookUp.ts';
import type { Creation } from './accounts/createAccount.ts';
import { type HelperOptions, createHelper } from './helper.ts';

const helperWith = (options: Partial<HelperOptions>) =>
  createHelper({
    authenticator: fakeAuthenticator(),
    accountCheck: unchangedAccounts,
    users: 'off',
    adminGroup: 'sudo',
    accounts: {
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
    accounts: {
      create: async () => creation,
      cancelWaiting: () => undefined,
      close: async () => undefined,
    },
    onUserCreated: (username) => created.push(username),
  });
  await helper.createUser({ account: null, username: 'ada', password: PASSWORD });
  expect(created).toEqual(wanted);
});
