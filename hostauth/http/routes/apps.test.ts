import { hash } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Helper } from '../../link/helperProtocol.ts';
import { createAppBrowser, hiddenFields } from '../../testing/appBrowser.ts';
import { PASSWORD, WRONG, post, testApp } from '../../testing/testApp.ts';
import { safePath } from './appPages.ts';

const HOST = 'wiki.example.org';
const OTHER = 'git.example.org:8443';
const ADA = { username: 'ada', password: PASSWORD };
const SIGN_IN = { host: HOST, path: '/sign-in?return=%2Fpage%3Fa%3D1%26b%3D2' };
/** The longest name that still fits in 2 KiB. */
const LONG = 'x'.repeat(2020);
/** A name that is no text of HTML. */
const QUOTED = { username: '"ada"', password: PASSWORD };
const QUOTED_WRONG = { ...QUOTED, password: WRONG };
const VERIFY = { host: HOST, path: '/verify' };

/** The header fields that the drawings show. */
const SHOWN =
  /^(content-(type|security-policy)|cache-control|referrer-policy|location|retry-after|remote-user|set-cookie)$/;

type Answer = Awaited<ReturnType<ReturnType<typeof createAppBrowser>['send']>>;

/** Returns an answer as text, without its tokens, and with the hash of its style, which its policy names, too. */
function drawn(title: string, { status, headers, body }: Answer): string {
  const shown = Object.entries(headers).filter(([name]) => SHOWN.test(name));
  const fields = shown.map(([name, value]) => `${name}: ${String(value)}\n`);
  const text = `=== ${title}: ${status}\n${fields.join('')}\n${body}`;
  return text
    .replace(
      /<style>([^]*)<\/style>/,
      (_, style: string) => `<style>${hash('sha256', style, 'base64')}</style>`,
    )
    .replaceAll(/(?<==|")[\w-]{43}(?=;|")/g, 'TOKEN');
}

async function start(options: Parameters<typeof testApp>[0] = {}) {
  const app = await testApp({ appHosts: [HOST, OTHER], ...options });
  const browser = createAppBrowser(app.port, { isTls: false });
  const verified = async (query = '') => (await browser.send({ host: HOST, path: `/verify${query}` })).status;
  return { ...app, browser, verified };
}

test('contract §8 for apps, apps: the pages have no scripts, a policy and cookies of their own, and say in words why a sign-in failed, the same for each reason, with the limits of POST /auth; GET /verify answers 401 with the address of the sign-in page without a session, and a page to browsers', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { url, browser, authenticator, audited, verified } = await start({ failures: 2 });
  const headers = { 'x-forwarded-uri': '/page?a=1&b=2' };
  const json = { ...headers, accept: '*/*' };
  const hostile = { host: HOST, path: '/sign-in?return="><script>' };
  const drawings = [
    drawn('GET /verify without a session', await browser.send({ ...VERIFY, headers: json })),
    drawn('GET /verify without a session, for a browser', await browser.send({ ...VERIFY, headers })),
    drawn('the sign-in page', await browser.send(SIGN_IN)),
    drawn('the sign-in page, to return to another host', await browser.send(hostile)),
    drawn(
      'an expired form',
      await browser.send({ ...SIGN_IN, path: '/sign-in', form: { ...ADA, form: '' } }),
    ),
    drawn('a sign-in', await browser.signIn(SIGN_IN, ADA)),
    drawn('GET /verify', await browser.send(VERIFY)),
    drawn('GET /verify for a group', await browser.send({ ...VERIFY, path: '/verify?group=x' })),
    drawn('the sign-in page after a sign-in', await browser.send(SIGN_IN)),
  ];
  const cookies = new Map(browser.cookies.get(HOST));
  drawings.push(drawn('a sign-out', await browser.signOut(SIGN_IN)));
  browser.cookies.set(HOST, cookies);
  expect(await verified()).toBe(401);
  browser.cookies.clear();
  const failed = await browser.signIn(SIGN_IN, QUOTED_WRONG);
  const locked = await browser.signIn(SIGN_IN, { username: 'locked', password: PASSWORD });
  expect(locked.body.replace('value="locked"', 'value="&quot;ada&quot;"')).toBe(failed.body);
  // The failures of both calls count together.
  expect((await post(`${url}/auth`, QUOTED_WRONG)).status).toBe(401);
  drawings.push(drawn('a wrong password', failed));
  drawings.push(drawn('after too many failures', await browser.signIn(SIGN_IN, QUOTED)));
  expect((await post(`${url}/auth`, QUOTED)).status).toBe(429);
  expect(authenticator.asked).toHaveLength(4);
  const fields = ['level', 'audit', 'username', 'address', 'reason', 'detail', 'session'];
  drawings.push(...audited().map((line) => JSON.stringify(line, fields)));
  await expect(drawings.join('\n')).toMatchFileSnapshot('testing/appAnswers.txt');
});

