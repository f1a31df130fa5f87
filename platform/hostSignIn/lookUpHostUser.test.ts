import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { lookUpHostUser } from './lookUpHostUser.ts';

const { username, uid } = userInfo();

test('finds a user of this machine', async () => {
  expect(await lookUpHostUser(username)).toEqual({ uid, gecos: expect.any(String) });
});

test.each(['no-such-user', String(uid), '--help', '', 'a:b', 'a\nb'])(
  'finds no user named %j',
  async (name) => {
    expect(await lookUpHostUser(name)).toBeUndefined();
  },
);

test('finds no user when getent cannot run', async () => {
  const { PATH } = process.env;
  process.env.PATH = '/nonexistent';
  try {
    expect(await lookUpHostUser(username)).toBeUndefined();
  } finally {
    process.env.PATH = PATH;
  }
});
