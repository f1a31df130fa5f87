import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UnknownAction } from '@reduxjs/toolkit';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeCapture } from '#replay/testing/files.ts';
import { audioStarted, recordingStarted, windowOpened } from '#shared/actions/mainActions.ts';
import {
  alertShown,
  leftBottom,
  menuOpened,
  noteShown,
  signInFormChecked,
  textBoxEdited,
  textBoxOpened,
  viewChanged,
} from '#shared/actions/windowActions.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { axeViolations } from '../harness/axeViolations.ts';
import { messages, snapshot } from '../harness/message.ts';
import { type OpenInspector, setUpInspector } from './harness/inspector.ts';

const open = setUpInspector();

const act = (t: number, { type, payload }: UnknownAction, window?: number) => ({
  t,
  type: 'action',
  action: { type, payload },
  ...(window !== undefined && { window }),
});

const CONVERSATION = viewChanged({ view: 'conversation' });

const FORM = 3;
const RECORDS = [
  act(0, windowOpened(1)),
  act(0, viewChanged({ view: 'login' }), 1),
  act(0, signInFormChecked({ error: 'An error of the form.' }), 1),
  { t: 0, type: 'launch' },
  { t: 0, type: 'recv', data: JSON.stringify(snapshot(...messages(12)).frame) },
  act(200, windowOpened(2)),
  act(200, CONVERSATION, 1),
  act(200, CONVERSATION, 2),
  act(200, audioStarted()),
  act(200, recordingStarted()),
  act(200, textBoxOpened({ text: 'the draft' }), 1),
  act(200, textBoxOpened({ text: 'another draft' }), 2),
  act(200, menuOpened(), 1),
  act(200, noteShown({ text: 'A note.' }), 1),
  act(200, alertShown({ text: 'An alert.' }), 1),
  act(200, textBoxEdited({ text: 'the draft' }), 1),
  act(200, leftBottom(), 1),
];
/** The last step with the conversation at its bottom, and the last step. */
const ALERT = RECORDS.length;
const SCROLLED = ALERT + 1;

const draft = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const log = (page: Page) => page.getByRole('log', { name: 'Conversation' });
const head = (page: Page) => page.locator('.conversation-pane .pane-head');
const impacts = ['moderate', 'serious', 'critical'] as const;

describe('the picture of a window', () => {
  let inspector: OpenInspector;
  beforeAll(async () => {
    const ends: (() => unknown)[] = [];
    const folder = await mkdtemp(join(tmpdir(), 'parley-'));
    ends.push(() => rm(folder, { recursive: true }));
    const capture = await writeCapture(join(folder, 'x.parley.jsonl'), RECORDS);
    inspector = await open({ capture }, (end) => ends.unshift(end));
    return () => Promise.all(ends.map((end) => end()));
  });

  it('has no axe violation with a form, and with a text box, the menu, a note, a recording and an alert', async () => {
    const { page, go } = inspector;
    await go(FORM);
    expect(await axeViolations(page, impacts)).toEqual([]);
    await go(ALERT);
    expect(await axeViolations(page, impacts)).toEqual([]);
  });

  it('announces nothing', async () => {
    const { page, go } = inspector;
    const live = page.locator(
      '.window-picture :is([aria-live]:not([aria-live="off"]), [role="status"]:not([aria-live]), [role="alert"])',
    );
    for (const step of [FORM, ALERT]) {
      await go(step);
      expect(await live.count()).toBe(0);
    }
  });

  it('does nothing when its controls are pressed, and takes neither the focus nor the keys of the page', async () => {
    const { page, go, at } = inspector;
    await go(ALERT);
    const chosen: unknown[] = [];
    page.once('filechooser', (chooser) => chosen.push(chooser));
    const alert = page.getByRole('alertdialog');
    for (const control of [
      alert.getByRole('button', { name: 'OK' }),
      page.getByRole('button', { name: 'Attach a file' }),
      page.getByRole('button', { name: 'Log out' }),
      draft(page),
    ]) {
      await control.dispatchEvent('mousedown');
      await control.evaluate((element: HTMLElement) => element.click());
    }
    expect(await alert.isVisible()).toBe(true);
    expect(await page.evaluate(() => document.activeElement?.className)).not.toBe('picture-host');
    expect(chosen).toEqual([]);
    const focusable = page.locator('.window-picture :is(button, input, textarea, a)');
    expect(await focusable.evaluateAll((all) => all.filter(({ tabIndex }) => tabIndex >= 0).length)).toBe(0);
    await log(page).focus();
    await page.keyboard.press('x');
    await page.keyboard.press('ArrowLeft');
    await at(ALERT - 1);
    expect(await draft(page).inputValue()).toBe('the draft');
  });

  it('shows the window that is chosen by its name', async () => {
    const { page, go } = inspector;
    await go(ALERT);
    await page.getByRole('combobox', { name: 'Window', exact: true }).selectOption('Window 2');
    await expect.poll(() => draft(page).inputValue(), POLLING).toBe('another draft');
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    await page.getByRole('group', { name: 'Window 2' }).waitFor();
    await page.getByRole('combobox', { name: 'Window', exact: true }).selectOption('Window 1');
    await expect.poll(() => draft(page).inputValue(), POLLING).toBe('the draft');
  });

  it('stays at the bottom as the window did, and says when the window was scrolled up', async () => {
    const { page, go } = inspector;
    const fromBottom = () =>
      log(page).evaluate((list) => list.scrollHeight - list.clientHeight - list.scrollTop);
    await go(ALERT);
    await expect.poll(fromBottom, POLLING).toBeLessThan(5);
    expect(await head(page).textContent()).not.toContain('scrolled up');
    await go(SCROLLED);
    await expect.poll(() => head(page).textContent(), POLLING).toContain('scrolled up');
    await log(page).evaluate((list) => list.scrollTo({ top: 0 }));
    await go(ALERT);
    await expect.poll(fromBottom, POLLING).toBeLessThan(5);
    expect(inspector.problems).toEqual([]);
  });
});
