import { deletionAnnounced } from '#shared/actions/mainActions.ts';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { POLLING } from '#tests/builders/polling.ts';
import type { RendererWindow } from './harness/renderer.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';
import { skipFormPause } from './harness/skipFormPause.ts';

const { open, keptWindow } = setUpSharedWindow();
const withClock = setUpSharedWindow();
const HINT = 'Log in, or enter a name to register.';

/** Shows a new, empty form; requests are answered as by default. */
async function showForm(window: RendererWindow): Promise<void> {
  window.answerAuth = () => Promise.resolve(undefined);
  for (const [account, view] of [
    ['account-1', 'conversation'],
    [false, 'login'],
  ] as const) {
    await window.account(account);
    await window.page.locator(`main[data-view="${view}"]`).waitFor();
  }
  window.calls.length = 0;
}

/** The window whose clock stands still. */
let paused: RendererWindow | undefined;

/** Returns a window that is logged out, with a clock that stands still until the test advances it. */
async function loggedOut(): Promise<RendererWindow> {
  // With a page of its own, which keeps the clock.
  const window = await withClock.keptWindow({ locale: 'en-GB' });
  if (window !== paused) {
    await window.page.clock.install();
    await window.page.reload();
    await window.page.clock.pauseAt(Date.now() + 60_000);
    paused = window;
  }
  await showForm(window);
  return window;
}

const line = (page: Page) => page.getByRole('status').textContent();

async function enter(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
}

const VALID = { Email: 'ada@example.org', Password: 'secret1!' };
const SUBMITTED = ['auth', { email: 'ada@example.org', password: 'secret1!', name: '' }];

describe('the view', () => {
  it('spec §3.1 row 1, contract §3 view: shows the splash until the account is known, then the view for the account', async () => {
    const { page, account } = await open();
    const view = () => page.locator('main').getAttribute('data-view');
    expect(await view()).toBe('splash');
    await account(false);
    await expect.poll(view).toBe('login');
    await account('account-1');
    await expect.poll(view).toBe('conversation');
    await account(false);
    await expect.poll(view).toBe('login');
  });

  it('keeps the form’s input when the account is sent again', async () => {
    const { page, account } = await loggedOut();
    await enter(page, { Email: 'ada' });
    await account(false);
    expect(await page.getByLabel('Email').inputValue()).toBe('ada');
  });

  it('clears the form and forgets its timer when the data is deleted', async () => {
    const { page, calls, dispatch } = await loggedOut();
    const fields = ['Email', 'Password', 'Name'];
    await enter(page, { ...VALID, Name: 'Ada Lovelace' });
    await dispatch(deletionAnnounced({ text: 'Your data was deleted.' }));
    for (const name of fields) await expect.poll(() => page.getByLabel(name).inputValue()).toBe('');
    await page.clock.runFor(5000);
    expect(calls.filter(([channel]) => channel === 'auth')).toEqual([]);
  });

  it('contract §3 alert: shows the form and one alert with exactly the reason after a sign-out with a reason', async () => {
    const { page, signedIn, account } = await open();
    await signedIn();
    await account(false, 'unauthorized');
    await account(false, 'unauthorized');
    const alert = page.getByRole('alertdialog', { name: 'unauthorized', exact: true });
    await alert.waitFor();
    expect(await alert.locator('p').textContent()).toBe('unauthorized');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('OK');
    await page.keyboard.press('Enter');
    await alert.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('alertdialog').count()).toBe(0);
    await page.getByLabel('Email').waitFor();
  });

  it.each(['radio', 'switch'] as const)(
    'contract §3 alert: closes an alert that came while a %s had the focus, and shows the next one',
    async (role) => {
      const { page, signedIn, account, problems } = await open();
      await signedIn();
      await page.evaluate(() =>
        window.fakeMain.emit('settings', {
          captures: '',
          stored: { recorded: { files: 0, bytes: 0 }, saved: { files: 0, bytes: 0 } },
        }),
      );
      await page.getByRole(role).last().click();
      await account(false, 'unauthorized');
      await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click();
      await page.getByRole('alertdialog').waitFor({ state: 'detached' });
      await account('account-1');
      await account(false, 'revoked');
      await page.getByRole('alertdialog', { name: 'revoked', exact: true }).waitFor();
      expect(problems).toEqual([]);
    },
  );

  it('contract §3 buttons: shows Minimize and Close always, and Log out only while signed in, each with its name as its tool tip', async () => {
    const { page, calls, account, signedIn } = await open();
    await account(false);
    await page.getByLabel('Email').waitFor();
    expect(await page.getByRole('button', { name: 'Log out' }).count()).toBe(0);
    await signedIn();
    const titles = await page
      .locator('.title-bar')
      .getByRole('button')
      .evaluateAll((buttons) =>
        buttons.map((button) => [button.getAttribute('title'), button.ariaLabel ?? button.textContent]),
      );
    const names = ['Log out', 'Menu', 'Minimize', 'Close'];
    expect(titles).toEqual(names.map((name) => [name, name]));
    for (const name of ['Minimize', 'Log out', 'Close'])
      await page.getByRole('button', { name, exact: true }).click();
    await expect.poll(() => calls).toEqual([['nav', 'minimize'], ['logout'], ['nav', 'close']]);
  });
});

