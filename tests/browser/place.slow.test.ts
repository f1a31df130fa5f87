import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { preferencesChanged } from '#shared/actions/userActions.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { axeViolations } from './harness/axeViolations.ts';
import { dropFile } from './harness/dropFile.ts';
import { settled } from './harness/find.ts';
import { appended, message, snapshot, text, uneven } from './harness/message.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';

const { open } = setUpSharedWindow();

const scrollTop = (page: Page) => page.getByRole('log').evaluate((log) => log.scrollTop);
const aboveBottom = (page: Page) =>
  page.getByRole('log').evaluate((log) => Math.round(log.scrollHeight - log.clientHeight - log.scrollTop));

/** Returns the first row in view, and how far it begins below the top of the view, in steps of 4 pixels. */
const rowOnTop = (page: Page) =>
  page.getByRole('log').evaluate((log) => {
    const { top } = log.getBoundingClientRect();
    const rows = Array.from(log.querySelectorAll<HTMLElement>('[data-row]'));
    const row = rows.find((one) => one.getBoundingClientRect().bottom > top);
    return [row?.dataset['row'], Math.round(((row?.getBoundingClientRect().top ?? 0) - top) / 4)];
  });

/** Gives the window the focus, or takes it. */
const focusWindow = (page: Page, hasFocus: boolean) =>
  page.evaluate((has) => {
    document.hasFocus = () => has;
    window.dispatchEvent(new Event(has ? 'focus' : 'blur'));
  }, hasFocus);

/** Returns the id of the message below the divider. */
const firstNew = (page: Page) =>
  page
    .getByRole('separator', { name: 'New messages' })
    .evaluateAll((all) =>
      all.map((one) => one.parentElement?.querySelector<HTMLElement>('article')?.dataset['messageId']),
    );

/** Opens a conversation that is scrolled up. */
async function scrolledUp(count: number) {
  const window = await open();
  await window.signedIn(snapshot(...uneven(count)));
  await window.page.locator(`[data-message-id="m${count}"]`).waitFor();
  // Scrolling to the newest message would end the scroll of the key.
  await settled(window.page);
  await window.page.getByRole('log').focus();
  await window.page.keyboard.press('PageUp');
  await expect.poll(() => aboveBottom(window.page)).toBeGreaterThan(100);
  return window;
}

const arriving = ['n1', 'n2', 'own', 'n3'].map((id) =>
  appended(message(id, [text(id)], id === 'own' ? { modifier: 'client', context: 'Ada' } : {})),
);

it('spec §4.4 item 4: without the setting, each update scrolls to the bottom', async () => {
  const { page, apply } = await scrolledUp(100);
  await apply(...arriving);
  await expect.poll(() => aboveBottom(page)).toBe(0);
  await expect.poll(() => page.getByRole('button', { name: /new message/ }).count()).toBe(0);
});

it.each([100, 5000])(
  'stays where the person reads in %i messages, counts the new ones of others, and goes to them',
  async (count) => {
    const { page, apply, dispatch, problems } = await scrolledUp(count);
    await dispatch(preferencesChanged({ stayWhereIRead: true }));
    const before = await scrollTop(page);
    await apply(...arriving);
    const button = page.getByRole('button', { name: '3 new messages' });
    await button.waitFor();
    expect(await button.textContent()).toBe('↓ 3 new');
    expect(Math.abs((await scrollTop(page)) - before)).toBeLessThan(2);
    expect(await axeViolations(page, ['minor', 'moderate', 'serious', 'critical'])).toEqual([]);
    await button.click();
    await expect.poll(() => aboveBottom(page), POLLING).toBe(0);
    await button.waitFor({ state: 'detached' });
    const log = page.getByRole('log');
    await expect.poll(() => log.evaluate((one) => one === document.activeElement), POLLING).toBe(true);
    await expect.poll(() => firstNew(page), POLLING).toEqual(['n1']);
    await apply(appended(message('n4', [text('n4')])));
    await page.locator('[data-message-id="n4"]').waitFor();
    await expect.poll(() => aboveBottom(page)).toBe(0);
    await page.keyboard.press('PageUp');
    await expect.poll(() => aboveBottom(page)).toBeGreaterThan(100);
    await apply(appended(message('n5', [text('n5')])));
    await page.getByRole('button', { name: '1 new message' }).waitFor();
    await page.keyboard.press('End');
    await expect.poll(() => aboveBottom(page), POLLING).toBe(0);
    await expect.poll(() => firstNew(page), POLLING).toEqual(['n5']);
    expect(problems).toEqual([]);
  },
);

