import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { setUpSharedWindow } from './harness/sharedWindow.ts';
import { message, snapshot, text } from './harness/message.ts';

const { open, sharedWindow } = setUpSharedWindow();

/** Shows one message and no text box in the window that the tests share. */
async function conversation() {
  const window = await sharedWindow();
  // Closes the text box that the test before may have left open.
  await window.page.keyboard.press('Escape');
  await box(window.page).waitFor({ state: 'detached' });
  await window.apply(snapshot(message('1', [text('Hello, Ada.')])));
  await window.page.getByRole('article').waitFor();
  return window;
}

const box = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const icon = (page: Page) => page.getByRole('button', { name: 'Write a message' });

/**
 * Returns the ids of the messages that were rendered since the last call. React gives an element new properties when its component is
 * rendered, also when they are equal, and keeps them at the element.
 */
const rendersSince = (page: Page) =>
  page.evaluate(() => {
    const seen: WeakSet<object> = Reflect.get(window, 'seenProps') ?? new WeakSet();
    Reflect.set(window, 'seenProps', seen);
    return [...document.querySelectorAll('article')].flatMap((article) => {
      const key = Object.keys(article).find((name) => name.startsWith('__reactProps')) ?? '';
      const props: object = Reflect.get(article, key);
      if (seen.has(props)) return [];
      seen.add(props);
      return [article.dataset['messageId'] ?? ''];
    });
  });

