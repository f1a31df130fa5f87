import { connectionRequested, dialogRequested } from '#shared/actions/userActions.ts';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { eveningPicture } from '#platform/assistant/pictures.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import { HOSTILE_MARKUP } from '#tests/builders/hostileMarkup.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';
import { appended, message, messages, snapshot, text, uneven } from './harness/message.ts';
import { copy, copyLater } from './harness/copy.ts';
import { findInBar, hits, markedTexts, positionOf, settled } from './harness/find.ts';

const { open, sharedWindow } = setUpSharedWindow();

/** Shows one message that contains these items. */
async function showing(...content: ContentItem[]) {
  const window = await sharedWindow();
  await window.signedIn(snapshot(message('1', content)));
  const items = window.page.locator('[data-category]');
  await expect.poll(() => items.count()).toBeGreaterThan(0);
  return { ...window, items };
}

const html = (markup: string): ContentItem => ({ category: 'html', html: markup });

/** Returns the distance of the view from the bottom, in pixels. */
const aboveBottom = (page: Page) =>
  page
    .getByRole('log', { name: 'Conversation' })
    .evaluate((log) => Math.round(log.scrollHeight - log.clientHeight - log.scrollTop));

/** Returns the first row in view once it is equal in three frames: scrolling and measuring take some. */
const firstInView = (page: Page) =>
  page.getByRole('log').evaluate(async (log) => {
    const seen: string[] = [];
    while (seen.length < 3 || new Set(seen.slice(-3)).size > 1) {
      await new Promise(requestAnimationFrame);
      const { top } = log.getBoundingClientRect();
      const rows = Array.from(log.querySelectorAll<HTMLElement>('[data-row]'));
      const first = rows.find((row) => row.getBoundingClientRect().bottom > top + 1);
      seen.push(`${first?.dataset['row']} ${log.scrollHeight}`);
    }
    return seen.at(-1)?.split(' ')[0] ?? '';
  });

/** Records every text that a live region receives from now on. */
const recordAnnouncements = (page: Page) =>
  page.evaluate(() => {
    const announced: string[] = [];
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes)
        if (target instanceof Element && target.closest('[aria-live]')?.matches('[aria-live="polite"]'))
          announced.push(...Array.from(addedNodes, (node) => node.textContent ?? ''));
    }).observe(document.body, { childList: true, subtree: true });
    Object.assign(window, { announced });
  });

const announced = (page: Page) => page.evaluate((): unknown => Reflect.get(window, 'announced'));