/**
 * Opens a conversation of 100 messages with the setting, at its newest message. `updateAfter` lets a message arrive immediately after events at the
 * element with the focus: the browser has reported no scroll in between.
 */
async function stayingAtBottom() {
  const opened = await open();
  const { page, signedIn, dispatch, apply } = opened;
  await signedIn(snapshot(...uneven(100)));
  await dispatch(preferencesChanged({ stayWhereIRead: true }));
  await page.locator('[data-message-id="m100"]').waitFor();
  await page.getByRole('log').focus();
  await expect.poll(() => aboveBottom(page)).toBe(0);
  const updateAfter = async (happened: Happened) => {
    await page.evaluate(({ wheel = 0, scrolls = 0, keys = [] }) => {
      const { forward } = window.fakeMain;
      window.fakeMain.forward = (action) => {
        const log = document.querySelector('[role="log"]');
        log?.dispatchEvent(new WheelEvent('wheel', { deltaY: wheel }));
        // Of an earlier scroll, to the newest message.
        log?.dispatchEvent(new Event('scroll'));
        log?.scrollBy(0, scrolls);
        for (const key of keys) {
          const pressed = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
          document.activeElement?.dispatchEvent(pressed);
        }
        window.fakeMain.forward = forward;
        forward(action);
      };
    }, happened);
    await apply(appended(message('n', [text('n\n'.repeat(20))])));
    await page.locator('[data-message-id="n"]').waitFor();
  };
  return { page, updateAfter };
}

interface Happened {
  /** How far the wheel turns down, in pixels. */
  readonly wheel?: number;
  /** How far the browser has scrolled down, in pixels. */
  readonly scrolls?: number;
  /** The pressed keys. */
  readonly keys?: readonly string[];
}

it('stays where the wheel scrolls although an update arrives before the browser reports the scroll', async () => {
  const { page, updateAfter } = await stayingAtBottom();
  await updateAfter({ wheel: -600, scrolls: -300 });
  await page.getByRole('button', { name: '1 new message' }).waitFor();
  expect(await aboveBottom(page)).toBeGreaterThan(600);
});

it('follows the newest message when the wheel turns up by hardly anything', async () => {
  const { page, updateAfter } = await stayingAtBottom();
  await updateAfter({ wheel: -3, scrolls: -3 });
  await expect.poll(() => aboveBottom(page)).toBe(0);
});

it('stays at the message that the arrow keys reach although an update arrives at once', async () => {
  const { page, updateAfter } = await stayingAtBottom();
  await updateAfter({ keys: Array.from({ length: 30 }, () => 'ArrowUp') });
  await page.getByRole('button', { name: '1 new message' }).waitFor();
  expect(await aboveBottom(page)).toBeGreaterThan(600);
});

it.each<[string, (page: Page) => Promise<void>]>([
  [
    'text',
    async (page) => {
      await page.keyboard.type('hello');
      await page.keyboard.press('Enter');
    },
  ],
  ['file', (page) => dropFile(page, { name: 'a.txt', type: 'text/plain', content: 'a' })],
])('shows a %s that the person sends while they have scrolled up', async (_, send) => {
  const { page, calls, apply, dispatch } = await scrolledUp(100);
  await dispatch(preferencesChanged({ stayWhereIRead: true }));
  await send(page);
  await expect.poll(() => calls.filter(([channel]) => channel === 'message')).toHaveLength(1);
  await expect.poll(() => aboveBottom(page)).toBe(0);
  await apply(...arriving);
  await page.locator('[data-message-id="n3"]').waitFor();
  await expect.poll(() => aboveBottom(page)).toBe(0);
});

it('stays where the person reads when a message cannot be sent', async () => {
  const { page, calls, disconnected, dispatch } = await scrolledUp(100);
  await dispatch(preferencesChanged({ stayWhereIRead: true }));
  await disconnected();
  await dropFile(page, { name: 'a.txt', type: 'text/plain', content: 'a' });
  await expect.poll(() => calls.filter(([channel]) => channel === 'message')).toHaveLength(1);
  expect(await aboveBottom(page)).toBeGreaterThan(100);
});

