import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import rateLimit from '@fastify/rate-limit';
import Fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { describe, expect, it, vi } from 'vitest';
import { type StandInTools, type ToolName, standInTools } from '#tests/builders/standInTools.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { createCreationQueue } from '../../helper/accounts/createUser.ts';
import { isAdministrator } from '../../helper/accounts/lookUp.ts';
import { createHelper } from '../../helper/helper.ts';
import type { UsersMode } from '../../base/config.ts';
import { systemClock } from '../../base/clock.ts';
import { answerWithProblems } from '../fastifyOptions.ts';
import { Sessions } from '../guards/sessions.ts';
import { type UsersOptions, users } from './users.ts';
import { problemSchema } from '../../api/schemas.ts';
import { PASSWORD } from '../../testing/fakeHelper.ts';
import { post, testApp, unchangedAccounts } from '../../testing/testApp.ts';
import { fakeHelper } from '../../testing/fakeHelper.ts';

/** Options that create every user, but not on this host. */
const CREATES_ANY = {
  users: 'open',
  helper: { createUser: async () => ({ kind: 'created' }), cancelWaiting: async () => undefined },
  guard: {
    recentAccount: (_request, _reply, done) => done(),
    isAdministrator: async () => false,
    start: () => () => undefined,
  },
} satisfies Partial<UsersOptions>;
const LIMITS = { slots: 1, perUser: 1, idleMs: 1, maxMs: 1 };

const ADA = { username: 'ada', password: PASSWORD };

interface HostOptions {
  readonly users?: UsersMode;
  readonly usersAMinute?: number;
  readonly limitMs?: number;
  readonly scripts?: Partial<Record<ToolName, string>>;
}

/** A service on a host with replaced tools, where `chief` is an administrator and `clerk` is not. */
async function host({ users: mode = 'admin', limitMs = 60_000, scripts = {}, ...more }: HostOptions = {}) {
  const tools = standInTools();
  tools.add('group', 'sudo:x:27:chief');
  tools.replace('id', '[ "$N" = chief ] && echo 1000 27');
  for (const tool of ['useradd', 'chpasswd', 'userdel', 'groupdel', 'getent', 'id'] as const) {
    const script = scripts[tool];
    if (script !== undefined) tools.replace(tool, script);
  }
  const creations = createCreationQueue({ tools, clock: systemClock, limitMs, rollBackMs: limitMs });
  const create = vi.spyOn(creations, 'create');
  const app = await testApp({
    users: mode,
    ...more,
    makeHelper: (authenticator) =>
      createHelper({
        authenticator,
        accountCheck: unchangedAccounts,
        users: mode,
        adminGroup: 'sudo',
        creations,
        isAdministrator: (username) => isAdministrator(username, { tools, group: 'sudo' }),
        onUserCreated: () => undefined,
      }),
  });
  const tokenOf = async (username: string) =>
    (await app.client.signIn({ username, password: PASSWORD })).token;
  const ask = (body: unknown, token?: string) =>
    post(`${app.url}/users`, body, token === undefined ? {} : { authorization: `Bearer ${token}` });
  const refusals = () =>
    app.audited().flatMap(({ audit, reason, by }) => (audit === 'user not created' ? [{ reason, by }] : []));
  return { app, tools, ask, create, refusals, chief: await tokenOf('chief'), clerk: await tokenOf('clerk') };
}

const problemOf = async (response: Response) => {
  const body = problemSchema.parse(await response.json());
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(body.status).toBe(response.status);
  return `${response.status} ${body.type.replace('urn:problem-type:hostauth:', '')}`;
};

const changed = (tools: StandInTools) => tools.calls().map(({ tool }) => tool);

describe('POST /users', () => {
  it('spec §4.3 row 4, contract §8 POST /users: creates a user by useradd and chpasswd for an administrator, and answers 201 with the name', async () => {
    const { app, tools, ask, chief } = await host();
    const response = await ask(ADA, chief);
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ username: 'ada' });
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(changed(tools)).toEqual(['useradd', 'chpasswd']);
    expect(app.audited().at(-1)).toMatchObject({ audit: 'user created', username: 'ada', by: 'chief' });
  });

  it('returns the name through the client', async () => {
    const { app, chief } = await host();
    expect(await app.client.createUser(ADA, chief)).toEqual({ username: 'ada' });
  });

  it('answers 201 to one of five requests for one name at once, and 409 to the others', async () => {
    const { ask, chief } = await host();
    const responses = await Promise.all(Array.from({ length: 5 }, () => ask(ADA, chief)));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 409, 409, 409, 409,
    ]);
  });
});

