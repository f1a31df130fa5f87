import { userInfo } from 'node:os';
import { expect, test, vi } from 'vitest';
import { HOST_PASSWORD, hostauthForTest } from '#tests/builders/hostauthForTest.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { CONFIRM_MS } from '../hostSignIn/hostSessions.ts';
import { postAuth, request } from '../testing/testPlatform.ts';
import { ADA, testPlatform } from '../testing/testPlatform.ts';

const UNAUTHORIZED = { code: 4401, reason: 'unauthorized' };

/** A platform on the machine `box`, and the service that checks its users. */
async function scene(dataFile?: string) {
  const hostauth = await hostauthForTest();
  const host = { url: hostauth.url, isLocal: true, hostName: 'box' };
  const platform = await testPlatform(dataFile, { host });
  const signIn = (username = 'ada', fields: object = {}) =>
    postAuth(platform.apiUrl, { email: `${username}@box`, password: HOST_PASSWORD, name: '', ...fields });
  /** Lets the account of a user end, and the time pass until the platform has noticed it. */
  const lock = (username: string) => {
    hostauth.lock(username);
    hostauth.clock.advance(3000);
    platform.clock.advance(CONFIRM_MS);
  };
  return { hostauth, platform, signIn, lock };
}

test('signs a user of the machine in, creates the account at the first sign-in, and keeps its conversation', async () => {
  const { platform, signIn } = await scene();
  const first = await signIn();
  expect(first).toMatchObject({ status: 200, body: expect.stringMatching(/^[\w-]{32}$/) });
  const client = await platform.connect(first.body);
  expect(client.conversation()).toMatchObject({ person: 'User Ada', messages: [{ action: 'connect' }] });
  client.sendText('hello');
  await client.until(({ newest }) => newest()?.modifier === 'client');
  const second = await signIn();
  expect(second.body).not.toBe(first.body);
  const again = await platform.connect(second.body);
  expect(again.conversation().messages).toHaveLength(2);
});

test('names the person by the full name of the user on this machine', async () => {
  const { platform, signIn } = await scene();
  const { username } = userInfo();
  const client = await platform.connect((await signIn(username)).body);
  expect(client.conversation().person).toMatch(username === 'root' ? /^root$/ : /./);
});

test('closes the sockets of a user who was locked with `unauthorized`, and no others', async () => {
  const { platform, signIn, lock } = await scene();
  const [ada, bob] = await Promise.all([signIn('ada'), signIn('bob')]);
  const clients = await Promise.all([ada, ada, bob].map(({ body }) => platform.connect(body)));
  lock('ada');
  expect(await Promise.all(clients.slice(0, 2).map(({ closed }) => closed))).toEqual([
    UNAUTHORIZED,
    UNAUTHORIZED,
  ]);
  expect(await (await platform.connect(ada.body)).closed).toEqual(UNAUTHORIZED);
  const other = clients[2];
  other?.sendText('still here');
  await other?.until(({ newest }) => newest()?.modifier === 'client');
});

test('checks the session of an identifier that was not used for some time before it sends the conversation', async () => {
  const { platform, signIn, lock } = await scene();
  const { body } = await signIn();
  lock('ada');
  const client = await platform.connect(body);
  expect(await client.closed).toEqual(UNAUTHORIZED);
  expect(client.updates()).toEqual([]);
});

test('ends the session in the service when the client closes with the reason `logout`', async () => {
  const { hostauth, platform, signIn } = await scene();
  const { body } = await signIn();
  const client = await platform.connect(body);
  client.socket.close(1000, 'logout');
  await vi.waitFor(() => expect(hostauth.sessions.size).toBe(0), POLLING);
  expect(await (await platform.connect(body)).closed).toEqual(UNAUTHORIZED);
});

test('keeps the session when the client closes with another reason', async () => {
  const { platform, signIn } = await scene();
  const { body } = await signIn();
  const client = await platform.connect(body);
  client.socket.close(1001);
  await client.closed;
  expect((await platform.connect(body)).updates()).toHaveLength(1);
});

test('requires a new sign-in after a restart', async () => {
  const first = await scene();
  const { body } = await first.signIn();
  await first.platform.close();
  const second = await scene(first.platform.dataFile);
  expect(await (await second.platform.connect(body)).closed).toEqual(UNAUTHORIZED);
  const again = await second.platform.connect((await second.signIn()).body);
  expect(again.conversation().messages).toHaveLength(1);
});

test('refuses in words what is not a sign-in of a user, and counts it by reason', async () => {
  const { hostauth, platform, signIn } = await scene();
  const answers = [
    await signIn('ada', { name: 'Ada Lovelace' }),
    await signIn('ada', { email: 'ada@example.org' }),
    await signIn('ada', { password: 'engine1844!' }),
    await signIn('busy'),
  ];
  await hostauth.close();
  answers.push(await signIn());
  expect(answers.map(({ status }) => status)).toEqual([403, 422, 401, 503, 503]);
  for (const { body } of answers) expect(body).toMatch(/^[A-Z].*\.$/);
  const { body: metrics } = await request(`${platform.apiUrl}/metrics`);
  for (const counted of ['credentials"} 1', 'form"} 1', 'forbidden"} 1', 'unavailable"} 2'])
    expect(metrics).toContain(`sign_ins_refused_total{reason="${counted}`);
});

test('sets an account with a password aside when a user of the machine signs in with its address', async () => {
  const own = await testPlatform();
  const identifier = await own.register({ email: 'ada@box' });
  await own.close();
  const { platform, signIn } = await scene(own.dataFile);
  expect(await (await platform.connect(identifier)).closed).toEqual(UNAUTHORIZED);
  const client = await platform.connect((await signIn()).body);
  expect(client.conversation()).toMatchObject({ person: 'User Ada', messages: [{}] });
  await platform.close();
  const later = await testPlatform(own.dataFile);
  expect((await postAuth(later.apiUrl, { ...ADA, email: 'ada@box', name: '' })).status).toBe(401);
  expect(await (await later.connect(identifier)).closed).toEqual(UNAUTHORIZED);
});

test('logs no user name, password, token or identifier', async () => {
  const { hostauth, platform, signIn, lock } = await scene();
  const { body } = await signIn('adalovelace');
  const client = await platform.connect(body);
  await signIn('adalovelace', { password: 'engine1844!' });
  lock('adalovelace');
  await client.closed;
  await hostauth.close();
  await signIn('adalovelace');
  await platform.close();
  for (const secret of [body, 'adalovelace', HOST_PASSWORD, 'engine1844!'])
    expect(platform.logged()).not.toContain(secret);
  expect(platform.logged()).toContain('"why":"ended by the service"');
});