test('contract §8 for apps: GET /verify answers 204 with the user and the groups, not for a name that is misspelled; asks for the groups once in 3 s, answers 503 while the helper does not answer, and ends the session with its account', async () => {
  const { browser, helper, verified, clock, audited } = await start();
  helper.groups.set('ada', ['staff', 'domain users', 'a,b', 'Domänen', 'y'.repeat(2021), LONG]);
  const signedIn = await browser.signIn(SIGN_IN, { ...ADA, username: 'Ada' });
  expect(signedIn).toMatchObject({ status: 303, headers: { location: '/page?a=1&b=2' } });
  const { status, headers } = await browser.send(VERIFY);
  expect([status, headers['remote-user'], headers.location]).toEqual([204, 'ada', undefined]);
  const groups = Buffer.from(String(headers['remote-groups']), 'latin1').toString();
  expect(groups).toBe(`staff,domain users,Domänen,${LONG}`);
  for (const query of ['group=staff', 'group=other&group=domain%20users'])
    expect([query, await verified(`?${query}`)]).toEqual([query, 204]);
  for (const query of ['group=other', 'group=other&group='])
    expect([query, await verified(`?${query}`)]).toEqual([query, 403]);
  expect((await browser.send({ host: HOST, path: '/verify?group=other' })).headers.location).toBeUndefined();
  expect(await verified('?groups=staff')).toBe(400);
  expect(helper.checked).toEqual(['ada']);
  helper.lose();
  clock.advance(3000);
  const busy = { 'retry-after': '5', 'content-type': 'application/problem+json' };
  expect(await browser.send(VERIFY)).toMatchObject({ status: 503, headers: busy });
  helper.restore();
  const checked = helper.checked.length;
  expect(await Promise.all([verified(), verified()])).toEqual([204, 204]);
  clock.advance(2999);
  expect(helper.checked).toHaveLength(checked + 1);
  helper.ended.set('ada', 'locked');
  clock.advance(1);
  expect(await verified()).toBe(401);
  expect(audited().at(-1)).toMatchObject({ audit: 'session ended', username: 'Ada', reason: 'locked' });
});

test('GET /verify refuses a session that ended while its groups were looked up', async () => {
  const accountGroups: Helper['accountGroups'] = async (username) => {
    for (const session of app.sessions.list()) app.sessions.endSession(session, { reason: 'administrator' });
    return { state: 'same', username, groups: [] };
  };
  const app = await start({ calls: { accountGroups } });
  await app.browser.signIn(SIGN_IN, ADA);
  expect(await app.verified()).toBe(401);
});

test('contract §8 for apps: GET /verify takes a cookie on its own host only, and never as a bearer token', async () => {
  const { browser, client, tokenOf, verified } = await start();
  await browser.signIn(SIGN_IN, ADA);
  const jar = browser.cookies.get(HOST);
  if (jar === undefined) throw new Error('no cookies');
  browser.cookies.set(OTHER, jar);
  expect((await browser.send({ ...VERIFY, host: OTHER })).status).toBe(401);
  const cookie = jar.get('__Host-hostauth') ?? '';
  await expect(client.me(cookie)).rejects.toThrow('401');
  await expect(client.logout(cookie)).rejects.toThrow('401');
  browser.cookies.set(HOST, new Map([['__Host-hostauth', await tokenOf()]]));
  expect(await verified()).toBe(401);
});

test('contract §8 for apps: GET /verify takes the app of X-Forwarded-Host from a trusted proxy that asks under the own address', async () => {
  for (const trustedProxies of [['127.0.0.1'], []]) {
    const { port, browser } = await start({ trustedProxies });
    await browser.signIn(SIGN_IN, ADA);
    const own = `127.0.0.1:${port}`;
    browser.cookies.set(own, browser.cookies.get(HOST) ?? new Map());
    const headers = { 'x-forwarded-host': 'Wiki.example.org', origin: 'https://wiki.EXAMPLE.org' };
    const { status } = await browser.send({ host: own, path: '/verify', headers });
    expect(status).toBe(trustedProxies.length > 0 ? 204 : 403);
    expect((await browser.send({ host: 'evil.example', path: '/verify', headers })).status).toBe(403);
  }
});

