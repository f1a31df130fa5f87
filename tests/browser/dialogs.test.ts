import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { deletionAnnounced, startFailed } from '#shared/actions/mainActions.ts';
import * as user from '#shared/actions/userActions.ts';
import type { AssistantResult } from '#shared/protocol/assistantSettings.ts';
import { type Emitted, box, button, emit, focused } from './harness/elements.ts';
import { message, text } from './harness/message.ts';
import { setUpWindows } from './harness/renderer.ts';

const { sharedWindow } = setUpWindows();

const answer = (page: Page, result: AssistantResult) => emit(page, 'assistantResult', result);
const action = (sent: object) => ['action', sent];

const ABOUT = { parley: '0', host: '', chromium: '1', node: '', licence: '' };
const STORED = { recorded: { files: 1, bytes: 1 }, saved: { files: 0, bytes: 0 } };
const SETTINGS = { captures: '/data', stored: STORED, assistant: { url: null, model: null } };
const ASSISTANT = { url: 'http://a/v1', model: '', prompt: '', hasKey: true, variables: [] };
const DELETION = { folder: '/data', isPlatformBuiltIn: true };

/** What opens each dialog, and its buttons that close it. */
const DIALOGS: Readonly<Record<string, readonly [emitted: Emitted, ...buttons: string[]]>> = {
  'About Parley': [['about', ABOUT], 'Close'],
  Settings: [['settings', SETTINGS], 'Close', 'Copy diagnostics'],
  Assistant: [['assistant', ASSISTANT], 'Close'],
  'Delete my data': [['deleteData', DELETION], 'Cancel'],
  'Export the conversation': [['export'], 'Cancel', 'Export'],
};

async function openDialog(page: Page, name: string) {
  await emit(page, ...(DIALOGS[name]?.[0] ?? ['about']));
  const dialog = page.getByRole('dialog', { name });
  await dialog.locator(':focus').waitFor();
  return dialog;
}

/** Waits until the dialog is out of the document: its event comes after it is hidden. */
const closed = (page: Page) => page.locator('dialog').waitFor({ state: 'detached' });

it('each dialog takes the focus, and gives it back to the text box, by whatever it is closed or replaced', async () => {
  const { page } = await sharedWindow();
  await page.keyboard.type('draft');
  for (const [name, [, ...buttons]] of Object.entries(DIALOGS))
    for (const way of ['Escape', ...buttons]) {
      const dialog = await openDialog(page, name);
      if (way === 'Escape') await page.keyboard.press(way);
      else await dialog.getByRole('button', { name: way, exact: true }).click();
      await closed(page);
      expect([name, way, await focused(page)]).toEqual([name, way, 'Message']);
    }
  for (const name of Object.keys(DIALOGS)) await openDialog(page, name);
  expect(await page.locator('dialog').count()).toBe(1);
  await page.keyboard.press('Escape');
  await closed(page);
  expect([await focused(page), await box(page).inputValue()]).toEqual(['Message', 'draft']);
});

it('contract §3 settings: sends each choice at once, shows the theme, and requests the sizes again after a change of the limits', async () => {
  const { page, called, dispatch } = await sharedWindow();
  const dialog = await openDialog(page, 'Settings');
  const sizes = user.dialogRequested({ dialog: 'settings' });
  const changed = user.preferencesChanged;
  await dialog.getByLabel('Keep recordings for').selectOption('90 days');
  await dialog.getByLabel('Keep recordings up to').selectOption('No limit');
  await dialog.getByRole('radio', { name: 'Dark' }).click();
  const limits = [changed({ captureDays: 90 }), sizes, changed({ captureMegabytes: null }), sizes];
  const sent = [...limits, changed({ theme: 'dark' })];
  expect(await called(sent.length)).toEqual(sent.map(action));
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await dispatch(changed({ theme: 'dark' }));
  expect(await background()).not.toBe(light);
  await dispatch(changed({ theme: 'system' }));
  expect(await background()).toBe(light);
  await page.keyboard.press('Escape');
});