it('offers the setting, which is off, in the settings', async () => {
  const { page, calls, dispatch } = await scrolledUp(30);
  await page.evaluate((contents) => window.fakeMain.emit('settings', contents), {
    captures: '',
    stored: { recorded: { files: 0, bytes: 0 }, saved: { files: 0, bytes: 0 } },
  });
  const setting = page.getByRole('switch', { name: 'Stay where I read' });
  expect(await setting.isChecked()).toBe(false);
  await setting.click();
  await expect.poll(() => calls).toEqual([['action', preferencesChanged({ stayWhereIRead: true })]]);
  await dispatch(preferencesChanged({ stayWhereIRead: true }));
  await expect.poll(() => setting.isChecked()).toBe(true);
});

it('shows where the messages begin that arrived while the window did not have the focus', async () => {
  const { page, signedIn, apply } = await open();
  await signedIn(snapshot(...uneven(3)));
  await page.locator('[data-message-id="m3"]').waitFor();
  await focusWindow(page, false);
  expect(await firstNew(page)).toEqual([]);
  await apply(...arriving);
  await page.locator('[data-message-id="n3"]').waitFor();
  await expect.poll(() => firstNew(page)).toEqual(['n1']);
  await focusWindow(page, true);
  await apply(appended(message('n4', [text('n4')])));
  await page.locator('[data-message-id="n4"]').waitFor();
  await expect.poll(() => firstNew(page)).toEqual(['n1']);
  expect(await axeViolations(page, ['minor', 'moderate', 'serious', 'critical'])).toEqual([]);
  await focusWindow(page, false);
  await expect.poll(() => firstNew(page)).toEqual([]);
});

it('contract §3 newest message: offers a button to it whenever the person has scrolled up', async () => {
  const { page } = await scrolledUp(100);
  const button = page.getByRole('button', { name: 'Go to the newest message', exact: true });
  await button.click();
  await expect.poll(() => aboveBottom(page), POLLING).toBe(0);
  await button.waitFor({ state: 'detached' });
});

it.each([100, 5000])(
  'contract §3 stay here: scrolls back to where the person read in %i messages, and stays there until they return',
  async (count) => {
    const { page, apply, problems } = await scrolledUp(count);
    await page.waitForFunction(() => JSON.stringify(window.reports).includes('scroll/rested'));
    const before = await rowOnTop(page);
    await apply(appended(message('n1', [text('n1')])));
    const stay = page.getByRole('button', { name: 'Stay here', exact: true });
    await stay.waitFor();
    expect(await aboveBottom(page)).toBe(0);
    expect(await axeViolations(page, ['minor', 'moderate', 'serious', 'critical'])).toEqual([]);
    await stay.click();
    await expect.poll(() => rowOnTop(page), POLLING).toEqual(before);
    await apply(...arriving.slice(1));
    await page.getByRole('button', { name: '2 new messages' }).waitFor();
    expect(await rowOnTop(page)).toEqual(before);
    await page.keyboard.press('End');
    await expect.poll(() => aboveBottom(page), POLLING).toBe(0);
    await page.keyboard.press('PageUp');
    await expect.poll(() => aboveBottom(page), POLLING).toBeGreaterThan(100);
    await apply(appended(message('n4', [text('n4')])));
    await stay.waitFor();
    expect(await aboveBottom(page)).toBe(0);
    expect(problems).toEqual([]);
  },
);

it('offers to stay for 8 s, and gives the focus of the button back', async () => {
  const { page, apply } = await scrolledUp(100);
  await page.clock.install();
  await apply(appended(message('n1', [text('n1')])));
  const stay = page.getByRole('button', { name: 'Stay here', exact: true });
  await stay.focus();
  await page.clock.runFor(7900);
  expect(await stay.count()).toBe(1);
  await page.clock.runFor(200);
  await stay.waitFor({ state: 'detached' });
  const log = page.getByRole('log');
  expect(await log.evaluate((one) => one === document.activeElement)).toBe(true);
});
