import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { sessionLaunched } from '#shared/actions/sessionActions.ts';
import { emit, SETTINGS } from './harness/elements.ts';
import { appended, file, message, snapshot, text, uneven } from './harness/message.ts';
import { setUpWindows } from './harness/renderer.ts';
import { resize } from './harness/layout.ts';
import { skipFormPause } from './harness/signUp.ts';

const { open, sharedWindow } = setUpWindows();

const own = { modifier: 'client', context: 'Ada' };

it('contract §3 settings: keeps Close in view in a small window, and what Tab reaches is not behind it', async () => {
  const { page } = await sharedWindow();
  await emit(page, 'settings', SETTINGS);
  const shown = page.getByRole('dialog', { name: 'Settings' });
  await shown.waitFor();
  await resize(page, 420, 480);
  const bottomOf = (selector: string) =>
    page.locator(selector).evaluate((one) => one.getBoundingClientRect().bottom);
  for (const at of [0, 200, 10_000]) {
    await shown.evaluate((one, top) => one.scrollTo(0, top), at);
    expect(await bottomOf('dialog button:text-is("Close")')).toBeLessThan(480);
  }
  await shown.evaluate((one) => one.scrollTo(0, 0));
  await shown.getByRole('button', { name: 'Delete my data…' }).focus();
  const footer = await shown.locator('.dialog-buttons').boundingBox();
  expect(await bottomOf(':focus')).toBeLessThanOrEqual(footer?.y ?? 0);
});

it('contract §3 times: puts the messages of each sender on their side, one label under consecutive ones, and the time beside or below, in line with the find bar and the text box', async () => {
  const { page, apply, dispatch } = await sharedWindow();
  await dispatch(sessionLaunched({ launchedAt: 0, timeOfDay: Date.UTC(2026, 10, 22, 15, 20) }));
  await apply(
    snapshot(),
    appended(message('left', [text('left')])),
    appended(message('named', [text('named')], { context: 'Bob' })),
    appended(message('first', [text('first')], own)),
    appended(message('empty', [])),
    appended(message('right', [text('right')], own)),
    appended(message('middle', [text('middle')], { modifier: 'admin' })),
  );
  await page.locator('[data-message-id="middle"]').waitFor();
  const middleOf = (id: string) =>
    page.locator(`[data-message-id="${id}"] .item`).evaluate((one) => {
      const { left, right } = one.getBoundingClientRect();
      const row = one.closest('[data-row]')?.getBoundingClientRect() ?? new DOMRect();
      return Math.sign(Math.round((left + right - row.left - row.right) / 20)) + 0;
    });
  expect([await middleOf('left'), await middleOf('right'), await middleOf('middle')]).toEqual([-1, 1, 0]);
  expect(await page.locator('.label').count()).toBe(4);
  // The time of a message without a label is shown while the pointer or the focus is on it.
  const time = page.locator('[data-message-id="first"] time');
  const shows = (opacity: string) =>
    page.waitForFunction((wanted) => {
      const one = document.querySelector('[data-message-id="first"] time');
      return one !== null && getComputedStyle(one).opacity === wanted;
    }, opacity);
  await shows('0');
  await page.locator('[data-message-id="first"] .item').hover();
  await shows('1');
  const itemBox = await page.locator('[data-message-id="first"] .item').boundingBox();
  expect(await time.evaluate((one) => one.getBoundingClientRect().right)).toBeCloseTo(itemBox?.x ?? 0);
  // With and without a scroll bar, all parts have the same edges.
  const edges = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((one) => {
        const { left, right } = one.getBoundingClientRect();
        const { paddingLeft, paddingRight } = getComputedStyle(one);
        return [left + Number.parseFloat(paddingLeft), right - Number.parseFloat(paddingRight)];
      });
  for (const count of [1, 40]) {
    await apply(snapshot(...uneven(count), message(`last of ${count}`, [text('last')])));
    await page.locator(`[data-message-id="last of ${count}"]`).waitFor();
    await page.keyboard.press('Control+f');
    await page.getByRole('search').waitFor();
    for (const width of [320, 1440]) {
      await resize(page, width, 600);
      const expected = await edges('.dock');
      expect([width, await edges('.row'), await edges('search')]).toEqual([width, expected, expected]);
    }
  }
});