describe('who may create users', () => {
  it('contract §8 users: answers 401 with a challenge without a token', async () => {
    const { tools, ask } = await host();
    const response = await ask(ADA);
    expect(await problemOf(response)).toBe('401 token');
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="hostauth"');
    expect(changed(tools)).toEqual([]);
  });

  it('answers 401 after a logout', async () => {
    const { app, ask, chief } = await host();
    await app.client.logout(chief);
    expect(await problemOf(await ask(ADA, chief))).toBe('401 token');
  });

  it('contract §8 users: answers 403 to a user who is no administrator, and logs who it was', async () => {
    const { tools, ask, clerk, refusals } = await host();
    expect(await problemOf(await ask(ADA, clerk))).toBe('403 not-administrator');
    expect(changed(tools)).toEqual([]);
    expect(refusals()).toEqual([{ reason: 'not-administrator', by: 'clerk' }]);
  });

  it('contract §8 users: answers 403 to the same token after its administrator has left the group', async () => {
    const { tools, ask, chief } = await host();
    expect((await ask(ADA, chief)).status).toBe(201);
    tools.replace('id', 'echo 1000');
    expect(await problemOf(await ask({ ...ADA, username: 'bob' }, chief))).toBe('403 not-administrator');
  });

  it('answers only 401 or 403 to a bad body without rights', async () => {
    const { ask, clerk } = await host();
    expect(await problemOf(await ask('{'))).toBe('401 token');
    expect(await problemOf(await ask('{', clerk))).toBe('403 not-administrator');
  });

  it('answers 503 while the name service does not answer', async () => {
    const { ask, chief, refusals } = await host({ scripts: { getent: 'exit 3' } });
    const response = await ask(ADA, chief);
    expect(await problemOf(response)).toBe('503 busy');
    expect(response.headers.get('retry-after')).toBe('5');
    expect(refusals()).toEqual([{ reason: 'lookup', by: 'chief' }]);
  });

  it('creates users for every program on loopback in mode open', async () => {
    const { app, ask } = await host({ users: 'open' });
    expect((await ask(ADA)).status).toBe(201);
    expect(app.audited().at(-1)).toMatchObject({ audit: 'user created', address: '127.0.0.1' });
    expect(app.audited().at(-1)).not.toHaveProperty('by');
  });

  it.each([
    ['127.0.0.1', 201],
    ['::1', 201],
    ['::ffff:127.0.0.1', 201],
    ['192.0.2.7', 403],
    ['::ffff:192.0.2.7', 403],
  ])('contract §8 users: in mode open, answers a request from %s with %i', async (remoteAddress, status) => {
    const fastify = Fastify();
    fastify.setValidatorCompiler(validatorCompiler).setSerializerCompiler(serializerCompiler);
    answerWithProblems(fastify);
    await fastify.register(rateLimit, { global: false });
    fastify.decorateRequest('session', null);
    const sessions = new Sessions({ limits: LIMITS, clock: systemClock, audit: () => undefined });
    await fastify.register(users, { ...CREATES_ANY, sessions, audit: () => undefined });
    const answer = await fastify.inject({ method: 'POST', url: '/users', payload: ADA, remoteAddress });
    expect(answer.statusCode).toBe(status);
  });

  it.each(['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'])(
    'in mode open, refuses a request that a proxy on this machine passes on with %s',
    async (name) => {
      for (const trustedProxies of [[], ['127.0.0.1']]) {
        const { url } = await testApp({
          users: 'open',
          makeHelper: (authenticator) => ({ ...fakeHelper(authenticator), ...CREATES_ANY.helper }),
          trustedProxies,
        });
        expect((await post(`${url}/users`, ADA, { [name]: '127.0.0.1' })).status).toBe(403);
        expect((await post(`${url}/users`, ADA)).status).toBe(201);
      }
    },
  );

  it('contract §8 users: answers 403 to every request in mode off', async () => {
    const { tools, ask, chief } = await host({ users: 'off' });
    expect(await problemOf(await ask(ADA, chief))).toBe('403 users-off');
    expect(changed(tools)).toEqual([]);
  });

  it('contract §8 POST /users: answers 429 after too many requests in a minute, but not to others', async () => {
    const { ask, chief, clerk, refusals } = await host({ usersAMinute: 2 });
    for (const username of ['ada', 'bob']) expect((await ask({ ...ADA, username }, chief)).status).toBe(201);
    const response = await ask({ ...ADA, username: 'eve' }, chief);
    expect(await problemOf(response)).toBe('429 too-many-users');
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refusals()).toEqual([{ reason: 'throttled', by: 'chief' }]);
    expect(await problemOf(await ask(ADA, clerk))).toBe('403 not-administrator');
  });
});

