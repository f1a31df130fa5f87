import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { type RendererWindow, setUpWindows } from './harness/renderer.ts';

const { open } = setUpWindows();

const HINT = 'Log in, or enter a name to register.';
const VALID = { Email: 'ada@example.org', Password: 'secret1!' };
const SUBMITTED = ['auth', { email: 'ada@example.org', password: 'secret1!', name: '' }];

const view = (page: Page, name: string) => page.locator(`main[data-view="${name}"]`).waitFor();
const line = (page: Page, words: string) => page.getByRole('status').filter({ hasText: words }).waitFor();

async function enter(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
}

/** Opens the form in a page whose clock stands still until the test advances it. */
async function form(): Promise<RendererWindow> {
  // With a page of its own, which keeps the clock.
  const window = await open({ locale: 'en-GB' });
  const { page, account, calls } = window;
  await page.clock.install();
  await page.reload();
  await page.clock.pauseAt(Date.now() + 60_000);
  await account(false);
  await view(page, 'login');
  calls.length = 0;
  return window;
}

it('spec §3.1 row 1, contract §3 view: shows the logo before its script has run, then the splash, the form with the focus, and the conversation, without an animation', async () => {
  const { page, account } = await open();
  const mark = page.locator('.splash .mark');
  const splash = await mark.boundingBox();
  await page.route('**/*.js', (route) => route.abort());
  await page.reload();
  expect(await mark.evaluate((one) => one instanceof HTMLImageElement && one.naturalWidth > 0)).toBe(true);
  expect([await mark.boundingBox(), await page.locator('main').count()]).toEqual([splash, 0]);
  await page.unroute('**/*.js');
  await page.reload();
  const moving = () => page.evaluate(() => document.getAnimations().length);
  const animations = [await moving()];
  await view(page, 'splash');
  await account(false);
  await view(page, 'login');
  await page.waitForFunction(() => document.activeElement?.matches('input'));
  const reached: (string | null)[] = [];
  for (let count = 0; count < 5; count++) {
    reached.push(
      await page.evaluate(() => {
        const { activeElement: one } = document;
        const name =
          one instanceof HTMLInputElement ? one.labels?.[0]?.textContent : one?.getAttribute('aria-label');
        return name ?? one?.textContent ?? null;
      }),
    );
    await page.keyboard.press('Tab');
  }
  expect(reached).toEqual(['Email', 'Password', 'Show characters', 'Name', 'Continue']);
  animations.push(await moving());
  await account('account-1');
  await view(page, 'conversation');
  animations.push(await moving());
  expect(animations).toEqual([0, 0, 0]);
});

it('contract §3 form, one request, errors, spec §8 form debounce: sends a valid form once after 2000 ms or with Enter, and shows the error or the answer in its status line', async () => {
  const window = await form();
  const { page, calls, called } = window;
  for (const name of ['Email', 'Password', 'Name'])
    expect(await page.getByRole('textbox', { name, exact: true }).count()).toBe(1);
  await enter(page, { ...VALID, Email: 'ada', Name: 'x' });
  await page.clock.runFor(2000);
  await line(page, 'Not a valid email.');
  await enter(page, { Email: VALID.Email });
  await page.clock.runFor(2000);
  await line(page, 'Name must be at least 5 long.');
  expect(await page.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
  await enter(page, { Name: '' });
  await line(page, HINT);
  await page.clock.runFor(1900);
  expect(calls).toEqual([]);
  window.answerAuth = () => Promise.resolve('  Wrong email <b>or</b> password.');
  await page.clock.runFor(100);
  await line(page, 'Wrong email <b>or</b> password.');
  for (let count = 0; count < 8; count++) await page.getByLabel('Password').press('Enter');
  await page.locator('form[aria-busy="true"]').waitFor();
  await page.clock.runFor(2000);
  expect(await called(2)).toEqual([SUBMITTED, SUBMITTED]);
  await page.getByRole('button', { name: 'Show characters' }).click();
  const password = page.getByLabel('Password');
  expect([await password.getAttribute('type'), await password.inputValue()]).toEqual([
    'text',
    VALID.Password,
  ]);
  // It keeps its input when the account is sent again, and is new after a session.
  await window.account(false);
  expect(await page.getByLabel('Email').inputValue()).toBe(VALID.Email);
  for (const [account, shown] of [
    ['account-1', 'conversation'],
    [false, 'login'],
  ] as const) {
    await window.account(account);
    await view(page, shown);
  }
  expect(await page.getByLabel('Email').inputValue()).toBe('');
  await page.clock.runFor(10_000);
  expect(calls).toHaveLength(2);
});

it('contract §3 alert: shows the reason of a sign-out in an alert with the focus, which Enter closes, also over the settings, and then the next one', async () => {
  const { page, signedIn, account, problems } = await open();
  for (const role of ['radio', 'switch'] as const) {
    await signedIn();
    await page.evaluate(() => {
      const stored = { recorded: { files: 0, bytes: 0 }, saved: { files: 0, bytes: 0 } };
      window.fakeMain.emit('settings', { captures: '', stored });
    });
    await page.getByRole(role).last().click();
    await account(false, 'unauthorized');
    await account(false, 'unauthorized');
    const alert = page.getByRole('alertdialog', { name: 'unauthorized', exact: true });
    expect(await alert.locator('p').textContent()).toBe('unauthorized');
    await page.waitForFunction(() => document.activeElement?.textContent === 'OK');
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await account('account-1');
    await account(false, 'revoked');
    await page
      .getByRole('alertdialog', { name: 'revoked', exact: true })
      .getByRole('button', { name: 'OK' })
      .click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await page.getByLabel('Email').waitFor();
  }
  expect(problems).toEqual([]);
});
