import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { eveningPicture } from '#platform/assistant/pictures.ts';
import { startServer } from '#replay/recorder/testing/recorded.ts';
import { HOSTILE_MARKUP } from '#tests/builders/hostileMarkup.ts';
import { article, button } from './harness/elements.ts';
import { callPage, listenToChannels, recordViolations } from './harness/pageAccess.ts';
import { downloaded } from './harness/transfers.ts';
import { CREDENTIALS, login, sendMessage } from './harness/signUp.ts';
import { message, messages, snapshot, text } from './harness/message.ts';
import { POLICY } from './harness/serveRenderer.ts';
import { connect, nextSocket, setUpScripted } from './harness/setUpScripted.ts';

/** Checks that a hostile platform, page, program or person cannot do harm, with the complete product. */
const scripted = setUpScripted();

const RUN = 'window.wasRun = true';
const OUTGOING = { category: 'text', text: 'still here', blob: null };

const ran = (page: Page) => page.evaluate(() => Reflect.has(window, 'wasRun'));
const item = (category: string, name: string, blob: string) => ({ category, text: name, html: null, blob });

it('spec §4.1, §2.3 text, §6.2, §8 queue tick, §6.3 account, §6.3 auth, §6.3 logout, §6.3 ws, §6.3 nav, §6.3 message from the window, §6.3 message to the window, §6.3 messenger, §7 row 11, contract §3 sending, contract §3 web host, contract §4 message, contract §4 ws, contract §4 validators: sends one request to sign in and what the person writes, which is shown when it is returned, sends a page that listens each update unchanged, one at each tick, also while the window is closed, and drops and logs what is not valid', async () => {
  const { platform, parley, openSignedOut } = scripted();
  const page = await openSignedOut();
  const messagesOn = await listenToChannels(page);
  const before = platform.auth.requests.all.length;
  platform.auth.answer({ body: 'a/b ?é#%2F' });
  const next = nextSocket(platform);
  await login(page);
  const socket = await next();
  await connect(page, socket);
  for (let pongs = 0; pongs < 5; pongs++) socket.pong();
  const body = JSON.stringify({ ...CREDENTIALS, name: '' });
  const requests = platform.auth.requests.all.slice(before);
  expect(requests).toMatchObject([{ method: 'POST', path: '/auth', body }]);
  expect(socket.path).toBe('/a%2Fb%20%3F%C3%A9%23%252F');
  await callPage(page, 'parley.send', 'messenger');
  for (const outgoing of [
    { ...OUTGOING, category: 'html' },
    { ...OUTGOING, text: 'x'.repeat(250) },
  ])
    await callPage(page, 'parley.send', 'message', outgoing);
  for (const [channel, argument] of Object.entries({ encode: 'text', auth: { email: 1 } }))
    expect(await callPage(page, 'parley.invoke', channel, argument)).toHaveProperty('error');
  await sendMessage(page, 'hello "there"');
  expect(await socket.frames.next()).toBe('{"category":"text","text":"hello \\"there\\"","blob":null}');
  for (const line of ['a message was dropped', 'a request was refused'])
    expect(parley.printed.stderr).toContain(`${line}: it is not valid, or not from a window of Parley`);

  await button(page, 'Close').click();
  const overlay = page.getByRole('dialog', { name: 'This window is closed.' });
  await overlay.waitFor();
  const first = { ...snapshot(...messages(2)).frame, theme: { hue: 4 }, name: 'not the person' };
  const renamed = { name: 'Ada King', extra: { deep: true } };
  const frames = [first, renamed, { ring: true }, { category: 'text', text: null }, { text: 'last' }];
  for (const frame of frames) socket.send(frame);
  await page.keyboard.press('Enter');
  await overlay.waitFor({ state: 'hidden' });
  await page.getByRole('article').getByText('last', { exact: true }).waitFor();
  expect(await page.getByRole('article').count()).toBe(2);
  await callPage(page, 'parley.send', 'messenger');
  await page.waitForFunction(
    () => Reflect.get(window, 'testMessages').filter(([name]: unknown[]) => name === 'message').length === 5,
  );
  const sent = (await messagesOn('message')).map(([frame]) => frame);
  // A notification goes to no window.
  expect(sent.slice(0, 4)).toEqual(frames.filter((frame) => !('ring' in frame)));
  expect(sent[4]).toMatchObject({
    theme: { hue: 4 },
    person: 'Ada King',
    messages: [{ id: 'm1' }, { content: [{ text: 'message 2' }, { text: 'last' }] }],
  });
  expect(socket.frames.all).toHaveLength(1);
  socket.close(4000, 'unauthorized');
  await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click();
  // A busy page may hear that a connection is silent before its first pong.
  expect(await messagesOn('account')).toEqual([['a/b ?é#%2F'], [false, 'unauthorized']]);
  expect((await messagesOn('ws')).slice(-2)).toEqual([[0], [1]]);
});

