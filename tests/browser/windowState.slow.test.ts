import { expect, it } from 'vitest';
import { z } from 'zod';
import { parseSentAction } from '#shared/actions/actionTable.ts';
import { stateReported } from '#shared/actions/windowActions.ts';
import { ofWindow, windowsReducer } from '#shared/store/openWindows.ts';
import { dropFile } from './harness/dropFile.ts';
import { type RendererWindow, setUpRenderer } from './harness/renderer.ts';
import { readWindowState } from './harness/readWindowState.ts';
import { messages, snapshot } from './harness/message.ts';
import { noticeRaised, windowOpened } from '#shared/actions/mainActions.ts';

const openRenderer = setUpRenderer();

const sentSchema = z.array(z.tuple([z.number(), z.unknown()]));

/** Requests the window's state; folds the actions before it as main does. Returns them, main's copy, and the state that the window sends. */
async function states({ page }: RendererWindow) {
  // At once: an action that the window sends meanwhile would be in one of the states only.
  const sent = await page.evaluate(() => {
    window.fakeMain.emit('requestState');
    return window.reports;
  });
  const reports = sentSchema.parse(sent);
  const actions = reports.map(([, action]) => parseSentAction(action));
  const own = actions.pop();
  const copy = [
    windowOpened(1),
    ...actions.map((action) => ofWindow(action ?? { type: 'refused' }, 1)),
  ].reduce(windowsReducer, {})[1]?.own;
  return { reports, copy, own: own && stateReported.match(own) ? own.payload.state : undefined };
}

it('contract §4 reports: main’s copy of a window’s state, from its actions, equals the state of the window', async () => {
  const renderer = await openRenderer();
  const { page } = renderer;
  await renderer.account(false);
  await page.getByRole('textbox', { name: 'Email' }).fill('ada@example.org');
  await page.getByRole('textbox', { name: 'Password' }).fill('Secret1!');
  await page.getByRole('button', { name: 'Show characters' }).click();
  const form = await states(renderer);
  expect(form.own).toMatchObject({
    view: 'login',
    signInForm: { email: 'ada@example.org', showsCharacters: true },
  });
  expect(form.copy).toEqual(form.own);

  await renderer.signedIn(snapshot(...messages(60)));
  await page.keyboard.type('x'.repeat(250));
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click();
  await page.getByRole('log').evaluate((log) => log.scrollTo({ top: 0 }));
  await dropFile(page, { name: 'large.bin', type: '', content: 'x'.repeat(1_000_000) });
  await page.getByRole('alertdialog').waitFor();
  await page.evaluate(() => {
    window.fakeMain.emit('deleteData', { folder: '/home/ada', isPlatformBuiltIn: true });
  });
  await renderer.dispatch(noticeRaised({ text: 'The disk is full.', until: 'dismissed' }));
  await page.getByRole('heading', { name: 'Delete my data' }).waitFor();
  // The browser reports a scroll in a later frame.
  await expect.poll(async () => (await readWindowState(page)).scroll.isAtBottom).toBe(false);
  const { reports, copy, own } = await states(renderer);
  expect(own).toMatchObject({
    view: 'conversation',
    textBox: 'x'.repeat(250),
    alerts: { waiting: [{ id: 1, text: 'File must be under 1MB.' }], nextId: 2 },
    notes: { text: 'The disk is full.' },
    dialog: { dialog: 'deleteData' },
    scroll: { isAtBottom: false },
  });
  expect(copy).toEqual(own);
  expect(reports.map(([number]) => number)).toEqual(reports.map((_, index) => index));
  expect(JSON.stringify(reports)).not.toMatch(/Secret1!|account-1/u);
  expect(renderer.problems).toEqual([]);
});