describe('what may not be created', () => {
  it.each([
    ['a name of another kind', { ...ADA, username: 7 }],
    ['no name', { password: PASSWORD }],
    ['no password', { username: 'ada' }],
    ['a password that is null', { ...ADA, password: null }],
    ['a list', [ADA]],
    ['more than was asked for', { ...ADA, shell: '/bin/bash' }],
    ['a prototype', `{"username":"ada","password":"x","__proto__":{"x":1}}`],
    ['broken JSON', '{"username":"ada"'],
  ])('contract §8 JSON only, POST /users: answers 400 to %s', async (_, body) => {
    const { tools, ask, chief } = await host();
    expect(await problemOf(await ask(body, chief))).toBe('400 invalid-request');
    expect(changed(tools)).toEqual([]);
  });

  it.each(['', 'Ada', '..', 'x;y', '-a', 'a-', 'a:b', 'a\nroot', 'a'.repeat(33)])(
    'contract §8 POST /users: answers 422 to the name %j',
    async (username) => {
      const { tools, ask, chief } = await host();
      expect(await problemOf(await ask({ ...ADA, username }, chief))).toBe('422 unusable-name');
      expect(changed(tools)).toEqual([]);
    },
  );

  it.each([
    ['a second line, which to chpasswd is another user', `${PASSWORD}\nroot:owned`],
    ['a line’s end', `${PASSWORD}\n`],
    ['a carriage return', `${PASSWORD}\r`],
    ['a NUL', `${PASSWORD}\0`],
    ['half a character', `${PASSWORD}\ud800`],
    ['127 bytes', 'x'.repeat(127)],
    ['64 characters of 2 bytes', 'é'.repeat(64)],
    ['nothing', ''],
  ])(
    'contract §8 POST /users: answers 422 to a password with %s before any process starts',
    async (_, password) => {
      const { tools, ask, chief } = await host();
      expect(await problemOf(await ask({ username: 'ada', password }, chief))).toBe('422 unusable-password');
      expect(changed(tools)).toEqual([]);
    },
  );

  it.each([
    'a:b:c',
    ' leading and trailing ',
    "'; $(id) `id` \\",
    'ünïcödé',
    'x'.repeat(126),
    'é'.repeat(63),
  ])('accepts the password %j and passes it on unchanged', async (password) => {
    const { tools, ask, chief } = await host();
    expect((await ask({ username: 'ada', password }, chief)).status).toBe(201);
    expect(tools.calls().at(-1)?.input).toBe(`ada:${password}\n`);
  });

  it.each([
    ['reserved', 'wheel', 'reserved'],
    ['that of the administrators’ group', 'sudo', 'reserved'],
    ['that of a group', 'staffers', 'group'],
    ['that of a user', 'ann', 'user'],
  ])('contract §8 POST /users: answers 409 to a name that is %s', async (_, username, reason) => {
    const { tools, ask, chief, refusals } = await host();
    tools.add('group', 'staffers:x:50:');
    tools.add('passwd', 'ann:x:1001:1001::/home/ann:/bin/bash');
    expect(await problemOf(await ask({ ...ADA, username }, chief))).toBe('409 name-taken');
    expect(changed(tools)).toEqual([]);
    expect(refusals()).toEqual([{ reason, by: 'chief' }]);
  });
});

