import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import type { Helper, UserCreation } from '../../link/helperProtocol.ts';
import { PASSWORD, bearer, post, problemOf, testApp } from '../../testing/testApp.ts';

// Which users are created, and how, is tested with the helper (`helper/`).

const ADA = { username: 'ada', password: PASSWORD };
const CREATED: UserCreation = { kind: 'created' };

interface HostOptions extends NonNullable<Parameters<typeof testApp>[0]> {
  readonly create?: () => Promise<UserCreation>;
}

/** A service whose helper gives these answers, where `chief` is an administrator and `clerk` is not. */
async function host({ create = async () => CREATED, ...options }: HostOptions = {}) {
  const createUser = vi.fn<Helper['createUser']>(create);
  const app = await testApp({ users: 'admin', ...options, calls: { createUser, ...options.calls } });
  app.helper.administrators.add('chief');
  const ask = (body: unknown, token?: string) => post(`${app.url}/users`, body, bearer(token));
  const statusFor = async (remoteAddress: string) =>
    (await app.inject({ method: 'POST', url: '/users', payload: ADA, remoteAddress })).statusCode;
  const refusals = () =>
    app.audited().flatMap(({ audit, reason, by }) => (audit === 'user not created' ? [{ reason, by }] : []));
  const [chief, clerk] = [await app.tokenOf('chief'), await app.tokenOf('clerk')];
  return { app, helper: app.helper, createUser, ask, statusFor, refusals, chief, clerk };
}

test('spec §4.3 row 4, contract §8 POST /users: lets the helper create a user for an administrator, and answers 201 with the name', async () => {
  const { app, ask, chief, createUser } = await host();
  const response = await ask(ADA, chief);
  expect([response.status, await response.json()]).toEqual([201, { username: 'ada' }]);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(createUser.mock.calls).toEqual([[{ account: 'proof of chief', ...ADA }]]);
  expect(app.audited().at(-1)).toMatchObject({ audit: 'user created', username: 'ada', by: 'chief' });
  expect(await app.client.createUser({ ...ADA, username: 'bob' }, chief)).toEqual({ username: 'bob' });
});

test('contract §8 users, JSON only: before it reads the body, answers 401 without a token and after a logout, and 403 to a user who is no administrator, which it logs; 400 to another body; 403 to an administrator who has left the group, and 503 while the name service does not answer', async () => {
  const { app, helper, ask, chief, clerk, refusals, createUser } = await host();
  for (const fields of [{ username: 7 }, { shell: '/bin/bash' }])
    expect(await problemOf(await ask({ ...ADA, ...fields }, chief))).toBe('400 invalid-request');
  expect(await problemOf(await ask('{', clerk))).toBe('403 not-administrator');
  expect(refusals()).toEqual([{ reason: 'not-administrator', by: 'clerk' }]);
  helper.administrators.delete('chief');
  expect(await problemOf(await ask(ADA, chief))).toBe('403 not-administrator');
  helper.lose();
  expect(await problemOf(await ask(ADA, chief))).toBe('503 busy for 5 s');
  expect(refusals().at(-1)).toEqual({ reason: 'lookup', by: 'chief' });
  expect(await problemOf(await ask('{'))).toBe('401 token');
  helper.restore();
  await app.client.logout(chief);
  expect(await problemOf(await ask(ADA, chief))).toBe('401 token');
  expect(createUser).not.toHaveBeenCalled();
});

test('contract §8 users: in mode open, answers 201 to this machine, and 403 to others and to requests that a proxy on this machine passes on; in mode off 403 to every request', async () => {
  for (const trustedProxies of [[], ['127.0.0.1']]) {
    const { app, ask, statusFor } = await host({ users: 'open', trustedProxies, mayEnter: () => true });
    const from = ['127.0.0.1', '::ffff:127.0.0.1', '::ffff:192.0.2.7'];
    expect(await Promise.all(from.map(statusFor))).toEqual([201, 201, 403]);
    const names = 'x-forwarded-for x-forwarded-host x-forwarded-proto x-real-ip forwarded via';
    for (const name of names.split(' '))
      expect((await post(`${app.url}/users`, ADA, { [name]: '127.0.0.1' })).status).toBe(403);
    expect((await ask(ADA)).status).toBe(201);
  }
  const { ask, chief, createUser } = await host({ users: 'off' });
  expect(await problemOf(await ask(ADA, chief))).toBe('403 users-off');
  expect(createUser).not.toHaveBeenCalled();
});

