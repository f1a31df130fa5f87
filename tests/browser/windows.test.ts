import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { version } from '../../package.json';
import { article, button } from './harness/elements.ts';
import { CREDENTIALS, sendMessage, conversationOf } from './harness/signUp.ts';
import { message, text } from './harness/message.ts';
import { setUpScripted } from './harness/setUpScripted.ts';

const ids = (page: Page) =>
  conversationOf(page)
    .getByRole('article')
    .evaluateAll((all) => all.map((one) => one.dataset['messageId']));
const titled = (page: Page, title: string) =>
  page.waitForFunction((wanted) => document.title === wanted, title);
async function chooseFromMenu(page: Page, entry: string): Promise<void> {
  await button(page, 'Menu').click();
  await page.getByRole('menuitem', { name: entry }).click();
}

const scripted = setUpScripted();

it('spec §4.1, §2.3 text, §6.2, §6.3 message from the window, contract §3 sending: sends one request to sign in, and then only pings and what the person sends, which is shown when it is returned', async () => {
  const { platform, openSignedIn } = scripted();
  const before = platform.auth.requests.all.length;
  const { page, socket } = await openSignedIn('a/b ?é#%2F');
  const requests = platform.auth.requests.all.slice(before);
  const body = JSON.stringify({ ...CREDENTIALS, name: '' });
  expect(requests).toMatchObject([{ method: 'POST', path: '/auth', body }]);
  expect(socket.path).toBe('/a%2Fb%20%3F%C3%A9%23%252F');
  await socket.pings.next();
  expect(socket.frames.all).toEqual([]);
  await sendMessage(page, 'hello "there"');
  expect(await socket.frames.next()).toBe('{"category":"text","text":"hello \\"there\\"","blob":null}');
  socket.send(message('a', [text('something else')]));
  await article(page, 'a').waitFor();
  expect(await ids(page)).toEqual(['a']);
  socket.send(message('b', [text('hello "there"')], { modifier: 'client' }));
  await article(page, 'b').waitFor();
});

it('contract §3 web host, spec §6.3 nav: the session continues in the tray while the window is closed or minimised; a notification or a button opens it again, as it was', async () => {
  const { platform, signedIn } = scripted();
  const { page, socket } = await signedIn();
  const before = platform.upgrades.all.length;
  const icon = () => page.locator('link[rel=icon]').last().getAttribute('href');
  await titled(page, 'Parley: connected');
  const usual = await icon();
  socket.send(message('b', [text('שלום, dinner is ready.')], { context: 'Mrs Hudson' }));
  await article(page, 'b').waitFor();
  await button(page, 'Minimize').focus();
  await button(page, 'Close').click();
  const overlay = page.getByRole('dialog', { name: 'This window is closed.' });
  await overlay.getByText('The session goes on.').waitFor();
  await page.keyboard.press('Escape');
  expect(await overlay.isVisible()).toBe(true);
  socket.send(message('a', [text('Come here.')], { context: 'Mr Watson' }));
  await titled(page, '(1) Parley: connected');
  expect(await icon()).not.toBe(usual);
  await page.keyboard.press('Enter');
  await overlay.waitFor({ state: 'hidden' });
  await titled(page, 'Parley: connected');
  expect(await icon()).toBe(usual);
  await button(page, 'Close').click();
  await overlay.waitFor();
  socket.send({ ring: true });
  await button(page, 'Mr Watson Come here.').click();
  await overlay.waitFor({ state: 'hidden' });
  await article(page, 'a').waitFor();
  for (const args of [['minimize'], [{ action: 'close' }]]) {
    await page.evaluate((all) => Reflect.apply(window.parley.send, null, ['nav', ...all]), args);
    await page.getByRole('dialog', { name: 'This window is minimised.' }).waitFor();
    await button(page, 'Restore').click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  }
  socket.send({ ring: true });
  await button(page, 'Dismiss notification').click();
  expect([await ids(page), platform.upgrades.all.length]).toEqual([['b', 'a'], before]);
});

it('copies diagnostics without anything about the person, and shows the theme that is chosen', async () => {
  const { page, socket } = await scripted().openSignedIn('account-of-mine');
  socket.send({ person: 'Ada Lovelace', messages: [message('m-1', [text('a secret of hers')])] });
  await article(page, 'm-1').waitFor();
  await chooseFromMenu(page, 'Copy diagnostics');
  await page.getByText('The diagnostics are on the clipboard.').waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`Parley: ${version}\nHost: web host\n`);
  expect(copied).not.toMatch(/account-of-mine|Lovelace|secret|m-1|grace@/u);
  await button(page, 'Dismiss').click();
  await chooseFromMenu(page, 'Settings…');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await settings.getByRole('radio', { name: 'Dark' }).click();
  await page.waitForFunction((before) => getComputedStyle(document.body).backgroundColor !== before, light);
  await settings.getByRole('radio', { name: 'System' }).click();
  await settings.getByRole('button', { name: 'Close' }).click();
});