/** Records what screen readers announce from now on, after the class of the element that contains it. */
const recordLiveTexts = (page: Page) =>
  page.evaluate(() => {
    const heard: string[] = [];
    new MutationObserver((changes) => {
      for (const { target, addedNodes, type } of changes) {
        const element = target instanceof Element ? target : target.parentElement;
        const live = element?.closest('[aria-live]');
        if (live?.matches('[aria-live="polite"]') !== true) continue;
        const added = type === 'characterData' ? [target] : Array.from(addedNodes);
        const words = added.map((node) => node.textContent).join('');
        if (words !== '') heard.push(`${live.className.replace('connection-', '')}: ${words}`);
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
    Object.assign(window, { heard });
  });

const liveTexts = (page: Page) => page.evaluate((): unknown => Reflect.get(window, 'heard'));

/** Places in the conversation, up and down, as parts of its height. */
const JUMPS = [0.8, 0.6, 0.4, 0.2, 0.5, 0.7, 0.3, 0.1, 0.9];

const status = (page: Page) => page.locator('main').getAttribute('data-connection');

describe('markup', () => {
  it('draws text, lists, tables and embedded pictures', async () => {
    const { page, problems } = await showing(
      html(
        `<h2>Title</h2><ul><li>one</li></ul><table><tr><td>cell</td></tr></table><img alt="sky" src="data:image/png;base64,${eveningPicture()}">`,
      ),
    );
    await page.getByRole('heading', { name: 'Title' }).waitFor();
    await page.getByRole('cell', { name: 'cell' }).waitFor();
    await expect
      .poll(() =>
        page.getByRole('img', { name: 'sky' }).evaluate((one: HTMLImageElement) => one.naturalWidth),
      )
      .toBe(320);
    expect(problems).toEqual([]);
  });

  it('removes scripts, loads, styles, roles and forms, and makes no network request', async () => {
    const { page, apply } = await showing(text('before'));
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await apply(appended(message('2', HOSTILE_MARKUP.map(html))));
    const markup = page.locator('[data-message-id="2"]');
    await markup.getByText('words', { exact: true }).waitFor();
    const found = await markup.evaluate((item) => {
      // The window adds the containers of tables, and the direction of blocks.
      const all = Array.from(item.querySelectorAll('.markup :not(.table)'));
      return {
        tags: all
          .map((one) => one.localName)
          .filter((tag) => !/^(?:a|details|p|table|tbody|tr|td)$/u.test(tag)),
        attributes: all
          .flatMap((one) => Array.from(one.attributes, ({ name, value }) => `${name}=${value}`))
          .filter((attribute) => attribute !== 'dir=auto'),
      };
    });
    expect(found).toEqual({ tags: [], attributes: ['open='] });
    expect(await page.evaluate(() => 'wasRun' in window)).toBe(false);
    expect(requests).toEqual([]);
  });

  it('keeps links to the web and to mail only, and opens them in another window', async () => {
    const { items } = await showing(
      html(
        [
          'https://example.org/',
          'http://example.org/',
          'mailto:ada@example.org',
          'javascript:alert(1)',
          ' java\nscript:alert(1)',
          'data:text/html,x',
          'file:///etc/passwd',
          '//example.org/',
          '/logout',
          '#root',
          'blob:null/1',
        ]
          .map((href) => `<a href="${href}" target="_self" ping="https://evil.example">${href.trim()}</a>`)
          .join(' '),
      ),
    );
    const links = () =>
      items
        .locator('a')
        .evaluateAll((all) => all.filter((one) => one.hasAttribute('href')).map((one) => one.outerHTML));
    await expect
      .poll(links)
      .toEqual(
        ['https://example.org/', 'http://example.org/', 'mailto:ada@example.org'].map(
          (href) => `<a href="${href}" target="_blank" rel="noopener noreferrer">${href}</a>`,
        ),
      );
  });

  it.each(['', '<script>1</script>', '<p> </p>', '<img src="https://example.org/a.png">', '<svg></svg>'])(
    'shows three dots when %j has nothing visible',
    async (markup) => {
      const { items } = await showing(html(markup));
      expect(await items.first().textContent()).toBe('...');
    },
  );
});

describe('very large content', () => {
  it('shows the beginning of a text of ten million characters, then all of it on request', async () => {
    const long = `${'word '.repeat(2_000_000)}end`;
    const { page, items } = await showing(text(long));
    expect((await items.first().textContent())?.length).toBeLessThan(21_000);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => items.first().evaluate((one) => one.textContent.length)).toBe(long.length);
  });

  it('shows the first of thousands of items in one message, and a button for more', async () => {
    const { page, items } = await showing(...Array.from({ length: 3000 }, (_, i) => text(`item ${i}`)));
    await expect.poll(() => items.count()).toBe(500);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => items.count()).toBe(2500);
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => items.count()).toBe(3000);
    expect(await items.last().getAttribute('data-position')).toBe('last');
  });
});