test('contract §8 POST /users: answers 429 after too many requests in a minute, which count for the user or the address alone', async () => {
  const { ask, chief, clerk, refusals } = await host({ usersAMinute: 2 });
  for (const username of ['ada', 'bob']) expect((await ask({ ...ADA, username }, chief)).status).toBe(201);
  const problem = await problemOf(await ask({ ...ADA, username: 'eve' }, chief));
  expect(problem).toMatch(/^429 too-many-users for [1-6]?\d s$/);
  expect(refusals()).toEqual([{ reason: 'throttled', by: 'chief' }]);
  expect(await problemOf(await ask(ADA, clerk))).toBe('403 not-administrator');
  const open = await host({ users: 'open', usersAMinute: 1, mayEnter: () => true });
  for (const address of ['127.0.0.1', '::1']) expect(await open.statusFor(address)).toBe(201);
  expect(await open.statusFor('::ffff:127.0.0.1')).toBe(429);
});

const FAILED = { kind: 'failed', fault: 'failed', detail: 'exit 1', rolledBack: 'removed' } as const;

const ANSWERS: readonly (readonly [UserCreation, string, string])[] = [
  [{ kind: 'refused', reason: 'not-administrator' }, '403 not-administrator', 'not-administrator'],
  [{ kind: 'refused', reason: 'off' }, '403 users-off', 'off'],
  [{ kind: 'refused', reason: 'unusable' }, '422 unusable-name', 'unusable'],
  [{ kind: 'refused', reason: 'password' }, '422 unusable-password', 'password'],
  [{ kind: 'refused', reason: 'reserved' }, '409 name-taken', 'reserved'],
  [{ kind: 'taken', by: 'group' }, '409 name-taken', 'group'],
  [{ kind: 'ended', reason: 'locked' }, '401 token', 'locked'],
  [{ kind: 'full' }, '429 too-many-users for 5 s', 'full'],
  [{ kind: 'closing' }, '503 closing for 5 s', 'closing'],
  [{ kind: 'unavailable', detail: 'lost' }, '503 busy for 5 s', 'unavailable'],
  [FAILED, '500 user-not-created', 'failed, user rolled back'],
  [{ ...FAILED, fault: 'password' }, '422 unusable-password', 'password, user rolled back'],
  [{ ...FAILED, fault: 'busy', rolledBack: 'nothing' }, '503 busy for 5 s', 'busy'],
  [{ ...FAILED, rolledBack: 'left' }, '500 user-left-behind', 'failed, user not rolled back'],
];

test('contract §8 POST /users: answers each outcome of the helper with its problem, and logs it with who asked', async () => {
  let creation: UserCreation = CREATED;
  const { app, ask, chief } = await host({ create: async () => creation });
  for (const [outcome, problem, logged] of ANSWERS) {
    creation = outcome;
    const before = app.audited().length;
    expect(await problemOf(await ask(ADA, chief))).toBe(problem);
    const lines = app.audited().slice(before);
    expect(lines.map(({ audit, reason }) => reason ?? audit).join(', ')).toBe(logged);
    const fields = { username: 'ada', by: 'chief', address: '127.0.0.1' };
    for (const line of lines) expect(line).toMatchObject(fields);
    expect(lines[0]?.['detail']).toBe(Object(outcome).detail);
    expect(lines.at(-1)?.['level'] === 50).toBe(logged.endsWith('not rolled back'));
  }
});

test('the end of the service waits for a creation whose client has disconnected, and logs its end', async () => {
  const creations: ((creation: UserCreation) => void)[] = [];
  const events = new EventEmitter();
  const create = () =>
    new Promise<UserCreation>((resolve) => void events.emit('began', creations.push(resolve)));
  const cancelWaiting = async () => void events.emit('cancelled');
  const { app, ask, chief } = await host({ create, calls: { cancelWaiting } });
  const leaving = new AbortController();
  const began = once(events, 'began');
  const headers = { 'content-type': 'application/json', ...bearer(chief) };
  const request = { method: 'POST', headers, body: JSON.stringify(ADA), signal: leaving.signal };
  const response = fetch(`${app.url}/users`, request);
  await began;
  leaving.abort();
  await expect(response).rejects.toThrow('aborted');
  // A request that has lost its client no longer counts as one in progress: the end waits for no idle connection.
  const beganToo = once(events, 'began');
  const other = ask({ ...ADA, username: 'bob' }, chief);
  await beganToo;
  const cancelled = once(events, 'cancelled');
  const socket = connect(app.port, '127.0.0.1');
  await once(socket, 'connect');
  let hasEnded = false;
  const closed = app.close().then(() => (hasEnded = true));
  await cancelled;
  socket.write(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${app.port}\r\n\r\n`);
  expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 5\r\n/);
  await expect(once(connect(app.port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED');
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(hasEnded).toBe(false);
  creations[1]?.({ kind: 'closing' });
  expect(await problemOf(await other)).toBe('503 closing for 5 s');
  expect(hasEnded).toBe(false);
  creations[0]?.(FAILED);
  await closed;
  expect(app.audited().at(-1)).toMatchObject({ audit: 'user rolled back', username: 'ada' });
});
