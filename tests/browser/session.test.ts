import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { dropFile } from './harness/dropFile.ts';
import { listenToChannels } from './harness/listenToChannels.ts';
import { CREDENTIALS, login } from './harness/login.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { sendMessage } from './harness/sendMessage.ts';
import { conversationOf } from './harness/signUp.ts';
import { connect, nextSocket, setUpScripted } from './harness/setUpScripted.ts';
import { appended, message, messages, snapshot, text } from './harness/message.ts';

/** Tests a signed-in session of the complete product and its frames. */
const scripted = setUpScripted();

const articles = (page: Page) => conversationOf(page).getByRole('article');
const ids = (page: Page) =>
  articles(page).evaluateAll((all) => all.map((article) => article.dataset.messageId));
const items = (page: Page) => articles(page).last().locator('[data-category]');
const view = (page: Page, name: string) => page.locator(`main[data-view="${name}"]`).waitFor();
const connection = (page: Page, status: string) =>
  page.locator(`main[data-connection="${status}"]`).waitFor();
const initials = (page: Page) => page.getByRole('button', { name: 'Write a message' });

/** Sizes of the window, in pixels. */
const SIZES = [
  [1440, 900],
  [1024, 720],
  [420, 480],
] as const;

describe('signing in', () => {
  it('spec §4.1, §2.1 name, contract §3 empty name: sends one POST to /auth with exactly email, password and an empty name', async () => {
    const { platform, openSignedIn } = scripted();
    const before = platform.auth.requests.all.length;
    await openSignedIn();
    const requests = platform.auth.requests.all.slice(before);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: 'POST', path: '/auth', body: expect.any(String) });
    expect(requests[0]?.headers['content-type']).toMatch(/^application\/json\b/u);
    expect(requests[0]?.body).toBe(JSON.stringify({ ...CREDENTIALS, name: '' }));
  });

  it('spec §4.2, §2.2, contract §2 path segment: encodes an account of any characters as one segment of the socket’s path', async () => {
    const { socket } = await scripted().openSignedIn('a/b ?é#%2F');
    expect(socket.path).toBe('/a%2Fb%20%3F%C3%A9%23%252F');
  });

  it.each([
    ['an error with a body', { status: 401, body: 'No <b>such</b> "person".' }, 'No <b>such</b> "person".'],
    ['an error without one', { status: 500 }, 'Unknown error occured.'],
    ['no answer', 'destroyed', "Can't connect to the server."],
  ] as const)(
    'spec §7 row 5, §3.1 row 3, §7 row 6, §7 row 7: shows exactly the text for %s',
    async (_, answer, words) => {
      const { platform, openSignedOut } = scripted();
      const page = await openSignedOut();
      const before = platform.upgrades.all.length;
      platform.auth.answer(answer);
      await login(page);
      const status = page.getByRole('status');
      await expect.poll(() => status.textContent(), POLLING).toBe(words);
      await view(page, 'login');
      expect(platform.upgrades.all.length).toBe(before);
    },
  );
});

describe('what the client sends', () => {
  it('spec §6.2: sends only pings while connected', async () => {
    const { socket } = await scripted().openSignedIn();
    await socket.pings.next();
    await socket.pings.next();
    expect(socket.frames.all).toEqual([]);
  });

  it('spec §2.3 text, blob, §6.2, §6.3 message from the window, contract §3 sending: sends exactly one frame for a typed text, and shows it only when the platform returns it', async () => {
    const { platform, signedIn } = scripted();
    const { page, socket } = await signedIn();
    await sendMessage(page, 'hello "there"');
    expect(await socket.frames.next()).toBe('{"category":"text","text":"hello \\"there\\"","blob":null}');
    await platform.roundTrip();
    socket.send(message('a', [text('something else')]));
    await expect.poll(() => ids(page), POLLING).toEqual(['a']);
    socket.send(message('b', [text('hello "there"')], { modifier: 'client' }));
    await expect.poll(() => ids(page), POLLING).toEqual(['a', 'b']);
    expect(await articles(page).last().getAttribute('data-modifier')).toBe('client');
  });

  it.each([
    { name: 'cat.png', type: 'image/png', category: 'image' },
    { name: 'drawing.svg', type: 'image/svg+xml', category: 'image' },
    { name: 'page.html', type: 'text/html', category: 'file' },
    { name: 'no type', type: '', category: 'file' },
  ])(
    'spec §4.4 item 2, §2.3 category, text, blob: sends the dropped $name as base64 of the category $category',
    async ({ name, type, category }) => {
      const { page, socket } = await scripted().signedIn();
      await dropFile(page, { name, type, content: '<p>é</p>' });
      expect(await socket.frames.next()).toBe(
        JSON.stringify({ category, text: name, blob: Buffer.from('<p>é</p>').toString('base64') }),
      );
    },
  );
});