it('contract §2: has a policy that allows only shipped resources and no string as markup or code, and never violates it', async () => {
  const { page, signedIn } = scripted();
  const { socket } = await signedIn();
  const headers = (await page.reload())?.headers() ?? {};
  expect(headers['content-security-policy']).toBe(POLICY);
  expect(headers['x-frame-options']).toBe('DENY');
  await recordViolations(page);
  const broken = () => page.evaluate((): unknown => Reflect.get(window, 'broken'));
  const bold = { category: 'html', html: '<b>bold</b>' };
  socket.send(message('a', [bold, item('file', 'a.txt', 'YQ=='), item('image', '', 'iVBORw0KGgo=')]));
  socket.send({ ring: true });
  await page.locator('.markup b').waitFor();
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button').first().waitFor();
  expect(await broken()).toEqual([]);
  await page.evaluate(() => void fetch('https://evil.example/').catch(() => undefined));
  await page.waitForFunction(() => Reflect.get(window, 'broken').length === 1);
  expect(await broken()).toEqual(['connect-src']);
});

it('contract §2 foreign requests: gives a page’s secret to no other port, which gets the cookie, and says what to do to a page without the secret', async () => {
  const { parley, browser, page, signedIn } = scripted();
  await signedIn();
  const { origin } = new URL(parley.url);
  let cookie = '';
  const address = await startServer(({ headers }, response) => {
    cookie = headers.cookie ?? cookie;
    response.setHeader('content-type', 'text/html').end('<title>other</title>');
  });
  const other = await page.context().newPage();
  await other.goto(address);
  const secrets = [page, other].map((one) => one.evaluate(() => localStorage.getItem('parley-page-secret')));
  expect(await Promise.all(secrets)).toEqual([expect.stringMatching(/^[\w-]{43}$/u), null]);
  expect(cookie).toMatch(/parley-\d+=[\w-]{43}/u);
  await other.close();
  const context = await browser.newContext();
  await context.addCookies(await page.context().cookies());
  const forgetful = await context.newPage();
  await forgetful.goto(origin);
  await forgetful.getByRole('dialog', { name: 'Parley does not know this browser.' }).waitFor();
  await context.close();
});

