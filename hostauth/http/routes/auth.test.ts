import { EventEmitter, once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { HostauthError } from '../../api/client.ts';
import { type SignInOutcome, refusalReason } from '../../link/helperProtocol.ts';
import { createDelayFailure } from '../guards/failureLimit.ts';
import { PASSWORD, WRONG, fakeClock, post, problemOf, testApp } from '../../testing/testApp.ts';

/** The statuses of sign-ins, 200 for those that succeeded. */
const statuses = async (calls: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(calls)).map((result) => {
    if (result.status === 'fulfilled') return 200;
    if (result.reason instanceof HostauthError) return result.reason.problem.status;
    throw result.reason;
  });

const RIGHT = { username: 'ada', password: PASSWORD };

const countOf = (all: readonly number[], status: number) => all.filter((one) => one === status).length;

test('spec §2.7 username, §3.4 row 1, §4.3 row 1, contract §8 POST /auth: answers the right password with a token and its expiry', async () => {
  const { url, audited } = await testApp();
  const response = await post(`${url}/auth`, RIGHT);
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await response.json()).toEqual({
    token: expect.stringMatching(/^[\w-]{43}$/),
    token_type: 'Bearer',
    username: 'ada',
    expires_at: '2026-01-01T00:15:00.000Z',
  });
  expect(audited()).toMatchObject([
    { audit: 'sign-in succeeded', username: 'ada', address: '127.0.0.1' },
    { audit: 'session created', username: 'ada', session: 1 },
  ]);
});

test('contract §8 401: gives one answer to a wrong password and to every reason to refuse a right one; the audit log has the reason', async () => {
  const { url, audited } = await testApp();
  for (const username of ['ada', ...refusalReason.options]) {
    const response = await post(`${url}/auth`, { username, password: WRONG });
    expect([username, await problemOf(response)]).toEqual([username, '401 credentials']);
  }
  const [ofAda, ...others] = audited();
  expect(ofAda).toMatchObject({ audit: 'sign-in failed', reason: 'credentials', address: '127.0.0.1' });
  expect(others).toMatchObject(refusalReason.options.map((reason) => ({ username: reason, reason })));
  expect(others[3]).toMatchObject({ detail: 'detail of must-change' });
});

test('sends a refusal at the floor plus jitter, however soon PAM answered', async () => {
  const clock = fakeClock();
  const { client } = await testApp({ clock, delayFailure: createDelayFailure({ clock, random: () => 0.5 }) });
  let isAnswered = false;
  const signIn = client.signIn({ username: 'ada', password: WRONG });
  const answered = statuses([signIn.finally(() => (isAnswered = true))]);
  await clock.untilWait(525);
  clock.advance(524);
  await client.me('none').catch(() => undefined);
  expect(isAnswered).toBe(false);
  clock.advance(1);
  expect(await answered).toEqual([401]);
});

test('contract §8 POST /auth: answers 503 and counts no failure when PAM cannot be asked', async () => {
  const { url, client, audited, log } = await testApp({ failures: 1 });
  for (const username of ['busy', 'died']) {
    const response = await post(`${url}/auth`, { username, password: WRONG });
    expect(await problemOf(response)).toBe('503 busy for 1 s');
  }
  expect(audited()).toMatchObject([
    { audit: 'sign-in unavailable', username: 'busy', reason: 'busy', address: '127.0.0.1' },
    { audit: 'sign-in unavailable', username: 'died', reason: 'died', address: '127.0.0.1' },
  ]);
  expect(log.filter(({ level }) => level === 50)).toEqual([]);
  expect(await statuses([client.signIn({ username: 'busy', password: WRONG })])).toEqual([503]);
});

/** The failures that a minute may have, and their usernames. */
const FAILURES: readonly (readonly [string, number, (i: number) => string])[] = [
  ['10 failures of a username', 10, () => 'ada'],
  ['10 failures of names that begin as one too long', 10, (i) => `${'a'.repeat(33)}${i}`],
  ['60 failures of an address, whatever their names,', 60, (i) => `name${i}`],
];