it('gives each text, name and file name its own direction, keeps combining marks in their place, and draws borders in forced colours', async () => {
  const { page, apply, account } = await sharedWindow();
  const marks = `a${'\u0E47'.repeat(3000)}`;
  const html = { category: 'html', html: '<p>שלום, Ada!</p><p>Ada</p><p dir="ltr">שלום</p>' };
  const rtl = [text('שלום, https://example.org/'), html, file('שלום (1).txt'), file('שלום (2).txt', '*')];
  await apply(
    snapshot(
      message('rtl', rtl, { context: 'עדה 1' }),
      message('ltr', [text('Ada and more words: שלום\nשלום')], own),
      message('marks', [text(marks), file(marks)], { context: marks }),
    ),
  );
  await page.locator('.markup p').nth(2).waitFor();
  const directions = (selector: string) =>
    page.locator(selector).evaluateAll((all) => all.map((one) => getComputedStyle(one).direction));
  expect(await directions('[data-kind="text"] .item-text')).toEqual(['rtl', 'ltr', 'ltr']);
  expect(await directions('.item-text a')).toEqual(['ltr']);
  expect(await directions('.markup p')).toEqual(['rtl', 'ltr', 'ltr']);
  expect((await directions('[data-kind="file"] bdi')).slice(0, 2)).toEqual(['rtl', 'rtl']);
  expect((await directions('.label span')).slice(0, 2)).toEqual(['rtl', 'ltr']);
  const wider = (selector: string) =>
    page
      .locator(selector)
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
  expect(await wider('html, body, main, .log, .row, .items')).toBe(0);
  await page.getByRole('button', { name: 'Write a message' }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill('שלום, Ada!');
  expect(await directions('textarea')).toEqual(['rtl']);
  await page.emulateMedia({ forcedColors: 'active' });
  const edge = await page
    .locator('[data-side="right"] [data-category]')
    .first()
    .evaluate((one) => getComputedStyle(one).borderTopColor);
  expect(edge).not.toBe('rgba(0, 0, 0, 0)');
  await account(false, `שלום${marks}`);
  await page.getByRole('alertdialog').waitFor();
  expect(await directions('[role="alertdialog"] p')).toEqual(['rtl']);
  expect(await wider('html, body, main, [role="alertdialog"]')).toBe(0);
  await page.keyboard.press('Enter');
  await page.getByLabel('Name').fill('עדה');
  expect(await directions('input')).toEqual(['ltr', 'ltr', 'rtl']);
});

/** Of the form: `createSignInForm.test.ts` tests when it sends. */
const VALID = { Email: 'ada@example.org', Password: 'secret1!' };

async function enter(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
  await skipFormPause(page);
  await page.keyboard.press('Enter');
}

const view = (page: Page, name: string) => page.locator(`main[data-view="${name}"]`).waitFor();
const line = (page: Page, words: string) => page.getByRole('status').filter({ hasText: words }).waitFor();

it('spec §3.1 row 1, contract §3 view, form, one request, errors, alert: shows the logo before its script has run, then the splash, the form, its errors and the answer, and the conversation; a reason of a sign-out is an alert with the focus, also over the settings', async () => {
  const opened = await open();
  const { page, account, called, problems } = opened;
  const mark = page.locator('.splash .mark');
  const splash = await mark.boundingBox();
  await page.route('**/*.js', (route) => route.abort());
  await page.reload();
  expect(await mark.evaluate((one) => one instanceof HTMLImageElement && one.naturalWidth > 0)).toBe(true);
  expect([await mark.boundingBox(), await page.locator('main').count()]).toEqual([splash, 0]);
  await page.unroute('**/*.js');
  await page.reload();
  problems.length = 0;
  const moving = () => page.evaluate(() => document.getAnimations().length);
  const animations = [await moving()];
  await view(page, 'splash');
  await account(false);
  await view(page, 'login');
  await page.waitForFunction(() => document.activeElement?.matches('input'));
  const fields = [page.getByLabel('Email'), page.getByLabel('Password'), page.getByLabel('Name')];
  const [show, submit] = ['Show characters', 'Continue'].map((name) => page.getByRole('button', { name }));
  for (const next of [fields[0], fields[1], show, fields[2], submit]) {
    expect(await next?.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('Tab');
  }
  animations.push(await moving());

  opened.answerAuth = () => Promise.resolve('  Wrong email <b>or</b> password.');
  await enter(page, VALID);
  await line(page, 'Wrong email <b>or</b> password.');
  const [sent] = await called(1);
  expect(sent).toEqual(['auth', { email: VALID.Email, password: VALID.Password, name: '' }]);
  // It keeps its input when the account is sent again, and is new after a session.
  await account(false);
  expect(await page.getByLabel('Email').inputValue()).toBe(VALID.Email);
  await account('account-1');
  await view(page, 'conversation');
  animations.push(await moving());
  expect(animations).toEqual([0, 0, 0]);

  await emit(page, 'settings', SETTINGS);
  await page.getByRole('switch').last().click();
  await account(false, 'unauthorized');
  const alert = page.getByRole('alertdialog', { name: 'unauthorized', exact: true });
  expect(await alert.locator('p').textContent()).toBe('unauthorized');
  await page.waitForFunction(() => document.activeElement?.textContent === 'OK');
  await page.keyboard.press('Enter');
  await alert.waitFor({ state: 'detached' });
  expect(await page.getByLabel('Email').inputValue()).toBe('');
  expect(problems).toEqual([]);
});