it('serves a long blob only to a window that shows it; a picture runs no script, also when it is opened as a document', async () => {
  const { signedIn, parley } = scripted();
  const { page, socket } = await signedIn();
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  // A picture that is longer than it has to be.
  const picture = Buffer.concat([Buffer.from(eveningPicture(), 'base64'), Buffer.alloc(20_000)]).toString(
    'base64',
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="70" height="50" onload="top.wasRun = 1"><script>
    top.wasRun = document.documentElement.setAttribute('width', '99')</script>${' '.repeat(20_000)}</svg>`;
  const file = Buffer.alloc(100_000, 5);
  const filler = Array.from({ length: 250 }, (_, row) => message(`f${row}`, [text('filler')]));
  const images = [item('image', 'last.png', picture), item('image', 'drawing.svg', btoa(svg))];
  const items = [...images, item('file', 'a.bin', file.toString('base64'))];
  const above = message('above', [item('image', 'above.png', picture)]);
  socket.send(snapshot(above, ...filler, message('last', items, { avatar: picture })).frame);
  await page.waitForFunction(() => {
    const widths = ['img.avatar', 'img[alt="last.png"]', 'img[alt="drawing.svg"]'].map(
      (one) => document.querySelector<HTMLImageElement>(`[data-message-id="last"] ${one}`)?.naturalWidth,
    );
    return widths.join() === '320,320,70';
  });
  const last = article(page, 'last');
  const addressOf = async (name: string) =>
    new URL((await last.getByRole('img', { name }).getAttribute('src')) ?? '', parley.url);
  expect((await addressOf('last.png')).pathname).toMatch(/^\/blob\/251\/0\/[0-9a-f]{64}$/u);
  expect(requested.filter((path) => path.startsWith('/blob/0/'))).toEqual([]);
  // By the keyboard: the list may still move under the pointer, for the pictures have just received their sizes.
  const [, saved] = await downloaded(page, () => last.locator('a.file').press('Enter'));
  expect(saved).toBe(file.toString());
  const own = await page.context().newPage();
  await own.goto((await addressOf('drawing.svg')).href);
  expect(await own.locator('svg').getAttribute('width')).toBe('70');
  expect([await ran(own), await ran(page)]).toEqual([false, false]);
  await own.close();
});

it('runs, loads and opens nothing of hostile markup that is clicked, of markup in any other field, or of a file that the system drops anywhere', async () => {
  const { parley, openSignedIn, openSignedOut } = scripted();
  const file = join(parley.dataDir, 'dropped.html');
  writeFileSync(file, '<title>dropped</title>', { mode: 0o600 });
  const page = await openSignedOut();
  // The page’s requests to other hosts and its navigations.
  const seen = { requests: [] as string[], navigations: [] as string[] };
  const ours = new URL(page.url()).origin;
  page.on('request', (request) => {
    if (!request.url().startsWith(`${ours}/`) && !/^(?:data|blob):/u.test(request.url()))
      seen.requests.push(request.url());
  });
  page.on('framenavigated', (frame) => seen.navigations.push(frame.url()));
  /** Drops the file as the system does: a drop that the page does not handle opens it. */
  const dropAt = async (selector: string) => {
    const box = await page.locator(selector).first().boundingBox();
    const { x, y, width, height } = box ?? { x: 0, y: 0, width: 0, height: 0 };
    const session = await page.context().newCDPSession(page);
    const data = { items: [], files: [file], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await session.send('Input.dispatchDragEvent', { type, x: x + width / 2, y: y + height / 2, data });
    await session.detach();
  };
  for (const place of ['header', 'form', 'input']) await dropAt(place);
  const { socket } = await openSignedIn();
  seen.navigations.length = 0;
  await page.keyboard.type('text');
  for (const place of ['header', 'textarea', '[role="log"]']) await dropAt(place);
  expect(await socket.frames.next()).toContain('"text":"dropped.html"');
  await page.keyboard.press('Escape');
  const links = [
    `<a href="javascript:${RUN}">script link</a><a href=" java\nscript:${RUN}">broken link</a>`,
    `<a href="data:text/html,<script>${RUN}</script>">data link</a><a href="ms-msdt:/id">custom link</a>`,
  ];
  const evil = `<img src=x onerror="${RUN}">`;
  const hostile = [...HOSTILE_MARKUP, ...links].map((html) => ({ category: 'html', html }));
  const other = ['text', 'audio', 'image', 'file', evil].map((category) =>
    item(category, evil, Buffer.from(`<svg onload="${RUN}"/>`).toString('base64')),
  );
  const fields = { modifier: evil, context: evil, avatar: `x" onerror="${RUN}` };
  const list = [message('markup', hostile), message(evil, other, fields)];
  socket.send({ person: `${evil} ${evil}`, messages: list });
  for (const link of ['script link', 'broken link', 'data link', 'custom link'])
    await page.getByText(link).click();
  socket.send({ ring: true });
  await page.getByRole('region', { name: 'Notifications' }).getByText(evil).first().waitFor();
  socket.close(4000, evil);
  await page.getByText(`Disconnected: ${evil}`, { exact: true }).waitFor();
  expect(await page.locator('img[src="x"], svg[onload]').count()).toBe(0);
  expect(seen).toEqual({ requests: [], navigations: [] });
  expect([await ran(page), page.context().pages().length]).toEqual([false, 1]);
});
