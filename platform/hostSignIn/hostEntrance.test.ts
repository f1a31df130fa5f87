import { expect, test, vi } from 'vitest';
import type { Credentials } from '#shared/protocol/credentials.ts';
import type { LookUpHostUser, OpenHostAccount } from './hostAccounts.ts';
import { createHostEntry } from './hostEntrance.ts';
import type { HostSessions } from './hostSessions.ts';
import type { HostRefusal, HostToken, HostauthClient } from './hostauthClient.ts';

const TOKEN: HostToken = { token: 'token', username: 'ada', lifeMs: 900_000 };
const ADA = { email: 'ada@box', password: 'engine1843!', name: '' };

/** An entry on the machine `box`, whose service gives this answer. */
function scene(answer: HostToken | HostRefusal = TOKEN, { isLocal = true } = {}) {
  const signIn = vi.fn<HostauthClient['signIn']>(async () => answer);
  const logOut = vi.fn<HostauthClient['logOut']>(async () => undefined);
  const add = vi.fn<HostSessions['add']>(() => 'identifier');
  const openAccount = vi.fn<OpenHostAccount>(async () => ({ id: 'account' }));
  const lookUp = vi.fn<LookUpHostUser>(async () => ({ uid: 1000, gecos: 'Ada Lovelace,,,' }));
  const enter = createHostEntry({
    settings: { url: 'http://127.0.0.1:4320', isLocal, hostName: 'box' },
    client: { signIn, logOut },
    sessions: { add },
    openAccount,
    lookUp,
  });
  return { enter, signIn, logOut, add, openAccount, lookUp };
}

test.each(['ada@box', 'ada@BOX', 'ada@localhost'])(
  'signs %s in, and issues an identifier for the session',
  async (email) => {
    const { enter, signIn, add, openAccount } = scene();
    expect(await enter({ ...ADA, email })).toEqual({ id: 'identifier' });
    expect(signIn).toHaveBeenCalledWith('ada', ADA.password);
    const account = { username: 'ada', uid: 1000, email: 'ada@box', person: 'Ada Lovelace' };
    expect(openAccount).toHaveBeenCalledWith(account);
    expect(add).toHaveBeenCalledWith('account', TOKEN);
  },
);

test('keeps the case of the user name', async () => {
  const { enter, signIn } = scene();
  await enter({ ...ADA, email: 'Ada@box' });
  expect(signIn).toHaveBeenCalledWith('Ada', ADA.password);
});

test('does not ask the user database of this machine about the users of another one', async () => {
  const { enter, openAccount, lookUp } = scene(TOKEN, { isLocal: false });
  await enter(ADA);
  expect(lookUp).not.toHaveBeenCalled();
  expect(openAccount).toHaveBeenCalledWith({
    username: 'ada',
    uid: null,
    email: 'ada@box',
    person: 'User Ada',
  });
});

test.each<[string, Partial<Credentials>, { status: number; words: string }]>([
  [
    'a registration',
    { name: 'Ada Lovelace' },
    {
      status: 403,
      words: 'Accounts of this platform are this machine’s users. Ask an administrator to create one.',
    },
  ],
  [
    'another host',
    { email: 'ada@example.org' },
    { status: 422, words: 'Sign in as <user>@box: accounts of this platform are this machine’s users.' },
  ],
  [
    'a host that contains the name',
    { email: 'ada@box.example.org' },
    { status: 422, words: 'Sign in as <user>@box' },
  ],
  ['an invalid address', { email: 'ada' }, { status: 422, words: 'Not a valid email.' }],
  [
    'a password that the form refuses',
    { password: 'correct horse' },
    { status: 422, words: 'Password must be' },
  ],
])('refuses %s in words, without asking the service', async (_, fields, { status, words }) => {
  const { enter, signIn } = scene();
  expect(await enter({ ...ADA, ...fields })).toEqual({
    refused: { status, error: expect.stringContaining(words) },
  });
  expect(signIn).not.toHaveBeenCalled();
});

test.each<[HostRefusal, number, string]>([
  [{ why: 'credentials' }, 401, 'Wrong email or password.'],
  [{ why: 'limited', retryAfterS: 42 }, 429, 'Too many wrong passwords. Try again in 42 seconds.'],
  [{ why: 'limited', retryAfterS: null }, 429, 'Too many wrong passwords. Try again later.'],
  [
    { why: 'busy', retryAfterS: 1 },
    503,
    'The sign-in service of this machine is busy. Try again in 1 second.',
  ],
  [
    { why: 'unreachable' },
    503,
    'The sign-in service of this machine does not answer. Try again, or ask an administrator to start it.',
  ],
  [{ why: 'unusable' }, 502, 'The sign-in service of this machine gave an unexpected answer.'],
])('says in words that the service answered %j', async (answer, status, words) => {
  const { enter, openAccount } = scene(answer);
  expect(await enter(ADA)).toEqual({ refused: { status, error: expect.stringContaining(words) } });
  expect(openAccount).not.toHaveBeenCalled();
});

test('ends the session in the service when the account cannot be opened', async () => {
  const { enter, openAccount, logOut, add } = scene();
  const refused = { refused: { status: 503, error: 'The disk is full.' } };
  openAccount.mockResolvedValue(refused);
  expect(await enter(ADA)).toEqual(refused);
  expect(logOut).toHaveBeenCalledWith('token');
  expect(add).not.toHaveBeenCalled();
});