describe('opening and closing the text box', () => {
  it('contract §3 floating icon: shows the initials; a click opens an empty box with the focus', async () => {
    const { page } = await conversation();
    expect(await icon(page).textContent()).toBe('AL');
    await icon(page).click();
    expect(await box(page).inputValue()).toBe('');
    expect(await box(page).evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('shows the icon without initials when there is no name', async () => {
    const { page, signedIn } = await open();
    await signedIn();
    expect(await icon(page).textContent()).toBe('');
    expect(await icon(page).locator('svg').count()).toBe(1);
  });

  it('updates the initials when the name changes', async () => {
    const { page, apply } = await conversation();
    await apply({ kind: 'name', frame: { name: 'Grace Brewster Hopper' } });
    await expect.poll(() => icon(page).textContent()).toBe('GH');
  });

  it.each(['h', 'H', '7', '?'])(
    'contract §3 text box: opens the box with the character once for the key %s',
    async (key) => {
      const { page } = await conversation();
      await page.keyboard.press(key);
      expect(await box(page).inputValue()).toBe(key);
    },
  );

  it('loses no character of text that is typed quickly', async () => {
    const { page } = await conversation();
    await page.keyboard.type('Hello there, assistant.');
    expect(await box(page).inputValue()).toBe('Hello there, assistant.');
  });

  it('renders no message while the person types, and only the changed one after an update', async () => {
    const { page, apply } = await conversation();
    const messages = Array.from({ length: 40 }, (_, i) => message(`m${i}`, [text(`Message ${i}`)]));
    await apply(snapshot(...messages));
    await expect.poll(() => page.getByRole('article').count()).toBe(40);
    await page.keyboard.type('h');
    await rendersSince(page);
    await page.keyboard.type('ello there');
    expect(await box(page).inputValue()).toBe('hello there');
    expect(await rendersSince(page)).toEqual([]);
    await apply({ kind: 'text', frame: { text: 'changed' } });
    await page.getByRole('article').getByText('changed', { exact: true }).waitFor();
    expect(await rendersSince(page)).toEqual(['m39']);
  });

  it('contract §3 text box: does not open the box for shortcuts or for keys without a character', async () => {
    const { page } = await conversation();
    const keys =
      'CapsLock Shift Control Alt Meta ArrowUp ArrowDown ArrowLeft ArrowRight Enter Backspace Escape Space F2 PageUp PageDown Home End Delete Insert Control+b Alt+b Meta+b';
    for (const key of keys.split(' ')) await page.keyboard.press(key);
    await page.evaluate(() => {
      for (const key of ['Dead', 'Process', 'Unidentified', 'AudioVolumeUp']) {
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      }
      const composing = { key: 'k', isComposing: true, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new KeyboardEvent('keydown', composing));
    });
    expect(await box(page).count()).toBe(0);
    await page.keyboard.press('x');
    expect(await box(page).inputValue()).toBe('x');
  });

  it('contract §3 text box: does not pass keys to the box while an alert is open', async () => {
    const { page } = await conversation();
    await icon(page).click();
    await box(page).fill('x'.repeat(250));
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').waitFor();
    await page.keyboard.press('y');
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect(await box(page).inputValue()).toBe('x'.repeat(250));
  });

  it('closes and clears the box on Escape', async () => {
    const { page, calls } = await conversation();
    await page.keyboard.type('never mind');
    await page.keyboard.press('Escape');
    expect(await box(page).count()).toBe(0);
    await icon(page).click();
    expect(await box(page).inputValue()).toBe('');
    expect(calls).toEqual([]);
  });

  it('restores the text that Escape dropped on Ctrl+Z, and recalls the last text on ArrowUp in the empty box', async () => {
    const { page } = await conversation();
    await page.keyboard.type('on second thought');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+z');
    expect(await box(page).inputValue()).toBe('on second thought');
    await page.keyboard.press('Enter');
    await icon(page).click();
    await page.keyboard.press('ArrowUp');
    expect(await box(page).inputValue()).toBe('on second thought');
  });

  it('deletes a character on Backspace, and closes on the last one', async () => {
    const { page } = await conversation();
    await page.keyboard.type('ab');
    await page.keyboard.press('Backspace');
    expect(await box(page).inputValue()).toBe('a');
    await page.keyboard.press('Backspace');
    expect(await box(page).count()).toBe(0);
  });

  it('stays open and empty when Backspace deletes a selection of all text', async () => {
    const { page } = await conversation();
    await page.keyboard.type('abc');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Backspace');
    expect(await box(page).inputValue()).toBe('');
  });
});

describe('sending', () => {
  it('sends one text message on Enter, closes the box and adds nothing to the conversation', async () => {
    const { page, calls } = await conversation();
    await page.keyboard.type('Hello!');
    await page.keyboard.press('Enter');
    expect(await box(page).count()).toBe(0);
    await expect.poll(() => calls).toEqual([['message', { category: 'text', text: 'Hello!', blob: null }]]);
    expect(await page.getByRole('article').count()).toBe(1);
  });

  it('sends nothing on Enter when the box is empty', async () => {
    const { page, calls } = await conversation();
    await icon(page).click();
    await page.keyboard.press('Enter');
    expect(await box(page).inputValue()).toBe('');
    expect(calls).toEqual([]);
  });

  it('inserts a new line on Shift+Enter, and sends with the button as with Enter', async () => {
    const { page, calls } = await conversation();
    await page.keyboard.type('one');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('two');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => calls).toEqual([['message', { category: 'text', text: 'one\ntwo', blob: null }]]);
  });

  it('shows whole lines of a long text, none of them at the border', async () => {
    const { page } = await conversation();
    await icon(page).click();
    await box(page).fill('line\n'.repeat(12));
    const { lines, above, below } = await box(page).evaluate((element) => {
      const [inner, outer] = [element, element.parentElement ?? element].map((one) =>
        one.getBoundingClientRect(),
      );
      const { lineHeight, paddingTop } = getComputedStyle(element);
      return {
        lines: (element.clientHeight - 2 * parseFloat(paddingTop)) / parseFloat(lineHeight),
        above: (inner?.top ?? 0) - (outer?.top ?? 0),
        below: (outer?.bottom ?? 0) - (inner?.bottom ?? 0),
      };
    });
    expect(lines).toBeCloseTo(6, 1);
    expect(Math.min(above, below)).toBeGreaterThan(10);
  });

  it('spec §7 row 10, §8 text length, contract §3 250 characters: sends 249 characters; for 250 shows the alert, sends nothing and keeps the text and the focus', async () => {
    const { page, calls } = await conversation();
    await icon(page).click();
    await box(page).fill('x'.repeat(250));
    await page.keyboard.press('Enter');
    const alert = page.getByRole('alertdialog', { name: '250 character limit', exact: true });
    expect(await alert.locator('p').textContent()).toBe('250 character limit');
    await alert.getByRole('button', { name: 'OK' }).click();
    await alert.waitFor({ state: 'detached' });
    expect(calls).toEqual([]);
    await page.keyboard.press('Backspace');
    await expect.poll(() => box(page).inputValue()).toBe('x'.repeat(249));
    await page.keyboard.press('Enter');
    await expect
      .poll(() => calls)
      .toEqual([['message', { category: 'text', text: 'x'.repeat(249), blob: null }]]);
  });

  it('keeps the caret of the text after Escape closed the alert, also for keys that are pressed at once', async () => {
    const { page } = await conversation();
    await icon(page).click();
    await box(page).fill('x'.repeat(250));
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').waitFor();
    // In one task: the dialog's `close` event is a later one.
    await box(page).evaluate((element: HTMLTextAreaElement) => {
      const escape = { key: 'Escape', bubbles: true, cancelable: true };
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', escape));
      element.setRangeText('y', element.selectionStart, element.selectionEnd, 'end');
      element.dispatchEvent(new InputEvent('input', { bubbles: true }));
    });
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect(await box(page).evaluate((element: HTMLTextAreaElement) => element.selectionStart)).toBe(251);
    await page.keyboard.press('Escape');
  });

  it('sends nothing on Enter while an input method is composing', async () => {
    const { page, calls } = await conversation();
    await page.keyboard.type('k');
    await box(page).evaluate((element) => {
      const enter = { key: 'Enter', isComposing: true, bubbles: true, cancelable: true };
      element.dispatchEvent(new KeyboardEvent('keydown', enter));
    });
    expect(await box(page).inputValue()).toBe('k');
    expect(calls).toEqual([]);
  });
});

describe('the keys of the text box', () => {
  it('spec §4.4 item 1: opens no text box for meta keys and Control shortcuts, and opens it with any other key', async () => {
    const { page } = await conversation();
    const meta = ['Tab', 'CapsLock', 'Shift', 'Control', 'Alt', 'Meta', ' ', 'Enter', 'Backspace', 'Escape'];
    const arrows = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];
    for (const key of [...meta, ...arrows, 'Control+a', 'Control+x']) {
      await page.getByRole('log').focus();
      await page.keyboard.press(key);
      expect([key, await box(page).count()]).toEqual([key, 0]);
    }
    await page.getByRole('log').focus();
    await page.keyboard.press('x');
    expect(await box(page).inputValue()).toBe('x');
  });

  it('spec §4.4 item 1: Escape closes and clears, Backspace closes on the last character, Enter sends and closes', async () => {
    const { page, calls } = await conversation();
    await page.keyboard.type('draft');
    await page.keyboard.press('Escape');
    expect(await box(page).count()).toBe(0);
    await page.keyboard.type('ab');
    await page.keyboard.press('Backspace');
    expect(await box(page).inputValue()).toBe('a');
    await page.keyboard.press('Backspace');
    expect(await box(page).count()).toBe(0);
    await page.keyboard.type('sent');
    await page.keyboard.press('Enter');
    expect(await box(page).count()).toBe(0);
    await expect.poll(() => calls).toEqual([['message', { category: 'text', text: 'sent', blob: null }]]);
  });
});