describe('the view of the conversation', () => {
  it('contract §3 long conversations: puts all of 200 messages in the document and scrolls to the newest', async () => {
    const { page, signedIn } = await sharedWindow();
    await signedIn(snapshot(...messages(200)));
    await expect.poll(() => page.getByRole('article').count()).toBe(200);
    await expect.poll(() => aboveBottom(page)).toBe(0);
  });

  it.each([150, 5000])(
    'spec §4.4 item 4: scrolls %i messages to the bottom after every update, also one that changes nothing',
    async (count) => {
      const { page, signedIn, apply } = await sharedWindow();
      const log = page.getByRole('log');
      await signedIn(snapshot(...messages(count)));
      await page.getByText(`message ${count}`, { exact: true }).waitFor();
      await expect.poll(() => aboveBottom(page)).toBe(0);
      await log.evaluate((element) => element.scrollTo(0, 0));
      await page.getByText('message 1', { exact: true }).waitFor();
      await apply(appended(message('new', [text('a new one')])));
      // A virtual list draws the rows at its bottom one frame after the scroll.
      await page.getByText('a new one').first().waitFor();
      await expect.poll(() => aboveBottom(page)).toBe(0);
      await log.evaluate((element) => element.scrollTo(0, 0));
      await page.getByText('message 1', { exact: true }).waitFor();
      await apply({ kind: 'context', frame: { context: 'Later' } });
      await expect.poll(() => aboveBottom(page)).toBe(0);
      await log.evaluate((element) => element.scrollTo(0, 0));
      await page.getByText('message 1', { exact: true }).waitFor();
      await apply({ kind: 'context', frame: { context: 'Later' } });
      await expect.poll(() => aboveBottom(page)).toBe(0);
    },
  );

  it('contract §3 long conversations: puts only some of more than 200 messages in the document, in order, also when scrolled by keyboard', async () => {
    const { page, signedIn } = await sharedWindow();
    await signedIn(snapshot(...messages(5000)));
    await page.getByText('message 5000', { exact: true }).waitFor();
    expect(await page.getByRole('article').count()).toBeLessThan(100);
    await page.keyboard.press('Home');
    await page.getByText('message 1', { exact: true }).waitFor();
    const ids = await page
      .getByRole('article')
      .evaluateAll((all) => all.map((one) => one.dataset['messageId']));
    expect(ids.slice(0, 5)).toEqual(['m1', 'm2', 'm3', 'm4', 'm5']);
  });

  it('scrolls to the first and to the newest of 10,000 messages at one press of Home and End, and by pages from the title bar and the text box', async () => {
    const { page, signedIn } = await sharedWindow();
    await signedIn(snapshot(...uneven(10_000)));
    await page.locator('[data-message-id="m10000"]').waitFor();
    const top = () => page.getByRole('log').evaluate((log) => Math.round(log.scrollTop));
    for (const from of ['log', 'Minimize']) {
      if (from === 'log') await page.getByRole('log').focus();
      else await page.getByRole('button', { name: from }).focus();
      await page.keyboard.press('Home');
      expect(await firstInView(page)).toBe('0');
      expect(await top()).toBe(0);
      await page.keyboard.press('PageDown');
      await expect.poll(top).toBeGreaterThan(300);
      await page.keyboard.press('PageUp');
      await expect.poll(top).toBe(0);
      await page.keyboard.press('End');
      expect(Number(await firstInView(page))).toBeGreaterThan(9900);
      await expect.poll(() => aboveBottom(page)).toBe(0);
    }
    await page.keyboard.type('a draft');
    await page.keyboard.press('PageUp');
    await expect.poll(() => aboveBottom(page)).toBeGreaterThan(300);
    await page.keyboard.press('PageDown');
    await expect.poll(() => aboveBottom(page)).toBe(0);
    await page.keyboard.press('Home');
    await page.keyboard.type('not ');
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('not a draft');
    await expect.poll(() => aboveBottom(page)).toBe(0);
    await page.keyboard.press('Escape');
  });

  it('finds a text in the whole conversation, and Escape returns to the place before', async () => {
    const { page, signedIn } = await sharedWindow();
    await signedIn(snapshot(...messages(300)));
    await page.getByText('message 300', { exact: true }).waitFor();
    await page.getByRole('log').evaluate((log) => log.scrollBy(0, -500));
    await settled(page);
    const before = await positionOf(page);
    await findInBar(page, 'nothing');
    await expect.poll(() => hits(page)).toBe('No hits');
    await page.keyboard.press('Control+f');
    await page.keyboard.type('MESSAGE 20');
    await expect.poll(() => hits(page)).toBe('1 of 11');
    for (const expected of ['2 of 11', '3 of 11']) {
      await page.keyboard.press('Enter');
      await expect.poll(() => hits(page)).toBe(expected);
    }
    await expect.poll(() => markedTexts(page, 'find-current')).toEqual(['message 20']);
    await page.getByText('message 207', { exact: true }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Message' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('search').waitFor({ state: 'detached' });
    await settled(page);
    expect(await positionOf(page)).toEqual(before);
    // The entry of the application's menu.
    await page.evaluate(() => window.fakeMain.emit('find'));
    await page.getByRole('search').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('search').waitFor({ state: 'detached' });
  });

  it('keeps the place to which Home scrolled when the list changes its size in the same frame', async () => {
    const { page, signedIn } = await sharedWindow();
    await signedIn(snapshot(...messages(300)));
    await page.getByText('message 300', { exact: true }).waitFor();
    const top = await page.evaluate(async () => {
      const log = document.querySelector('[role="log"]');
      if (!log) throw new Error('There is no conversation.');
      // As when a row was measured: the list is higher now, and its observers are called in the next frame.
      const space = document.createElement('div');
      space.style.height = '50px';
      log.firstElementChild?.append(space);
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true }));
      for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
      space.remove();
      return log.scrollTop;
    });
    expect(top).toBe(0);
  });

  it('draws all rows in view in the frame that shows them while 1,000 messages scroll, and PageUp scrolls in one step', async () => {
    const { page, signedIn } = await sharedWindow();
    await signedIn(snapshot(...uneven(1000)));
    await page.locator('[data-message-id="m1000"]').waitFor();
    const missing = await page.getByRole('log').evaluate(async (log) => {
      const heights: number[] = [];
      for (let frame = 0; frame < 10; frame++) {
        log.scrollBy({ top: -600 });
        await new Promise(requestAnimationFrame);
        const first = log.querySelector('[data-row]')?.getBoundingClientRect();
        heights.push(Math.max(0, Math.round((first?.top ?? Infinity) - log.getBoundingClientRect().top)));
      }
      return heights;
    });
    expect(missing).toEqual(Array.from({ length: 10 }, () => 0));
    await page.keyboard.press('End');
    await expect.poll(() => aboveBottom(page)).toBe(0);
    await page.keyboard.press('PageUp');
    await expect.poll(() => aboveBottom(page)).toBeGreaterThan(300);
  });

  it('draws all rows in view in the frame that shows them when the scroll bar jumps to rows that are shorter than expected', async () => {
    const { page, signedIn } = await sharedWindow();
    // The list expects the height of the newest rows, which it measures first.
    const many = Array.from({ length: 1000 }, (_, at) =>
      message(`m${at}`, [text(at < 980 ? 'short' : `long${'\nline'.repeat(9)}`)]),
    );
    await signedIn(snapshot(...many));
    await page.locator('[data-message-id="m999"]').waitFor();
    const missing = await page.getByRole('log').evaluate(async (log, parts) => {
      const heights: number[] = [];
      for (const part of parts) {
        log.scrollTo({ top: part * log.scrollHeight });
        // The second frame begins with the rows of the first one as they were painted.
        for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
        const view = log.getBoundingClientRect();
        const rows = Array.from(log.querySelectorAll('[data-row]'))
          .filter((row) => row.checkVisibility({ visibilityProperty: true }))
          .map((row) => row.getBoundingClientRect())
          .toSorted((a, b) => a.top - b.top);
        let [longest, end] = [0, view.top];
        for (const { top, bottom } of rows) {
          if (bottom <= view.top || top >= view.bottom) continue;
          longest = Math.max(longest, top - end);
          end = Math.max(end, bottom);
        }
        heights.push(Math.round(Math.max(longest, view.bottom - end)));
      }
      return heights;
    }, JUMPS);
    expect(missing).toEqual(JUMPS.map(() => 0));
  });

  it.each([
    ['shows a new position of 200 messages at once', 200, 'scroll'],
    ['waits for the rows of a new position in 201 messages', 201, 'local, scroll'],
  ])('%s when the browser scrolls in a thread of its own', async (_, count, expected) => {
    const { page, signedIn } = await sharedWindow();
    await signedIn(snapshot(...messages(count)));
    await page.getByText(`message ${count}`, { exact: true }).waitFor();
    // Of two backgrounds one scrolls: the browser has to wait until the window has painted both.
    const attachments = page.getByRole('log').evaluate((log) => getComputedStyle(log).backgroundAttachment);
    expect(await attachments).toBe(expected);
  });

  // All of 100 messages are in the document, and some of 1,000.
  it.each([100, 1000])(
    'keeps the scroll position in %i messages while older ones arrive in parts',
    async (count) => {
      const { page, account, signedIn, holdParts } = await sharedWindow();
      // The first part has only the newest three messages, because they are 100 KB each.
      const many = Array.from({ length: count }, (_, at) =>
        message(`m${at}`, [
          { ...text(`number ${at} `.repeat(10)), html: at < count - 3 ? null : 'x'.repeat(100_000) },
        ]),
      );
      await signedIn(snapshot(...many));
      const release = holdParts();
      await page.reload();
      await account('account-1');
      await page.locator(`[data-message-id="m${count - 1}"]`).waitFor();
      const log = page.getByRole('log');
      const missing = log.getByText('Loading…');
      const isMissing = (row: string) => log.locator(`[data-row="${row}"]`, { hasText: 'Loading…' }).count();
      expect(Number(await firstInView(page))).toBeGreaterThan(count - 20);
      await log.evaluate((element) => element.scrollTo({ top: element.scrollHeight / 2 + 10 }));
      const row = await firstInView(page);
      expect(await isMissing(row)).toBe(1);
      release();
      await expect.poll(() => missing.count(), POLLING).toBe(0);
      expect(await firstInView(page)).toBe(row);
      expect(await log.locator(`[data-row="${row}"] [data-message-id="m${row}"]`).count()).toBe(1);
    },
  );

  it('keeps a selection that is scrolled out of view, and copies all of 5,000 messages after Ctrl+A', async () => {
    const { page, signedIn } = await sharedWindow();
    await signedIn(snapshot(...messages(5000)));
    await page.getByText('message 5000', { exact: true }).waitFor();
    await page.keyboard.press('Home');
    await page.getByText('message 1', { exact: true }).selectText();
    // The browser reports a selection in the next frame.
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await page.keyboard.press('End');
    await page.getByText('message 5000', { exact: true }).waitFor();
    expect(await page.evaluate(() => String(document.getSelection()).trim())).toBe('message 1');
    await page.keyboard.press('ControlOrMeta+a');
    const all = messages(5000).map((_, at) => `Parley:\nmessage ${at + 1}`);
    expect(await copyLater(page)).toBe(all.join('\n\n'));
  });

  it('stays at the bottom when a picture loads late or the window shrinks, but not after a person scrolled up', async (test) => {
    const { page, signedIn } = await sharedWindow();
    test.onTestFinished(() => page.setViewportSize({ width: 1280, height: 720 }));
    const picture = { category: 'image', text: 'evening.png', blob: eveningPicture() };
    await signedIn(snapshot(...messages(40), message('p', [picture, picture])));
    await expect
      .poll(() => page.locator('.picture').evaluateAll((all) => all.every((one) => one.clientHeight > 100)))
      .toBe(true);
    await expect.poll(() => aboveBottom(page)).toBe(0);
    await page.setViewportSize({ width: 500, height: 400 });
    await expect.poll(() => aboveBottom(page)).toBe(0);
    // Waits for the scroll event: before it, the view still counts as at the bottom.
    await page.getByRole('log').evaluate(
      (log) =>
        new Promise((resolve) => {
          log.addEventListener('scroll', resolve, { once: true });
          log.scrollBy(0, -300);
        }),
    );
    await expect.poll(() => aboveBottom(page)).toBe(300);
    await page.setViewportSize({ width: 500, height: 500 });
    await expect.poll(() => aboveBottom(page)).toBeGreaterThan(100);
  });
});