test('contract §8 apps: a second sign-in at the sign-in page ends the first session of the browser, but not while its password is wrong', async () => {
  const { browser, sessions } = await start();
  await browser.signIn(SIGN_IN, ADA);
  const { body } = await browser.send({ ...SIGN_IN, headers: { cookie: '' } });
  const token = browser.cookies.get(HOST)?.get('__Host-hostauth-form') ?? '';
  const signInAsBob = async (password: string) => {
    const form = { ...hiddenFields(body), form: token, username: 'bob', password };
    const { status } = await browser.send({ host: HOST, path: '/sign-in', form });
    return [status, ...Array.from(sessions.list(), ({ username }) => username)];
  };
  expect(await signInAsBob(WRONG)).toEqual([401, 'ada']);
  expect(await signInAsBob(PASSWORD)).toEqual([303, 'bob']);
});

test('contract §8 apps: the sign-in page refuses forms with a wrong token, with unknown fields, over 4 KiB, and what is no form, and asks nothing; POST /auth takes no form', async () => {
  const { url, browser, authenticator } = await start();
  await browser.send(SIGN_IN);
  const send = (form: Record<string, string>, path = '/sign-in', headers = {}) =>
    browser.send({ host: HOST, path, form, headers });
  for (const form of ['', 'x'.repeat(43), 'é']) {
    expect((await send({ ...ADA, form })).status).toBe(403);
    expect((await send({ form }, '/sign-out')).status).toBe(403);
  }
  browser.cookies.delete(HOST);
  expect((await send({ ...ADA, form: 'x'.repeat(43) })).status).toBe(403);
  const json = { 'content-type': 'application/json' };
  expect((await send({ ...ADA, form: '' }, '/sign-in', json)).status).toBe(415);
  expect((await send({ ...ADA, form: '', role: 'admin' })).status).toBe(400);
  expect((await send({ ...ADA, form: '', return: 'x'.repeat(4096) })).status).toBe(413);
  expect(authenticator.asked).toEqual([]);
  browser.cookies.set(HOST, new Map([['__Host-hostauth-form', 'x']]));
  const { body } = await browser.send(SIGN_IN);
  expect(body).toMatch(/name="form" value="[\w-]{43}"/);
  // In another tab.
  expect((await browser.send(SIGN_IN)).body).toBe(body);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await post(`${url}/auth`, 'username=ada', form)).status).toBe(415);
});

test('contract §8 app hosts: refuses a foreign Host or Origin in each call; the host of an app reaches no other call, and without apps there is none', async () => {
  const { port, browser } = await start();
  for (const [host, origin] of [
    ['evil.example', undefined],
    [`127.0.0.1:${port}`, undefined],
    [HOST, 'https://evil.example'],
    [HOST, `http://${HOST}`],
    [HOST, 'null'],
    [HOST, `https://${OTHER}`],
  ] as const)
    for (const path of ['/verify', '/sign-in', '/sign-out']) {
      const headers = origin === undefined ? {} : { origin };
      const form = path === '/sign-out' ? { form: {} } : {};
      const { status, body } = await browser.send({ host, path, headers, ...form });
      const isForeign = body.includes('hostauth:foreign-host');
      expect([host, origin, path, status, isForeign]).toEqual([host, origin, path, 403, true]);
    }
  for (const path of ['/me', '/metrics', '/openapi.json', '/sessions', '/none'])
    expect((await browser.send({ host: HOST, path })).status).toBe(403);
  const { url } = await testApp();
  for (const path of ['/verify', '/sign-in']) expect((await fetch(url + path)).status).toBe(404);
});

test('contract §8 apps: the path to return to never leaves the host', () => {
  const hosts = ['//', '/\\', '\\\\', 'https://', '/\t/'].map((begin) => `${begin}evil.example`);
  for (const path of [...hosts, '/\n/x', '/é', '/ x', 'x', '', `/${'x'.repeat(1024)}`])
    expect(safePath(path)).toBe('/');
  for (const path of ['/', '/a/b?c=d&e=%2F#f', '/.//x', '/?return=//evil.example', `/${'x'.repeat(1023)}`])
    expect(safePath(path)).toBe(path);
});
