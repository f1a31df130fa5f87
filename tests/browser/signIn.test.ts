import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { setUpWindows } from './harness/renderer.ts';
import { skipFormPause } from './harness/skipFormPause.ts';

/** Tests the form in a browser; `createSignInForm.test.ts` tests when it sends. */
const { open } = setUpWindows();

const VALID = { Email: 'ada@example.org', Password: 'secret1!' };
const SUBMITTED = ['auth', { email: 'ada@example.org', password: 'secret1!', name: '' }];

const view = (page: Page, name: string) => page.locator(`main[data-view="${name}"]`).waitFor();
const line = (page: Page, words: string) => page.getByRole('status').filter({ hasText: words }).waitFor();

async function enter(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
  await skipFormPause(page);
  await page.keyboard.press('Enter');
}

it('spec §3.1 row 1, contract §3 view, form, one request, errors, alert: shows the logo before its script has run, then the splash, the form, its errors and the answer, and the conversation; a reason of a sign-out is an alert with the focus, also over the settings', async () => {
  const opened = await open();
  const { page, account, calls, called, problems } = opened;
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

  calls.length = 0;
  await enter(page, { ...VALID, Email: 'ada', Name: 'x' });
  await line(page, 'Not a valid email.');
  await enter(page, { Email: VALID.Email });
  await line(page, 'Name must be at least 5 long.');
  expect(await page.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
  expect(calls).toEqual([]);
  opened.answerAuth = () => Promise.resolve('  Wrong email <b>or</b> password.');
  await enter(page, { Name: '' });
  await line(page, 'Wrong email <b>or</b> password.');
  expect(await called(1)).toEqual([SUBMITTED]);
  await page.getByRole('button', { name: 'Show characters' }).click();
  const password = page.getByLabel('Password');
  const typed = [await password.getAttribute('type'), await password.inputValue()];
  expect(typed).toEqual(['text', VALID.Password]);
  // It keeps its input when the account is sent again, and is new after a session.
  await account(false);
  expect(await page.getByLabel('Email').inputValue()).toBe(VALID.Email);
  await account('account-1');
  await view(page, 'conversation');
  animations.push(await moving());
  expect(animations).toEqual([0, 0, 0]);

  await page.evaluate(() => {
    const stored = { recorded: { files: 0, bytes: 0 }, saved: { files: 0, bytes: 0 } };
    window.fakeMain.emit('settings', { captures: '', stored });
  });
  await page.getByRole('switch').last().click();
  for (const reason of ['unauthorized', 'unauthorized']) await account(false, reason);
  const alert = page.getByRole('alertdialog', { name: 'unauthorized', exact: true });
  expect(await alert.locator('p').textContent()).toBe('unauthorized');
  await page.waitForFunction(() => document.activeElement?.textContent === 'OK');
  await page.keyboard.press('Enter');
  await alert.waitFor({ state: 'detached' });
  expect(await page.getByLabel('Email').inputValue()).toBe('');
  await account('account-1');
  await account(false, 'revoked');
  const next = page.getByRole('alertdialog', { name: 'revoked', exact: true });
  await next.getByRole('button', { name: 'OK' }).click();
  await next.waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
});
