import { expect, test, vi } from 'vitest';
import { SIGN_IN_TIMEOUT_MS, FORM_DEBOUNCE_MS } from '#shared/limits.ts';
import { virtualClock } from '#shared/clock.ts';
import { mainLog } from '#tests/builders/mainLog.ts';
import type { AuthAnswer } from '#tests/builders/startPlatform.ts';
import { accountUrl, requestAccount, findPlatform } from './signIns.ts';
import { platformForTest, ADA, messengerAt } from '#tests/builders/messengerAt.ts';
import { readSettings } from '#shared/settings.ts';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { signInRefused, signedIn } from '#shared/actions/mainActions.ts';

const NO_CONNECTION = { error: "Can't connect to the server.", code: 'unreachable' };
const UNKNOWN = { error: 'Unknown error occured.', code: 'failed' };

async function signInAt(answer: AuthAnswer, name = '', ownerSecret?: string) {
  const platform = await platformForTest();
  platform.auth.answer(answer);
  const clock = virtualClock();
  const kept = mainLog();
  const options = { apiUrl: platform.apiUrl, clock, log: kept.log, signal: new AbortController().signal };
  const result = requestAccount({ ...ADA, name }, { ...options, ...(ownerSecret && { ownerSecret }) });
  return { platform, clock, kept, result };
}

const resultOf = async (answer: AuthAnswer) => (await signInAt(answer)).result;

test('spec §4.1, contract §3 empty name: sends one POST with exactly email, password and name as JSON, and the owner’s secret, if there is one, in a header', async () => {
  const { platform, clock, result } = await signInAt({ body: 'account-1' }, 'Ada Lovelace');
  expect([await result, platform.auth.requests.all.length]).toEqual([{ account: 'account-1' }, 1]);
  const { method, path, headers, body } = await platform.auth.requests.next();
  expect({ method, path }).toEqual({ method: 'POST', path: '/auth' });
  expect(headers['content-type']).toMatch(/^application\/json/);
  expect(headers).not.toHaveProperty('authorization');
  expect([JSON.parse(body), clock.nextDue()]).toEqual([{ ...ADA, name: 'Ada Lovelace' }, undefined]);
  const owner = await signInAt({ status: 401, body: 'No.' }, '', 'of-the-owner');
  await owner.result;
  const request = await owner.platform.auth.requests.next();
  expect([request.headers.authorization, JSON.parse(request.body)]).toEqual(['Bearer of-the-owner', ADA]);
  const refused = { level: 'warn', code: 'ERR_BAD_REQUEST', status: 401, msg: 'sign-in failed' };
  expect(owner.kept.lines()).toEqual([refused]);
});

test('spec §2.2: returns the account of a response body, which is a JSON string or any other text', async () => {
  const headers = { 'content-type': 'application/json' };
  for (const body of ['12345', '"account', '{"a":1}'])
    expect(await resultOf({ body, headers })).toEqual({ account: body });
  expect(await resultOf({ body: '"account-1"', headers })).toEqual({ account: 'account-1' });
});

test('spec §7 row 5, §7 row 7: returns the body text of an error response, and an unknown error for an empty body, and for one over 1 MB', async () => {
  const wrong = { error: 'Wrong password.', code: 'refusedByPlatform' };
  expect(await resultOf({ status: 503, body: '"Wrong password."' })).toEqual(wrong);
  for (const answer of [{ body: '""' }, { status: 401, body: '' }, { body: 'a'.repeat(1024 * 1024 + 1) }])
    expect(await resultOf(answer)).toEqual(UNKNOWN);
});

test('spec §7 row 6: reports no connection after 15 s without a complete response, and when it breaks before one, and logs its code only', async () => {
  const { platform, clock, kept, result } = await signInAt('stalled');
  await platform.auth.requests.next();
  await platform.roundTrip();
  clock.advance(SIGN_IN_TIMEOUT_MS - 1);
  await platform.roundTrip();
  expect(kept.lines()).toEqual([]);
  clock.advance(1);
  expect(await result).toEqual(NO_CONNECTION);
  const broken = await signInAt('destroyed');
  expect([await broken.result, broken.clock.nextDue()]).toEqual([NO_CONNECTION, undefined]);
  expect(broken.kept.lines()).toEqual([{ level: 'warn', code: 'ECONNRESET', msg: 'sign-in failed' }]);
});

test('does not send the credentials to a redirect’s target, or to a proxy of the environment', async ({
  onTestFinished,
}) => {
  const elsewhere = await platformForTest();
  const headers = { location: `${elsewhere.apiUrl}/auth` };
  for (const status of [302, 307]) expect(await resultOf({ status, headers })).toEqual(UNKNOWN);
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const name of ['HTTP_PROXY', 'http_proxy']) vi.stubEnv(name, elsewhere.apiUrl);
  for (const name of ['NO_PROXY', 'no_proxy']) vi.stubEnv(name, '');
  expect(await resultOf({ body: 'account-1' })).toEqual({ account: 'account-1' });
  expect(elsewhere.auth.requests.all).toEqual([]);
});