describe('the updates of spec §6.1', () => {
  it('spec §6.1 row 1, §2.6 messages: shows a snapshot and replaces it by the next one', async () => {
    const { page, socket } = await scripted().signedIn();
    socket.send(snapshot(...messages(3)).frame);
    await expect.poll(() => ids(page), POLLING).toEqual(['m1', 'm2', 'm3']);
    await expect.poll(() => initials(page).textContent(), POLLING).toBe('AL');
    socket.send({ person: 'grace murray hopper', messages: [message('x', [text('one')])] });
    await expect.poll(() => ids(page), POLLING).toEqual(['x']);
    await expect.poll(() => initials(page).textContent(), POLLING).toBe('GH');
    socket.send({ text: 'two' });
    await expect.poll(() => items(page).allTextContents(), POLLING).toEqual(['two']);
  });

  it('spec §6.1 row 2: changes the initials for a name and keeps the messages', async () => {
    const { page, socket } = await scripted().signedIn();
    socket.send(snapshot(...messages(2)).frame);
    socket.send({ name: 'Bo', modifier: 'ai', text: 'not this' });
    await expect.poll(() => initials(page).textContent(), POLLING).toBe('BB');
    expect(await ids(page)).toEqual(['m1', 'm2']);
    expect(await items(page).allTextContents()).toEqual(['message 2']);
  });

  it('spec §6.1 row 3, contract §5 duplicate ids: appends a message, also with a known id', async () => {
    const { page, socket } = await scripted().signedIn();
    socket.send(snapshot(...messages(1)).frame);
    const sentAt = Date.now();
    socket.send(appended(message('m1', [text('again')], { modifier: 'admin' })).frame);
    await expect.poll(() => ids(page), POLLING).toEqual(['m1', 'm1']);
    // Shows when this client received it: the platform sends no time.
    const [arrived = '', ...others] = await page
      .locator('article time')
      .evaluateAll((all: HTMLTimeElement[]) => all.map((one) => one.dateTime));
    expect(others).toEqual([]);
    expect(Date.parse(arrived)).toBeGreaterThan(sentAt - 1000);
    expect(Date.parse(arrived)).toBeLessThan(Date.now() + 1000);
    expect(await articles(page).last().getAttribute('data-modifier')).toBe('admin');
  });

  it('spec §6.1 row 4, contract §3 content item: appends content to the last message and updates the positions of its items', async () => {
    const { page, socket } = await scripted().signedIn();
    const positions = () =>
      items(page).evaluateAll((all) =>
        all.map(({ dataset }) => [dataset.category, dataset.position].join(' ')),
      );
    socket.send(snapshot(...messages(2)).frame);
    await expect.poll(positions, POLLING).toEqual(['text none']);
    socket.send({ category: 'html', html: '<b>bold</b>', text: 'not this' });
    await expect.poll(positions, POLLING).toEqual(['text first', 'html last']);
    socket.send({ category: 'zip', text: 'a.zip', blob: 'YQ==' });
    await expect.poll(positions, POLLING).toEqual(['text first', 'html middle', 'zip last']);
    await expect.poll(() => items(page).locator('b').allTextContents(), POLLING).toEqual(['bold']);
    expect(await page.getByRole('link', { name: 'a.zip' }).getAttribute('download')).toBe('a.zip');
  });

  it('spec §6.1 rows 5 and 6, §2.5 context: changes the label of the last message for a context, and its last item for a text', async () => {
    const { page, socket } = await scripted().signedIn();
    socket.send(snapshot(...messages(2)).frame);
    socket.send({ context: 'Typing', text: 'not this' });
    socket.send({ text: 'rewritten' });
    await expect.poll(() => items(page).allTextContents(), POLLING).toEqual(['rewritten']);
    await articles(page).last().getByText('Typing', { exact: true }).waitFor();
    expect(await articles(page).first().textContent()).toBe('message 1Parley');
    socket.send({ text: '' });
    await expect.poll(() => items(page).allTextContents(), POLLING).toEqual(['...']);
  });

  it('spec §6.1 none of these, contract §4 message: treats anything else as a notification of the current message, which no window receives', async () => {
    const { page, socket } = await scripted().signedIn();
    const messagesOn = await listenToChannels(page);
    socket.send(message('a', [text('first'), text('Come here.')], { context: 'Mr Watson' }));
    socket.send({ ring: true });
    await page.getByRole('button', { name: 'Mr Watson Come here.', exact: true }).waitFor();
    socket.send({ name: 'Alexander Bell' });
    await expect.poll(() => initials(page).textContent(), POLLING).toBe('AB');
    await expect
      .poll(() => messagesOn('message'), POLLING)
      .toEqual([[expect.objectContaining({ id: 'a' })], [{ name: 'Alexander Bell' }]]);
    expect(await items(page).allTextContents()).toEqual(['first', 'Come here.']);
  });

  it('shows notifications above the text box, at any width', async () => {
    const { page, socket } = await scripted().signedIn();
    socket.send(message('b', [text('שלום, dinner is ready.')], { context: 'Mrs Hudson' }));
    for (let count = 0; count < 6; count += 1) socket.send({ ring: true });
    const notes = page.getByRole('button', { name: 'Mrs Hudson שלום, dinner is ready.', exact: true });
    await expect.poll(() => notes.count(), POLLING).toBe(6);
    const directions = await notes
      .first()
      .evaluate((one) => Array.from(one.children, (part) => getComputedStyle(part).direction));
    expect(directions).toEqual(['ltr', 'rtl']);
    // The text box is as high as it can be.
    await page.getByRole('button', { name: 'Write a message' }).click();
    await page.getByRole('textbox', { name: 'Message' }).fill('line\n'.repeat(12));
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      const shown = await page.getByRole('region', { name: 'Notifications' }).boundingBox();
      const textBox = await page.locator('.dock').boundingBox();
      expect((shown?.y ?? 0) + (shown?.height ?? 0)).toBeLessThan(textBox?.y ?? 0);
    }
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  it('spec §4.4 item 4, §8 queue tick: applies six simultaneous updates in their order, one at each tick', async () => {
    const { page, socket } = await scripted().signedIn();
    const messagesOn = await listenToChannels(page);
    const began = performance.now();
    for (const frame of messages(6)) socket.send(frame);
    await expect.poll(() => messagesOn('message'), POLLING).toHaveLength(6);
    // Five ticks are between the first and the last, whenever the first occurred.
    expect(performance.now() - began).toBeGreaterThan(490);
    await expect.poll(() => ids(page), POLLING).toEqual(['m1', 'm2', 'm3', 'm4', 'm5', 'm6']);
  });
});

describe('the connection', () => {
  it('spec §3.2 row 2, §3.2 row 1, §7 row 12: shows disconnected after a close with an empty reason, and reconnects automatically', async () => {
    const { platform, signedIn } = scripted();
    const { page, socket } = await signedIn();
    const messagesOn = await listenToChannels(page);
    socket.send(snapshot(...messages(2)).frame);
    await expect.poll(() => ids(page), POLLING).toEqual(['m1', 'm2']);
    const next = nextSocket(platform);
    socket.close();
    await connection(page, 'disconnected');
    await page.getByText('Reconnecting…', { exact: true }).waitFor();
    await expect.poll(() => page.title(), POLLING).toBe('Parley: disconnected');
    const again = await next();
    await connect(page, again);
    await expect.poll(() => page.title(), POLLING).toBe('Parley: connected');
    await expect.poll(() => messagesOn('ws'), POLLING).toEqual([[1], [0]]);
    expect(await ids(page)).toEqual(['m1', 'm2']);
    await sendMessage(page, 'back');
    expect(await again.frames.next()).toContain('"back"');
  });

  it('contract §3 Reconnect: shows the reason and a button that reconnects after a close with another reason', async () => {
    const { platform, signedIn } = scripted();
    const { page, socket } = await signedIn();
    socket.close(4000, 'Back at <b>noon</b>.');
    await page.getByText('Disconnected: Back at <b>noon</b>.', { exact: true }).waitFor();
    const before = platform.upgrades.all.length;
    const next = nextSocket(platform);
    await page.getByRole('button', { name: 'Reconnect' }).click();
    await connect(page, await next());
    expect(platform.upgrades.all.length).toBe(before + 1);
    expect(await page.getByRole('button', { name: 'Reconnect' }).count()).toBe(0);
  });

  it('spec §7 row 13, §4.2 not open: drops a message that is sent while the socket is not open, and shows nothing', async () => {
    const { platform, parley, signedIn } = scripted();
    const { page, socket } = await signedIn();
    socket.close(4000, 'away');
    const reconnect = page.getByRole('button', { name: 'Reconnect' });
    await reconnect.waitFor();
    await sendMessage(page, 'into the void');
    await expect.poll(() => parley.printed.stderr, POLLING).toContain('not connected: message dropped');
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    expect(await articles(page).count()).toBe(0);
    const next = nextSocket(platform);
    await reconnect.click();
    const again = await next();
    await connect(page, again);
    await sendMessage(page, 'after it');
    expect(await again.frames.next()).toContain('"after it"');
    expect(again.frames.all).toHaveLength(1);
  });
});

describe('signing out', () => {
  it('spec §3.1 row 5, §5 item 3, §6.3 logout: `Log out` closes with 1000 `logout` and deletes the account', async () => {
    const { parley, signedIn } = scripted();
    const { page, socket } = await signedIn();
    socket.send(snapshot(...messages(2)).frame);
    await expect.poll(() => ids(page), POLLING).toEqual(['m1', 'm2']);
    expect(existsSync(join(parley.dataDir, 'account.json'))).toBe(true);
    await page.getByRole('button', { name: 'Log out' }).click();
    expect(await socket.closed).toEqual({ code: 1000, reason: 'logout' });
    await view(page, 'login');
    await expect.poll(() => existsSync(join(parley.dataDir, 'account.json')), POLLING).toBe(false);
    expect(await page.getByRole('alertdialog').count()).toBe(0);
  });

  it('spec §3.1 row 6, §5 item 1, §7 row 11: shows the form and an alert with exactly the reason after a close with `unauthorized`', async () => {
    const { parley, signedIn } = scripted();
    const { page, socket } = await signedIn();
    socket.close(4401, 'unauthorized');
    const alert = page.getByRole('alertdialog', { name: 'unauthorized', exact: true });
    await alert.waitFor();
    await view(page, 'login');
    await expect.poll(() => existsSync(join(parley.dataDir, 'account.json')), POLLING).toBe(false);
    await alert.getByRole('button', { name: 'OK' }).click();
    await expect.poll(() => page.getByRole('alertdialog').count(), POLLING).toBe(0);
  });

  it('spec §3.1 row 5: shows the next account none of the updates that waited at the sign-out', async () => {
    const { openSignedIn, signedIn } = scripted();
    const { page, socket } = await signedIn();
    // A slow page still shows the backlog of 300 messages when the person signs out.
    for (const frame of messages(300)) socket.send(frame);
    await expect.poll(() => articles(page).count(), POLLING).toBeGreaterThan(1);
    const backlog = /^\d\d\d? updates waiting, about (?:[2-9]|[12]\d|30) s$/u;
    await page.getByText(backlog).waitFor();
    const second = await openSignedIn('account-2');
    expect(await second.page.getByText(backlog).count()).toBe(0);
    expect(await socket.closed).toEqual({ code: 1000, reason: 'logout' });
    second.socket.send(message('mine', [text('mine')]));
    await expect.poll(() => ids(second.page), POLLING).toEqual(['mine']);
  });
});