test.each(FAILURES)(
  'contract §8 failures: answers 429 after %s in a minute, also to the right password, until the minute is over',
  async (_title, most, nameOf) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { url, client, authenticator, audited } = await testApp();
    const wrong = (i: number) => statuses([client.signIn({ username: nameOf(i), password: WRONG })]);
    for (let i = 0; i < most; i++) expect(await wrong(i)).toEqual([401]);
    vi.advanceTimersByTime(20_000);
    const right = { username: nameOf(most), password: PASSWORD };
    expect(await problemOf(await post(`${url}/auth`, right))).toBe('429 too-many-failures for 40 s');
    expect(authenticator.asked).toHaveLength(most);
    const throttled = { audit: 'sign-in throttled', address: '127.0.0.1' };
    expect(audited().at(-1)).toMatchObject({ ...throttled, username: right.username.slice(0, 32) });
    vi.advanceTimersByTime(39_999);
    expect(await wrong(most)).toEqual([429]);
    vi.advanceTimersByTime(1);
    expect(await client.signIn(right)).toMatchObject({ username: right.username });
  },
);

test.each(FAILURES)('contract §8 failures: passes at most %s at once to PAM', async (...[, most, nameOf]) => {
  const { client, authenticator, audited } = await testApp();
  authenticator.hold();
  const wrong = Array.from({ length: 2 * most }, (_, i) => ({ username: nameOf(i), password: WRONG }));
  const all = statuses(wrong.map((credentials) => client.signIn(credentials)));
  await authenticator.waitForSignIns(most);
  // All others wait now for the answers to those in progress.
  await client.me('none').catch(() => undefined);
  expect(authenticator.asked).toHaveLength(most);
  authenticator.release();
  const answered = await all;
  expect([countOf(answered, 401), countOf(answered, 429)]).toEqual([most, most]);
  expect(authenticator.asked).toHaveLength(most);
  expect(audited().at(-1)).toMatchObject({ audit: 'sign-in throttled', reason: 'too-many-failures' });
});

test('answers busy to those of 100 sign-ins of one username that exceed the queue while PAM is slow', async () => {
  const limits = { failures: 3, limits: { perUser: 100 } };
  const { client, authenticator, audited, untilAudited } = await testApp(limits);
  authenticator.hold();
  const all = statuses(Array.from({ length: 100 }, () => client.signIn(RIGHT)));
  await authenticator.waitForSignIns(3);
  // Three are in PAM, and 64 wait.
  await untilAudited('sign-in throttled', 33);
  expect(audited()).toContainEqual(expect.objectContaining({ audit: 'sign-in throttled', reason: 'busy' }));
  authenticator.release();
  const answered = await all;
  expect([countOf(answered, 200), countOf(answered, 503)]).toEqual([67, 33]);
});

test('a sign-in that waits for others of its username goes on when the first of them ends', async () => {
  const [events, ends] = [new EventEmitter(), Array<(outcome: SignInOutcome) => void>()];
  const authenticate = () =>
    new Promise<SignInOutcome>((resolve) => void events.emit('asked', ends.push(resolve)));
  const { client } = await testApp({ failures: 2, calls: { authenticate } });
  const all = statuses([1, 2, 3].map(() => client.signIn(RIGHT)));
  while (ends.length < 2) await once(events, 'asked');
  await client.me('none').catch(() => undefined);
  for (const third = once(events, 'asked'); ends.length < 3; await third)
    ends[0]?.({ kind: 'accepted', account: 'ada' });
  for (const end of ends) end({ kind: 'accepted', account: 'ada' });
  expect(await all).toEqual([200, 200, 200]);
});

test('spec §8 session slots, contract §8 slots, full: answers 503 after PAM to a user with the most sessions, and not to others; before PAM when all slots are taken, until a logout', async () => {
  const limits = { slots: 3, perUser: 2 };
  const { url, client, tokenOf, ...app } = await testApp({ limits, failures: 1 });
  const { clock, sessions, authenticator, audited } = app;
  const signIn = (username: string, password = PASSWORD) => post(`${url}/auth`, { username, password });
  for (let i = 0; i < 2; i++) await tokenOf('ada');
  expect(await problemOf(await signIn('ada'))).toBe('503 user-sessions-full for 60 s');
  expect(await problemOf(await signIn('ada', WRONG))).toBe('401 credentials');
  const token = await tokenOf('ben');
  clock.advance(855_000);
  expect(await problemOf(await signIn('late'))).toBe('503 sessions-full for 45 s');
  expect(authenticator.asked).toEqual(['ada', 'ada', 'ada', 'ada', 'ben']);
  const full = { audit: 'capacity reached', address: '127.0.0.1' };
  expect(audited().filter(({ audit }) => audit === full.audit)).toMatchObject([
    { ...full, username: 'ada', reason: 'user-full' },
    { ...full, username: 'late', reason: 'full' },
  ]);
  await client.logout(token);
  await tokenOf('late');
  expect(sessions.size).toBe(3);
});