test('contract §2 path segment: gives the owner’s secret to the platform that this data folder started, and to none that the settings name; an account is one segment of the address, or has none', () => {
  const [API, PLATFORM] = ['http://127.0.0.1:4311', 'ws://127.0.0.1:4311'];
  const urls = { PARLEY_BUILT_IN_API_URL: API, PARLEY_BUILT_IN_PLATFORM_URL: PLATFORM };
  const builtIn = { ...urls, PARLEY_BUILT_IN_SECRET: 'of-the-owner' };
  const here = { name: 'built-in', apiUrl: API, platformUrl: PLATFORM, ownerSecret: 'of-the-owner' };
  const named = { ...builtIn, PARLEY_API_URL: API, PARLEY_PLATFORM_URL: PLATFORM };
  const there = { ...here, name: PLATFORM, ownerSecret: undefined };
  expect([builtIn, named].map((all) => findPlatform(readSettings(all), all))).toEqual([here, there]);
  const segments = ['a/b?', '.', '..', '...', 'a\ud800'].map((id) => accountUrl('ws://host', id));
  expect(segments).toEqual(['ws://host/a%2Fb%3F', undefined, undefined, 'ws://host/...', undefined]);
});

test('spec §4.1: makes no call within 2000 ms of one that failed, in whatever windows, and one at once after one that succeeded and a sign-out', async () => {
  const platform = await platformForTest();
  platform.auth.answer({ status: 401, body: 'Wrong password.' });
  const { messenger, clock } = await messengerAt(platform);
  await messenger.signIn(ADA);
  const second = messenger.signIn({ ...ADA, email: 'grace@example.org' });
  clock.advance(FORM_DEBOUNCE_MS - 1);
  await platform.roundTrip();
  expect(platform.auth.requests.all).toHaveLength(1);
  clock.advance(1);
  expect([await second, platform.auth.requests.all.length]).toEqual(['Wrong password.', 2]);
  platform.auth.answer({ body: 'account-1' });
  clock.advance(FORM_DEBOUNCE_MS);
  await messenger.signIn(ADA);
  await messenger.signOut();
  void messenger.signIn(ADA);
  await platform.roundTrip();
  expect(platform.auth.requests.all).toHaveLength(4);
});

async function startSignIn() {
  const platform = await platformForTest();
  const arrival = new EventEmitter();
  platform.auth.answer(once(arrival, 'answer').then(() => ({ body: 'account-1' })));
  const main = await messengerAt(platform);
  const codes: unknown[] = [];
  const effect = ({ payload }: ReturnType<typeof signInRefused>) => void codes.push(payload.code);
  main.listeners.startListening({ actionCreator: signInRefused, effect });
  const signIn = main.messenger.signIn(ADA);
  await platform.auth.requests.next();
  const answer = async () => {
    arrival.emit('answer');
    await platform.roundTrip();
  };
  return { ...main, platform, codes, signIn, answer };
}

test('a sign-in in progress stores no account when the data is deleted meanwhile, when no other one can begin', async () => {
  const { messenger, path, notified, platform, clock, codes, signIn, answer } = await startSignIn();
  await messenger.refuseSignInsDuring(answer);
  expect(await signIn).toBe('Unknown error occured.');
  expect([messenger.account(), existsSync(path), codes]).toEqual([false, false, ['cancelled']]);
  expect([notified, platform.upgrades.all]).toEqual([[], []]);
  expect(await messenger.refuseSignInsDuring(() => messenger.signIn(ADA))).toBe('Unknown error occured.');
  expect(platform.auth.requests.all).toHaveLength(1);
  clock.advance(FORM_DEBOUNCE_MS);
  platform.auth.answer({ body: 'account-2' });
  expect(await messenger.signIn(ADA)).toBeUndefined();
});

test('a sign-in in progress is cancelled by a sign-out in another window, and one other can follow', async () => {
  const { messenger, platform, clock, codes, signIn, answer } = await startSignIn();
  await messenger.signOut();
  const next = messenger.signIn(ADA);
  expect(await signIn).toBe('Unknown error occured.');
  await answer();
  await messenger.signIn(ADA);
  expect([messenger.account(), codes]).toEqual([false, ['cancelled', 'busy']]);
  platform.auth.answer({ body: 'account-2' });
  clock.advance(FORM_DEBOUNCE_MS);
  expect([await next, messenger.account()]).toEqual([undefined, 'account-2']);
});

test('a sign-in in progress launches no session when the person signs out while the account is stored', async () => {
  const { messenger, listeners, notified, platform, codes, signIn, answer } = await startSignIn();
  const signedOut = new Promise<void>((resolve) =>
    listeners.startListening({ actionCreator: signedIn, effect: () => resolve(messenger.signOut()) }),
  );
  await answer();
  await signedOut;
  expect(await signIn).toBe('Unknown error occured.');
  expect([messenger.account(), notified, codes]).toEqual([false, [{ account: false }], ['cancelled']]);
  expect(platform.upgrades.all).toEqual([]);
});
