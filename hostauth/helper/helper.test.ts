import { expect, test } from 'vitest';
import { PASSWORD, fakeAuthenticator } from '../testing/fakeAuthenticator.ts';
import { unchangedAccounts } from '../testing/unchangedAccounts.ts';
import { LookUpError } from './accounts/lookUp.ts';
import { createHelper } from './helper.ts';

test('a sign-in is unavailable, not refused, when the name service fails after PAM has accepted it', async () => {
  const helper = createHelper({
    authenticator: fakeAuthenticator(),
    accountCheck: {
      ...unchangedAccounts,
      prove: () => Promise.reject(new LookUpError('getent passwd failed')),
    },
    users: 'off',
    adminGroup: 'sudo',
    accounts: {
      create: async () => ({ kind: 'full' }),
      cancelWaiting: () => undefined,
      close: async () => undefined,
    },
    isAdministrator: async () => false,
  });
  expect(await helper.authenticate({ username: 'ada', password: PASSWORD })).toEqual({
    kind: 'unavailable',
    reason: 'lookup',
    detail: 'getent passwd failed',
  });
});