it('the settings of the assistant are tested and saved, show each failure at its field, and close when they are saved', async () => {
  const { page, called } = await sharedWindow();
  await page.keyboard.type('draft');
  const dialog = await openDialog(page, 'Assistant');
  await dialog.getByLabel('Model').fill('small');
  const entered = { url: 'http://a/v1', model: 'small', prompt: null, key: null, keepsKey: true };
  const press = (name: string) => button(page, name).click();
  await press('Test');
  const tested = user.assistantTestRequested(entered);
  for (const words of ['Wrong key.', 'Wrong again.']) {
    await answer(page, { kind: 'failed', field: 'key', message: words });
    await dialog.getByRole('status').getByText(words).waitFor();
    expect(await focused(page)).toBe('key');
    await press('Test');
    expect(await dialog.getByLabel('Key', { exact: true }).getAttribute('aria-invalid')).toBe('false');
  }
  await answer(page, { kind: 'tested', model: 'small', models: ['small', 'large'] });
  await dialog.getByText('It offers 2 models.').waitFor();
  await dialog.getByLabel('Model').press('Enter');
  const sent = [tested, tested, tested, user.assistantSaveRequested(entered)];
  expect(await called(4)).toEqual(sent.map(action));
  await answer(page, { kind: 'saved' });
  await closed(page);
  expect(await focused(page)).toBe('Message');
});

it('contract §3 model: the menus open and close with the pointer and the keys, and give the focus back; that of the models stays open until the choice is done', async () => {
  const { page, apply, called } = await sharedWindow();
  const frame = { person: 'Ada', messages: [message('1', [text('It.')])], words: ['again'] };
  await apply({ kind: 'snapshot', frame });
  const menu = button(page, 'Menu');
  const focuses: unknown[] = [];
  for (const way of ['Escape', 'Tab', 'button', 'log']) {
    await menu.press('ArrowDown');
    await page.locator('[role="menuitem"]:focus').waitFor();
    expect(await menu.getAttribute('aria-expanded')).toBe('true');
    if (way === 'log') await page.getByRole('log').click();
    else await (way === 'button' ? menu.click() : page.keyboard.press(way));
    await page.getByRole('menu').waitFor({ state: 'detached' });
    focuses.push(await focused(page));
  }
  await emit(page, 'assistantInUse', { isDemonstration: false, model: 'large' });
  const model = button(page, 'Model: large');
  for (const key of ['Escape', 'End']) {
    await model.click();
    await emit(page, 'models');
    await page.locator('[role="menuitem"]:focus').waitFor();
    await page.keyboard.press(key);
    focuses.push(await focused(page));
  }
  const places = ['Menu', 'Minimize', 'Menu', 'Conversation', 'Model: large', 'Settings of the assistant…'];
  expect(focuses).toEqual(places);
  await page.keyboard.press('Enter');
  await model.click();
  await emit(page, 'models');
  await page.locator('[role="menuitem"]:focus', { hasText: 'Asking the server' }).click({ force: true });
  await answer(page, { kind: 'tested', model: 'large', models: ['small', 'large'] });
  await page.locator('[aria-checked="true"]:focus').waitFor();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  const requested = (['models', 'models', 'assistant', 'models'] as const).map((dialog) =>
    user.dialogRequested({ dialog }),
  );
  const sent = [...requested, user.assistantModelRequested('small')].map(action);
  expect([await called(sent.length), await focused(page)]).toEqual([sent, 'small']);
  await answer(page, { kind: 'chosen' });
  await page.getByRole('menu').waitFor({ state: 'detached' });
  expect(await focused(page)).toBe('Model: large');
  // Forgets the model.
  await page.reload();
});

it('the sign-in form is empty after each deletion, and hides its characters again; a start that failed has the focus', async () => {
  const { page, account, dispatch } = await sharedWindow();
  await account(false);
  const password = page.getByLabel('Password');
  for (let count = 0; count < 2; count++) {
    for (const type of ['text', 'password']) {
      await button(page, 'Show characters').click();
      expect(await password.getAttribute('type')).toBe(type);
    }
    await password.fill('secret');
    await dispatch(deletionAnnounced({ text: 'Deleted.' }));
    await page.locator('input[inputmode="email"]:focus').waitFor();
    expect(await password.inputValue()).toBe('');
  }
  await button(page, 'Dismiss').click();
  await account('account-1');
  await dispatch(startFailed({ canSave: true }));
  await page.locator('h2:focus', { hasText: 'Parley stopped twice' }).waitFor();
  await account(false);
});