describe('the form', () => {
  it('contract §3 form: has one text box for each of Email, Password and Name, and the hint in the only status line', async () => {
    const { page } = await loggedOut();
    for (const name of ['Email', 'Password', 'Name']) {
      expect(await page.getByLabel(name).count()).toBe(1);
      expect(await page.getByRole('textbox', { name, exact: true }).count()).toBe(1);
    }
    expect(await page.getByRole('status').count()).toBe(1);
    expect(await line(page)).toBe(HINT);
  });

  it('still shows the hint after a long time without input', async () => {
    const { page, calls } = await loggedOut();
    await page.clock.runFor(10_000);
    expect(await line(page)).toBe(HINT);
    expect(calls).toEqual([]);
  });

  it('spec §8 form debounce: sends once, with an empty name, after the form was valid for 2000 ms', async () => {
    const { page, calls } = await loggedOut();
    await enter(page, VALID);
    await page.clock.runFor(1900);
    expect(calls).toEqual([]);
    await page.clock.runFor(100);
    await expect.poll(() => calls).toEqual([SUBMITTED]);
    await page.clock.runFor(10_000);
    expect(calls).toHaveLength(1);
  });

  it('contract §3 errors: shows the first error after 2000 ms without valid input, and the hint as soon as the input is valid', async () => {
    const { page, calls } = await loggedOut();
    await enter(page, { ...VALID, Email: 'ada', Name: 'x' });
    await page.clock.runFor(2000);
    await expect.poll(() => line(page)).toBe('Not a valid email.');
    await enter(page, { Email: 'ada@example.org' });
    await page.clock.runFor(2000);
    await expect.poll(() => line(page)).toBe('Name must be at least 5 long.');
    expect(await page.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
    await enter(page, { Name: '' });
    await expect.poll(() => line(page)).toBe(HINT);
    expect(calls).toEqual([]);
  });

  it('contract §3 one request: Enter sends one request 2000 ms after the last input, and shows at once that it is on its way', async () => {
    const { page, calls } = await loggedOut();
    await enter(page, VALID);
    for (let count = 0; count < 8; count++) await page.keyboard.press('Enter');
    await page.locator('form[aria-busy="true"]').waitFor();
    await page.clock.runFor(1900);
    expect(calls).toEqual([]);
    await page.clock.runFor(100);
    await expect.poll(() => calls).toEqual([SUBMITTED]);
  });

  it('contract §3 one request: shows exactly the answer of a refused request; Enter sends it again without an edit, 2000 ms later', async () => {
    const window = await loggedOut();
    const { page, calls } = window;
    window.answerAuth = () => Promise.resolve('  Wrong email <b>or</b> password.');
    await enter(page, VALID);
    await page.clock.runFor(2000);
    await expect.poll(() => line(page)).toBe('  Wrong email <b>or</b> password.');
    expect(await page.getByRole('status').count()).toBe(1);
    for (let count = 0; count < 8; count++) await page.getByLabel('Password').press('Enter');
    expect(calls).toEqual([SUBMITTED]);
    await page.clock.runFor(2000);
    await expect.poll(() => calls).toEqual([SUBMITTED, SUBMITTED]);
  });

  it('shows the unknown error when the request fails', async () => {
    const window = await loggedOut();
    window.answerAuth = () => Promise.reject(new Error('no answer'));
    await enter(window.page, VALID);
    await window.page.getByRole('button', { name: 'Continue' }).click();
    await window.page.clock.runFor(2000);
    await expect.poll(() => line(window.page)).toBe('Unknown error occured.');
  });

  it('contract §3 one request: shows that a request is in progress and makes no second one; sends later input afterwards', async () => {
    const window = await loggedOut();
    const { page, calls } = window;
    let refuse: ((error: string) => void) | undefined;
    window.answerAuth = () => new Promise((resolve) => (refuse = resolve));
    await enter(page, VALID);
    await page.clock.runFor(2000);
    await page.locator('form[aria-busy="true"]').waitFor();
    await enter(page, { Password: 'better2@' });
    await page.keyboard.press('Enter');
    await page.clock.runFor(10_000);
    expect(calls).toEqual([SUBMITTED]);
    refuse?.('No.');
    await expect.poll(() => line(page)).toBe('No.');
    await page.clock.runFor(2000);
    await expect
      .poll(() => calls.at(-1))
      .toEqual(['auth', { ...Object(SUBMITTED[1]), password: 'better2@' }]);
    expect(calls).toHaveLength(2);
  });

  it('makes the password readable by Show characters and keeps its label', async () => {
    const { page } = await loggedOut();
    await enter(page, VALID);
    await page.getByRole('button', { name: 'Show characters' }).click();
    await expect.poll(() => page.getByLabel('Password').getAttribute('type')).toBe('text');
    expect(await page.getByLabel('Password').inputValue()).toBe('secret1!');
  });
});

const PASSWORD_ERROR = 'Password must be 6 to 16 long, with a symbol and a number.';
const FIELDS = { ...VALID, Name: '' };

/** Shows the form and refuses every request; `submit` returns the status line after these fields are submitted. */
async function form() {
  const window = await keptWindow();
  const { page } = window;
  await showForm(window);
  window.answerAuth = () => Promise.resolve('Refused.');
  const submit = async (fields: Partial<typeof FIELDS>) => {
    for (const [label, value] of Object.entries({ ...FIELDS, ...fields })) {
      await page.getByLabel(label).fill(value);
    }
    await skipFormPause(page);
    await page.getByLabel('Name').press('Enter');
    return page.getByRole('status').textContent();
  };
  return { ...window, submit };
}

/** Submits each value in a field of an otherwise valid form; returns what was sent and the distinct status lines. */
async function submitEach(field: keyof typeof FIELDS, values: readonly string[]) {
  const { submit, calls } = await form();
  const lines = new Set<string | null>();
  for (const value of values) lines.add(await submit({ [field]: value }));
  return { lines: [...lines], calls };
}

// Tests of `credentialsError` check every rule with more values.
describe('the rules of the form', () => {
  it("spec §2.1 email, §7 row 1: shows 'Not a valid email.' for an invalid address and sends nothing", async () => {
    const { lines, calls } = await submitEach('Email', ['', 'ada', 'a b@example.org', 'ada@example.org,']);
    expect({ lines, calls }).toEqual({ lines: ['Not a valid email.'], calls: [] });
  });

  it('spec §2.1 password, §7 row 2: shows the error with all three rules for an invalid password and sends nothing', async () => {
    const { lines, calls } = await submitEach('Password', ['', 'secret1!secret1!x', 'secret!!']);
    expect({ lines, calls }).toEqual({ lines: [PASSWORD_ERROR], calls: [] });
  });

  it("spec §2.1 name, §7 row 3: shows 'Name must be at least 5 long.' for an invalid name and sends nothing", async () => {
    const { lines, calls } = await submitEach('Name', ['Adam', 'Ada2 King', 'A'.repeat(31)]);
    expect({ lines, calls }).toEqual({ lines: ['Name must be at least 5 long.'], calls: [] });
  });

  it('spec §2.1 email, §8 password, name: sends values at the limits of the rules unchanged, with a name or an empty one', async () => {
    const { page, submit, calls } = await form();
    const edges: Partial<typeof FIELDS>[] = [
      { Password: '1*aaaaaaaaaaaaaa' },
      { Name: 'A'.repeat(30) },
      { Name: 'Жанна Дарк' },
      { Email: 'ada.king+parley@mail.example.co.uk' },
    ];
    for (const [index, fields] of edges.entries()) {
      await submit(fields);
      const { Email: email, Password: password, Name: name } = { ...FIELDS, ...fields };
      await expect.poll(() => calls[index], POLLING).toEqual(['auth', { email, password, name }]);
      await expect.poll(() => page.getByRole('status').textContent(), POLLING).toBe('Refused.');
    }
  });

  it('spec §7 row 4: shows only the first of three errors, in the order email, password, name', async () => {
    const { submit, calls } = await form();
    const wrong = { Email: 'ada', Password: 'x', Name: 'x' };
    expect(await submit(wrong)).toBe('Not a valid email.');
    expect(await submit({ ...wrong, Email: FIELDS.Email })).toBe(PASSWORD_ERROR);
    expect(await submit({ Name: 'x' })).toBe('Name must be at least 5 long.');
    expect(calls).toEqual([]);
  });

  it('spec §7 row 8: shows the hint again when the form is valid after an error', async () => {
    const { page, submit } = await form();
    await submit({ Password: 'x' });
    await page.getByLabel('Password').fill(FIELDS.Password);
    await expect.poll(() => page.getByRole('status').textContent(), POLLING).toBe(HINT);
  });
});