describe('the keys of the messages', () => {
  it('moves the focus with the arrows, opens the actions with Enter, quotes, and returns with Escape', async () => {
    const { page, signedIn } = await sharedWindow();
    await signedIn(snapshot(...messages(3)));
    await page.getByText('message 3', { exact: true }).waitFor();
    const focused = () =>
      page.evaluate(() => {
        const { activeElement } = document;
        const row = activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'];
        return row ?? activeElement?.getAttribute('role') ?? '';
      });
    await page.getByRole('log').focus();
    await page.keyboard.press('ArrowUp');
    const description = () =>
      page.evaluate(() => {
        const id = document.activeElement?.getAttribute('aria-describedby') ?? '';
        return document.getElementById(id)?.textContent;
      });
    await expect.poll(description).toBe('message 3');
    await page.keyboard.press('ArrowUp');
    await expect.poll(description).toBe('message 2');
    await page.getByRole('log').focus();
    for (const [key, expected] of [
      ['ArrowUp', '2'],
      ['ArrowUp', '1'],
      ['ArrowDown', '2'],
      ['ArrowDown', '2'],
      ['ArrowUp', '1'],
      ['Enter', 'menuitem'],
      ['Escape', '1'],
      ['Escape', 'log'],
      ['ArrowDown', '0'],
      ['Enter', 'menuitem'],
      ['q', 'menuitem'],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(async () => [key, await focused()]).toEqual([key, expected]);
    }
    await page.keyboard.press('Enter');
    const box = page.getByRole('textbox', { name: 'Message' });
    await expect.poll(() => box.inputValue()).toBe('> message 1\n\n');
    await page.keyboard.press('Escape');
  });

  it('is one Tab stop however many links the messages have, and Tab reaches those of the message with the focus', async () => {
    const { page, signedIn } = await sharedWindow();
    const picture = { category: 'image', text: 'sky.png', blob: eveningPicture() };
    await signedIn(
      snapshot(
        message('1', [text('https://one.example/'), picture]),
        message('2', [html('<p><a href="https://two.example/">two</a></p>'), text('https://three.example/')]),
        message('3', [text('four')]),
      ),
    );
    await page.getByText('four', { exact: true }).waitFor();
    const focused = () =>
      page.evaluate(() => {
        const { activeElement: one } = document;
        return one?.closest('article') === one || one?.getAttribute('role') === 'log'
          ? one?.ariaLabel || one?.getAttribute('data-message-id')
          : one?.ariaLabel || one?.textContent || one?.querySelector('img')?.alt;
      });
    const walk = async (...keys: readonly string[]) => {
      const places: unknown[] = [];
      for (const key of keys) {
        await page.keyboard.press(key);
        places.push(await focused());
      }
      return places;
    };
    await page.getByRole('button', { name: 'Close', exact: true }).focus();
    const ends = ['Conversation', 'Attach a file', 'Conversation', 'Close'];
    expect(await walk('Tab', 'Tab', 'Shift+Tab', 'Shift+Tab')).toEqual(ends);
    expect(await walk('Tab', 'ArrowUp', 'Tab', 'Tab', 'Shift+Tab')).toEqual([
      'Conversation',
      '3',
      'Copy',
      'Attach a file',
      'Conversation',
    ]);
    const links = ['two', 'https://three.example/'];
    expect(await walk('ArrowUp', 'ArrowUp', 'Tab', 'Tab', 'Tab')).toEqual([
      '3',
      '2',
      ...links,
      'Attach a file',
    ]);
    await walk('Shift+Tab', 'ArrowUp', 'ArrowUp', 'Tab', 'Tab');
    expect(await walk('Shift+Tab', 'Shift+Tab', 'Shift+Tab')).toEqual(['two', '2', 'Close']);
    expect(await walk('Tab', 'ArrowDown', 'Tab', 'Tab', 'Tab')).toEqual([
      'Conversation',
      '1',
      'https://one.example/',
      'sky.png',
      'Attach a file',
    ]);
    // A key that is pressed before the window's timers run moves the focus from the log, too.
    await page.evaluate(() => {
      const { setTimeout } = window;
      Reflect.set(window, 'setTimeout', (task: () => void, delay = 0) => setTimeout(task, delay + 500));
      Reflect.set(window, 'restoreTimers', () => Reflect.set(window, 'setTimeout', setTimeout));
    });
    const places = ['Conversation', '3', 'Copy', 'Attach a file'];
    expect(await walk('Shift+Tab', 'ArrowUp', 'Tab', 'Tab')).toEqual(places);
    await page.evaluate('restoreTimers()');
    // The button beside the message and the entries of its menu are no Tab stops.
    await walk('Shift+Tab', 'ArrowUp', 'Enter');
    expect(await walk('Tab', 'Tab')).toEqual(['Copy', 'Attach a file']);
  });
});

describe('copying', () => {
  it('copies markup line by line and as HTML, files and images by their names, and parts of the first and of the last message', async () => {
    const { page, signedIn } = await sharedWindow();
    const table = '<table><tr><td>1</td><td>2</td></tr></table>';
    await signedIn(
      snapshot(
        message('1', [html('<p>Hello <b>bold</b></p><ul><li>one</li><li>two</li></ul>'), text('a\nb')]),
        message('2', [{ category: 'file', text: 'notes.txt', blob: btoa('notes') }, html(table)], {
          context: 'Ada',
        }),
        message('3', [{ category: 'image', text: 'sky.png', blob: eveningPicture() }], { context: '' }),
        message('4', [text('the end')]),
      ),
    );
    await page.getByText('the end', { exact: true }).waitFor();
    const middle = 'Ada:\nnotes.txt\n1\t2\n\nsky.png';
    await page.getByRole('log').focus();
    await page.keyboard.press('ControlOrMeta+a');
    const all = `Parley:\nHello bold\none\ntwo\na\nb\n\n${middle}\n\nParley:\nthe end`;
    expect(await copy(page)).toBe(all);
    // As the menu of Electron does: it selects the whole page.
    await page.evaluate(() => document.getSelection()?.selectAllChildren(document.body));
    expect(await copy(page)).toBe(all);
    expect(await copy(page, 'text/html')).toContain(
      '<strong>Parley</strong></header><div dir="auto" data-kind="html"><p dir="auto">Hello <b>bold</b></p>',
    );
    await page.evaluate(() => {
      const texts = document.createTreeWalker(
        document.querySelector('.log') ?? document,
        NodeFilter.SHOW_TEXT,
      );
      const nodes: Node[] = [];
      while (texts.nextNode()) nodes.push(texts.currentNode);
      const find = (words: string) => nodes.find((node) => node.nodeValue === words) ?? document;
      document.getSelection()?.setBaseAndExtent(find('the end'), 3, find('bold'), 2);
    });
    expect(await copy(page)).toBe(`Parley:\nld\none\ntwo\na\nb\n\n${middle}\n\nParley:\nthe`);
    await page.getByText('the end', { exact: true }).selectText();
    expect(await copy(page)).toBe('');
  });
});

/** Messages that a converter could take for markup, and files that it could lose. */
const ATTACK = [
  message('1', [text('# not *bold* </script><script>wasRun = 1</script>\n  indented')], {
    context: '**Ada**',
    modifier: 'client',
  }),
  message('2', [
    html('<p>Some <b>bold</b></p><script>wasRun = 1</script><a href="javascript:wasRun = 1">press</a>'),
    { category: 'image', text: '../"x" onerror="wasRun = 1', blob: eveningPicture() },
    { category: 'file', text: '../../notes.txt', blob: btoa('notes') },
  ]),
  message('3', [text('שלום'), html('x'.repeat(200_001))]),
  message('4', []),
];

/** Exports the conversation in a format; returns the name and the text of the file. */
async function exported(page: Page, format: string) {
  await page.evaluate(() => window.fakeMain.emit('export'));
  await page.getByRole('radio', { name: format }).check();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export', exact: true }).click(),
  ]);
  return { name: download.suggestedFilename(), file: await readFile(await download.path(), 'utf8') };
}

