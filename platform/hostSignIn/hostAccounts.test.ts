import { userInfo } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { credentialsError } from '#shared/protocol/credentials.ts';
import { virtualClock } from '#shared/clock.ts';
import { createDemonstrations } from '../assistant/demonstration.ts';
import { PlatformStore } from '../storage/platformStore.ts';
import { temporaryFolder } from '../testing/testPlatform.ts';
import { type HostAccount, createOpenHostAccount, lookUpHostUser, personName } from './hostAccounts.ts';

const ADA: HostAccount = { username: 'ada', uid: 1000, email: 'ada@box', person: 'Ada Lovelace' };

async function scene() {
  const clock = virtualClock();
  const path = join(await temporaryFolder(), 'platform.sqlite');
  const logger = pino({ level: 'silent' });
  const store = new PlatformStore({ path, clock, logger });
  onTestFinished(() => store.close());
  const assistants = createDemonstrations({ clock, newId: () => 'm1' });
  const openAccount = createOpenHostAccount({ store, assistants, logger });
  /** Returns the key of the account of Ada, or of the user with these fields. */
  const open = async (fields: Partial<HostAccount> = {}) => {
    const opened = await openAccount({ ...ADA, ...fields });
    if ('refused' in opened) throw new Error(opened.refused.error);
    return opened.id;
  };
  return { store, open };
}

test('opens one account for a user, also for two first sign-ins at once', async () => {
  const { store, open } = await scene();
  const [first, second] = await Promise.all([open(), open()]);
  expect(second).toBe(first);
  expect(await open()).toBe(first);
  expect(store.account('id', first)).toMatchObject({
    email: 'ada@box',
    hostUser: 'ada:1000',
    password: null,
  });
});

test('opens another account for a user with the same name and another uid, and keeps the earlier one as revoked', async () => {
  const { store, open } = await scene();
  const first = await open();
  const second = await open({ uid: 1001 });
  expect(second).not.toBe(first);
  expect(await open({ uid: 1001 })).toBe(second);
  expect(store.account('id', first)).toMatchObject({ email: 'ada@box #1', revokedAt: expect.any(Number) });
  expect(store.conversation(store.account('id', first) ?? raise()).messages).toHaveLength(1);
});

test('does not compare a uid that is not known', async () => {
  const { open } = await scene();
  const first = await open({ uid: null });
  expect(await open({ uid: 1000 })).toBe(first);
  const [other] = [await open({ username: 'bob', email: 'bob@box' })];
  expect(await open({ username: 'bob', email: 'bob@box', uid: null })).toBe(other);
});

test('tells two users apart whose names differ in case', async () => {
  const { open } = await scene();
  expect(await open({ username: 'Ada', email: 'Ada@box', uid: null })).not.toBe(await open({ uid: null }));
});

test('refuses a revoked account in words', async () => {
  const { store, open } = await scene();
  await open();
  await store.setRevoked('ada@box', true);
  await expect(open()).rejects.toThrow('This account was revoked.');
});

function raise(): never {
  throw new Error('there is no such account');
}

/** The user of this process. */
const me = userInfo();

test('finds a user of this machine', async () => {
  expect(await lookUpHostUser(me.username)).toEqual({ uid: me.uid, gecos: expect.any(String) });
});

test.each(['no-such-user', String(me.uid), '--help', '', 'a:b', 'a\nb'])(
  'finds no user named %j',
  async (name) => {
    expect(await lookUpHostUser(name)).toBeUndefined();
  },
);

test('finds no user when getent cannot run', async () => {
  const { PATH } = process.env;
  process.env.PATH = '/nonexistent';
  try {
    expect(await lookUpHostUser(me.username)).toBeUndefined();
  } finally {
    process.env.PATH = PATH;
  }
});

test.each([
  ['ada', 'Ada Lovelace,Room 1,555,', 'Ada Lovelace'],
  ['ada', '  Ada   King-Lovelace ', 'Ada King-Lovelace'],
  ['ada', '& Lovelace', 'Ada Lovelace'],
  ['ada', 'Ada\u0007\u202ELovelace', 'Ada Lovelace'],
  ['bob', 'Bob', 'Bob'],
  ['ada', `A${'𝒜'.repeat(70)}`, `A${'𝒜'.repeat(31)}`],
])('takes the full name of %s from %j', (username, gecos, person) => {
  expect(personName(username, gecos)).toBe(person);
});

test.each([
  ['ada', ',,,', 'User Ada'],
  ['ada.lovelace', '', 'Ada Lovelace'],
  ['ada_king-2', '', 'Ada King'],
  ['x', '', 'User X'],
  ['www-data', '', 'Www Data'],
  ['a'.repeat(32), '', `A${'a'.repeat(29)}`],
])('makes a name that the form accepts of the user name %s', (username, gecos, person) => {
  expect(personName(username, gecos)).toBe(person);
  expect(credentialsError({ email: 'a@b', password: 'engine1!', name: person })).toBeNull();
});

test('names a user whose name has no letters', () => {
  expect(personName('_1', '')).toBe('User');
});