const eventsOf = (lines: readonly { readonly audit?: unknown }[]) =>
  lines.map(({ audit }) => String(audit)).filter((event) => event.startsWith('user '));

describe('a creation that fails', () => {
  it('contract §8 POST /users: answers 500 when chpasswd fails, and logs the roll-back', async () => {
    const { app, tools, ask, chief } = await host({ scripts: { chpasswd: 'exit 1' } });
    expect(await problemOf(await ask(ADA, chief))).toBe('500 user-not-created');
    expect(tools.read('passwd')).toBe('');
    expect(eventsOf(app.audited())).toEqual(['user not created', 'user rolled back']);
  });

  it('contract §8 POST /users: answers another 500 when the user cannot be rolled back, and logs an error with the name', async () => {
    const { app, ask, chief } = await host({ scripts: { chpasswd: 'exit 1', userdel: 'exit 1' } });
    expect(await problemOf(await ask(ADA, chief))).toBe('500 user-left-behind');
    expect(eventsOf(app.audited())).toEqual(['user not created', 'user not rolled back']);
    expect(app.audited().at(-1)).toMatchObject({ username: 'ada', by: 'chief', level: 50 });
  });

  it('answers 422 and rolls back when the rules of the host refuse the password', async () => {
    const { tools, ask, chief } = await host({
      scripts: { chpasswd: 'echo BAD PASSWORD: short >&2; exit 1' },
    });
    expect(await problemOf(await ask(ADA, chief))).toBe('422 unusable-password');
    expect(tools.read('passwd')).toBe('');
  });

  it('contract §8 POST /users: answers 503 with Retry-After and leaves nothing when a tool hangs', async () => {
    const { tools, ask, chief } = await host({ scripts: { useradd: 'exec sleep 60' }, limitMs: 500 });
    const response = await ask(ADA, chief);
    expect(await problemOf(response)).toBe('503 busy');
    expect(response.headers.get('retry-after')).toBe('5');
    expect(tools.read('passwd')).toBe('');
  });
});

describe('the end of the service', () => {
  const GATE = 'touch "$D/waits"; while [ ! -e "$D/gate" ]; do sleep 0.02; done';

  it('completes and answers a creation in progress', async () => {
    const { app, tools, ask, chief } = await host({ scripts: { chpasswd: GATE } });
    const response = ask(ADA, chief);
    await vi.waitFor(() => tools.read('waits'), POLLING);
    const closed = app.close();
    writeFileSync(join(tools.folder, 'gate'), '');
    await closed;
    expect((await response).status).toBe(201);
  });

  it('waits for a creation whose client has disconnected', async () => {
    const { app, tools, chief } = await host({ scripts: { chpasswd: `${GATE}; exit 1` } });
    const leaving = new AbortController();
    const response = fetch(`${app.url}/users`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${chief}` },
      body: JSON.stringify(ADA),
      signal: leaving.signal,
    });
    await vi.waitFor(() => tools.read('waits'), POLLING);
    leaving.abort();
    await expect(response).rejects.toThrow('aborted');
    const closed = app.close();
    writeFileSync(join(tools.folder, 'gate'), '');
    await closed;
    expect(tools.read('passwd')).toBe('');
    expect(app.audited().at(-1)).toMatchObject({ audit: 'user rolled back', username: 'ada' });
  });

  it('answers 503 to creations that wait', async () => {
    const { app, tools, ask, create, chief } = await host({ scripts: { chpasswd: GATE } });
    const first = ask(ADA, chief);
    await vi.waitFor(() => tools.read('waits'), POLLING);
    const second = ask({ ...ADA, username: 'bob' }, chief);
    await vi.waitFor(() => expect(create).toHaveBeenCalledTimes(2), POLLING);
    const closed = app.close();
    expect(await problemOf(await second)).toBe('503 closing');
    writeFileSync(join(tools.folder, 'gate'), '');
    await closed;
    expect((await first).status).toBe(201);
  });
});