describe('a conversation outside of the window', () => {
  it('is exported as a page that runs nothing and contains its files, as Markdown and as text', async () => {
    const { page, signedIn, problems } = await sharedWindow();
    await signedIn(snapshot(...ATTACK));
    const web = await exported(page, 'Web page');
    expect(web.name).toMatch(/^Conversation of Ada Lovelace \d{4}-\d\d-\d\d \d\d\.\d\d\.html$/u);
    expect(web.file).toContain(`content="default-src 'none'; style-src 'sha256-`);
    expect(web.file).toContain(`src="data:image/png;base64,${eveningPicture()}"`);
    expect(web.file).toContain(`download="_.._notes.txt">`);
    expect(web.file).toContain(`href="data:application/octet-stream;base64,${btoa('notes')}"`);
    expect(web.file).toContain('&lt;script&gt;wasRun = 1');
    expect(web.file.match(/<article/gu)).toHaveLength(3);
    expect(web.file).toMatch(
      /<h1[^>]*>Conversation of Ada Lovelace<\/h1><p>4 messages, exported from Parley on /u,
    );
    expect(web.file).toContain('alt="../&quot;x&quot; onerror=&quot;wasRun = 1"');
    expect(/<script|javascript:/u.test(web.file)).toBe(false);
    const markdown = await exported(page, 'Markdown');
    expect(markdown.name).toMatch(/\.md$/u);
    expect(markdown.file).toContain(
      String.raw`**\*\*Ada\*\***

\# not \*bold\* \</script>\<script>wasRun = 1\</script>\
\u00A0\u00A0indented

---

**Parley**

Some **bold**

press

Image: ../"x" onerror="wasRun = 1

File: ../../notes.txt
`.replaceAll(String.raw`\u00A0`, '\u00A0'),
    );
    const plain = await exported(page, 'Plain text');
    expect(plain.name).toMatch(/\.txt$/u);
    expect(plain.file).toContain('\n**Ada**:\n# not *bold* </script>');
    expect(plain.file).toContain('\nParley:\nשלום\n');
    expect(problems).toEqual([]);
  });

  it('is printed whole and light, by Parley’s command and by the browser’s', async () => {
    const { page, signedIn, calls } = await sharedWindow();
    const wide = html(
      `<pre>${'word '.repeat(80)}</pre><table><tr>${'<td>Cell</td>'.repeat(40)}</tr></table>`,
    );
    await signedIn(snapshot(...messages(59), message('m60', [wide, text('message 60')])));
    await page.evaluate(() => (document.documentElement.dataset['theme'] = 'dark'));
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const schemes = (...selectors: string[]) =>
      page
        .locator(selectors.join())
        .evaluateAll((all) => Array.from(new Set(all.map((one) => getComputedStyle(one).colorScheme))));
    expect(await schemes(':root', 'body', '.item')).toEqual(['light']);
    const scrolling = await page
      .locator('.markup, .markup *')
      .evaluateAll((all) => all.filter((one) => getComputedStyle(one).overflowX !== 'visible').length);
    expect(scrolling).toBe(0);
    const code = page.locator('.markup pre');
    expect(await code.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    const paper = () => page.evaluate(() => document.body.innerText);
    const isWhole = expect.stringMatching(/message 1\n[^]*message 60/u);
    expect(await paper()).toEqual(isWhole);
    expect(await paper()).not.toContain('Log out');
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(2000);
    await page.keyboard.press('ControlOrMeta+p');
    await expect.poll(() => calls).toContainEqual(['action', dialogRequested({ dialog: 'print' })]);
    await page.evaluate(() => {
      window.print = () => document.body.classList.add('printed');
      window.fakeMain.emit('print');
    });
    await page.locator('body.printed').waitFor();
    expect(await paper()).toMatch(/^Conversation of Ada Lovelace/u);
    expect(await schemes(':root', '.print-area', '.print-area p')).toEqual(['light']);
    expect(await paper()).toEqual(isWhole);
    await page.evaluate(() => {
      document.body.classList.remove('printed');
      dispatchEvent(new Event('afterprint'));
    });
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
    await page.evaluate(() => delete document.documentElement.dataset['theme']);
    await page.locator('.print-area').waitFor({ state: 'detached' });
  });
});

describe('the announcements for a screen reader', () => {
  it('contract §3 conversation: announces each new item of another sender once with the sender, a streamed text when it is complete, and neither a snapshot nor scrolling', async () => {
    const { page, account, connected, apply } = await open();
    await account('account-1');
    await connected();
    await page.getByRole('log').waitFor();
    await recordAnnouncements(page);
    await apply(snapshot(...messages(300)));
    await page.getByText('message 300', { exact: true }).waitFor();
    await apply(appended(message('n1', [text('first news'), text('second news')])));
    await apply(appended(message('o1', [text('own words')], { modifier: 'client', context: 'Ada' })));
    await apply(appended(message('n2', [text('')], { context: '' })));
    for (const words of ['Wor', 'Word by', 'Word by word'])
      await apply({ kind: 'text', frame: { text: words } });
    const heard = ['Parley: first news', 'Parley: second news', 'Word by word'];
    await expect.poll(() => announced(page)).toEqual(heard);
    await apply({ kind: 'context', frame: { context: 'Bob' } });
    await page.keyboard.press('Home');
    await page.getByText('message 1', { exact: true }).waitFor();
    await apply({ kind: 'content', frame: text('more') });
    await expect.poll(() => announced(page)).toEqual([...heard, 'Bob: more']);
    expect(await page.getByRole('log').getAttribute('aria-live')).toBe('off');
  });
});

describe('the connection', () => {
  it('contract §3 connection: shows connecting, connected and reconnecting as text and as an attribute, and a lost connection in a bar with the time of the next try', async () => {
    // With a page of its own, which keeps the clock.
    const { page, account, connected, disconnected } = await open({ locale: 'en-US' });
    await account('account-1');
    await page.getByText('Connecting…').waitFor();
    expect(await status(page)).toBe('disconnected');
    await connected();
    await page.getByText('Connected', { exact: true }).waitFor();
    expect(await status(page)).toBe('connected');
    await disconnected();
    await page.getByText('Reconnecting…').waitFor();
    expect(await status(page)).toBe('disconnected');
    expect(await page.getByRole('button', { name: 'Reconnect' }).count()).toBe(0);

    const bar = page.locator('.connection-bar');
    await connected();
    await page.clock.install({ time: new Date(2026, 10, 22, 16, 19, 0) });
    await page.clock.pauseAt(new Date(2026, 10, 22, 16, 20, 0));
    await recordLiveTexts(page);
    const at = await page.evaluate(() => Date.now());
    await disconnected('', at + 500);
    await page.getByText('Reconnecting…').waitFor();
    await page.clock.runFor(2000);
    await disconnected('', at + 2500);
    expect(await bar.textContent()).toBe('');
    expect(await bar.isVisible()).toBe(false);
    await page.clock.runFor(1000);
    await disconnected('', at + 5000);
    await expect.poll(() => bar.textContent()).toMatch(/^Connection lost\. .* Next try at 4:20:05\sPM$/);
    await expect.poll(() => bar.getAttribute('aria-live')).toBe('polite');
    expect(await bar.textContent()).toContain('Parley tries again by itself.');
    expect(await bar.isVisible()).toBe(true);
    const [barBox, titleBar] = [await bar.boundingBox(), await page.locator('.title-bar').boundingBox()];
    expect(barBox?.y).toBe(titleBar?.height);
    expect(barBox?.height).toBeGreaterThan(20);
    expect(await bar.getByText('4:20:05').locator('..').getAttribute('aria-live')).toBe('off');
    expect(await page.locator('.pill').getAttribute('aria-live')).toBe('off');
    await page.clock.runFor(4000);
    await expect.poll(() => bar.textContent()).toMatch(/Trying now, since 4:20:05\sPM$/);
    await connected();
    await expect.poll(() => bar.textContent()).toBe('');
    expect(await bar.isVisible()).toBe(false);
    expect(await page.locator('.pill').getAttribute('aria-live')).toBe('polite');
    const heard = [expect.stringMatching(/^bar: Connection lost\./u), 'pill: Connected'];
    await expect.poll(() => liveTexts(page)).toEqual(heard);
    // Now the person writes: the line above the text box says it, and the bar only the reason of a close.
    await page.keyboard.type('a');
    await disconnected('', at + 500);
    await page.getByText('Reconnecting…').waitFor();
    await page.clock.runFor(4000);
    await bar.getByText('Connection lost.').waitFor();
    await connected();
    heard.push('offline: Not connected: what you send now is lost. Arrow up brings the text back.');
    await expect.poll(() => liveTexts(page)).toEqual([...heard, 'pill: Connected']);
    await disconnected('maintenance');
    heard.push('pill: Connected', 'bar: Disconnected: maintenance', 'bar: Reconnect');
    await expect.poll(() => liveTexts(page)).toEqual(heard);
    await page.keyboard.press('Escape');
    await page.keyboard.type('b');
    await page.getByText('Not connected: what you send now is lost.').waitFor();
    await connected();
    await expect.poll(() => liveTexts(page)).toEqual([...heard, 'pill: Connected']);
  });

  it('shows the reason and a button to reconnect when it was closed for another reason, and keeps the place in the conversation', async () => {
    const { page, calls, signedIn, connected, disconnected } = await sharedWindow();
    await signedIn(snapshot(...messages(100)));
    await page.getByText('message 100', { exact: true }).waitFor();
    await expect.poll(() => aboveBottom(page)).toBe(0);
    await disconnected('maintenance');
    await page.getByText('Disconnected: maintenance', { exact: true }).waitFor();
    await expect.poll(() => aboveBottom(page)).toBe(0);
    await page.getByRole('button', { name: 'Reconnect', exact: true }).click();
    await expect.poll(() => calls).toEqual([['action', connectionRequested()]]);
    await page.keyboard.press('Home');
    expect(await firstInView(page)).toBe('0');
    await connected();
    await page.getByText('Disconnected: maintenance').waitFor({ state: 'detached' });
    expect(await page.getByRole('log').evaluate((log) => log.scrollTop)).toBe(0);
  });

  it('shows a hint how to begin while there are no messages', async () => {
    const { page, signedIn, apply } = await sharedWindow();
    await signedIn(snapshot());
    const hint = page.getByText('Just start typing');
    await expect.poll(() => hint.count()).toBe(1);
    await apply(appended(message('1', [text('hello')])));
    await expect.poll(() => hint.count()).toBe(0);
  });
});
