import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { avatar, eveningPicture } from '#platform/assistant/pictures.ts';
import { sessionLaunched, updateApplied } from '#shared/actions/sessionActions.ts';
import type { ContentItem, Message } from '#shared/protocol/update.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';
import { appended, message, snapshot, text } from './harness/message.ts';

const { sharedWindow } = setUpSharedWindow();

/** Shows these messages and no other ones. */
async function showingMessages(...list: readonly Message[]) {
  const window = await sharedWindow();
  await window.apply(snapshot(...list));
  const articles = window.page.getByRole('article');
  const ids = () => articles.evaluateAll((all) => all.map((one) => one.dataset['messageId']));
  await expect.poll(ids, POLLING).toEqual(list.map(({ id }) => id));
  return { ...window, articles };
}

let shown = 0;

/** Shows one message that contains these items. */
async function showing(...content: ContentItem[]) {
  shown += 1;
  const window = await showingMessages(message(`shown-${shown}`, content));
  const items = window.page.locator('[data-category]');
  await expect.poll(() => items.count(), POLLING).toBe(content.length);
  return { ...window, items };
}

/** A red picture of 3 × 2 pixels. */
const BMP =
  'Qk1OAAAAAAAAADYAAAAoAAAAAwAAAAIAAAABABgAAAAAABgAAAATCwAAEwsAAAAAAAAAAAAAAAD/AAD/AAD/AAAAAAD/AAD/AAD/AAAA';
/** A picture of 2 × 2 pixels. */
const AVIF =
  'AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAAB0AAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAAAIAAAACAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgQ0MAAAAABNjb2xybmNseAACAAIAAYAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAACVtZGF0EgAKCBgANogQEAwgMg8f8D///8WfhwB8+ErK42A=';
const SVG =
  ' <!-- a drawing --><svg xmlns="http://www.w3.org/2000/svg" width="7" height="5" style="color: red"/>';

describe('a message', () => {
  it('spec §2.5 modifier, avatar, contract §3 message: has its id, sender, label and avatar, and stands on the side of its sender', async () => {
    const { page, articles } = await showingMessages(
      message('a', [text('left')], { avatar: avatar() }),
      message('b', [text('right')], { modifier: 'client', context: 'Ada', avatar: '' }),
      message('c', [text('middle')], { modifier: 'admin', avatar: 'PHN2Zz4=' }),
      message('d', [text('left too')], { modifier: 'robot' }),
    );
    const facts = await articles.evaluateAll((all) =>
      all.map((one) => [one.dataset['messageId'], one.dataset['modifier'], one.querySelector('img')?.src]),
    );
    expect(facts).toEqual([
      ['a', 'ai', `data:image/png;base64,${avatar()}`],
      ['b', 'client', undefined],
      ['c', 'admin', undefined],
      ['d', 'robot', undefined],
    ]);
    const middles = await page.locator('[data-category]').evaluateAll((all) =>
      all.map((one) => {
        const { left, right } = one.getBoundingClientRect();
        return Math.round((left + right) / 2 / 10);
      }),
    );
    const [left = 0, right = 0, middle = 0, other = 0] = middles;
    expect(left).toBeLessThan(middle);
    expect(right).toBeGreaterThan(middle);
    expect(middle).toBe(64);
    expect(other).toBeLessThan(middle);
    expect(await articles.nth(1).textContent()).toContain('Ada');
  });

  it.each([
    [1, ['none']],
    [2, ['first', 'last']],
    [4, ['first', 'middle', 'middle', 'last']],
  ])('contract §3 content item: marks the positions of %i items', async (count, positions) => {
    const { items } = await showing(...Array.from({ length: count }, (_, i) => text(`item ${i}`)));
    const seen = await items.evaluateAll((all) => all.map((one) => one.dataset['position']));
    expect(seen).toEqual(positions);
  });

  it('shows one label for consecutive messages of one sender, cuts off a long name, and keeps the name of each message', async () => {
    // It could wrap.
    const long = `${'Long Name '.repeat(19)}Long Names`;
    const { page, articles } = await showingMessages(
      message('r1', [text('one')]),
      message('r2', [text('two')]),
      message('r3', [], { avatar: avatar() }),
      message('r4', [text('four')], { context: long }),
    );
    expect(await page.locator('.label').allTextContents()).toEqual(['Parley', long]);
    const names = await articles.evaluateAll((all) =>
      all.map((one) => document.getElementById(one.getAttribute('aria-labelledby') ?? '')?.textContent),
    );
    expect(names).toEqual(['Parley', 'Parley', 'Parley', long]);
    const name = page.getByTitle(long);
    expect(await name.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(true);
    expect(await name.evaluate((one) => getComputedStyle(one).textOverflow)).toBe('ellipsis');
    const [own, short, row] = await Promise.all(
      [name, page.locator('.label > span').first(), page.locator('.row').first()].map((one) =>
        one.boundingBox(),
      ),
    );
    expect(own?.width).toBeLessThanOrEqual(row?.width ?? 0);
    expect(own?.height).toBe(short?.height);
    const heights = await articles.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    expect(heights[2]).toBe(0);
    expect(heights[0]).toBeLessThan(heights[1] ?? 0);
  });

  it('shows when it arrived, in the label of its group, or beside its last item while the pointer or the focus is on it, and always to screen readers, and the date where the day changes', async () => {
    const { page, dispatch, apply } = await sharedWindow();
    await dispatch(sessionLaunched({ launchedAt: 0, timeOfDay: Date.UTC(2026, 10, 22, 15, 20) }));
    await apply(
      snapshot(message('old', [text('old')])),
      appended(message('left', [text('left')])),
      appended(message('right', [text('right')], { modifier: 'client', context: 'Ada' })),
      appended(message('last', [text('last')], { modifier: 'client', context: 'Ada' })),
    );
    const times = page.locator('time');
    await expect.poll(() => times.count(), POLLING).toBe(3);
    expect(await times.first().getAttribute('datetime')).toBe('2026-11-22T15:20:00.000Z');
    expect(await times.first().getAttribute('title')).toContain('2026');
    const opacities = () =>
      times.evaluateAll((all) => all.map((one) => Number(getComputedStyle(one).opacity)));
    await page.mouse.move(0, 0);
    await expect.poll(opacities, POLLING).toEqual([1, 0, 1]);
    const words = await times.evaluateAll((all) => all.map((one) => one.dataset['time'] ?? ''));
    expect(words[0]).toMatch(/\d\d:20/u);
    expect(await page.getByRole('article').nth(1).ariaSnapshot()).toContain(words[0]);
    const drawn = await times.evaluateAll((all) =>
      all.map((one) => getComputedStyle(one, '::before').content),
    );
    expect(drawn).toEqual(words.map((time) => `"${time}"`));
    await page.getByRole('log').focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await expect.poll(opacities, POLLING).toEqual([1, 1, 1]);
    await page.keyboard.press('Escape');
    await expect.poll(opacities, POLLING).toEqual([1, 0, 1]);
    await page.locator('[data-message-id="right"]').hover();
    await expect.poll(opacities, POLLING).toEqual([1, 1, 1]);
    const [time, item] = [times.nth(1), page.locator('[data-message-id="right"] .item')];
    const [timeBox, itemBox] = [await time.boundingBox(), await item.boundingBox()];
    expect((timeBox?.x ?? 0) + (timeBox?.width ?? 0)).toBeCloseTo(itemBox?.x ?? 0);
    expect(await page.getByRole('separator').count()).toBe(0);
    const later = appended(message('later', [text('two days later')]));
    await dispatch(updateApplied({ update: later, bytes: 0, tick: 48 * 3_600_000 }));
    const divider = page.getByRole('separator');
    await expect.poll(() => divider.allInnerTexts(), POLLING).toEqual(['Tuesday, November 24, 2026']);
    const newest = page.getByRole('article').getByText('two days later');
    const [date, next] = [await divider.boundingBox(), await newest.boundingBox()];
    expect(date?.y).toBeGreaterThan(itemBox?.y ?? Infinity);
    expect(date?.y).toBeLessThan(next?.y ?? 0);
  });

  it('changes the last message when content, a text or a context arrives', async () => {
    const { page, apply, items } = await showing(text('one'));
    await apply(
      { kind: 'content', frame: text('two') },
      { kind: 'text', frame: { text: 'two and a half' } },
      { kind: 'context', frame: { context: 'Somebody' } },
    );
    await expect.poll(() => items.allTextContents()).toEqual(['one', 'two and a half']);
    await expect.poll(() => page.getByRole('article').textContent()).toContain('Somebody');
  });

  it('spec §2.5 id, modifier, content, context, avatar, seen: shows id, modifier, content, context, avatar and seen, each in its place', async () => {
    const { articles } = await showingMessages(
      message('m-1', [text('one'), text('two')], { context: 'Parley', avatar: avatar(), seen: false }),
      message('m-2', [text('mine')], { modifier: 'client', context: 'Ada', avatar: '' }),
      message('m-3', [text('told')], { modifier: 'admin', seen: true }),
    );
    const facts = await articles.evaluateAll((all) =>
      all.map(({ dataset: { messageId, modifier, side } }) => [messageId, modifier, side]),
    );
    expect(facts).toEqual([
      ['m-1', 'ai', 'left'],
      ['m-2', 'client', 'right'],
      ['m-3', 'admin', 'centre'],
    ]);
    expect(await articles.allTextContents()).toEqual(['onetwoParley', 'mineAda', 'toldParley']);
    expect(await articles.first().locator('img').getAttribute('src')).toContain(avatar());
    expect(await articles.nth(1).locator('img').count()).toBe(0);
  });

  it.each([
    [1, ['none']],
    [2, ['first', 'last']],
    [4, ['first', 'middle', 'middle', 'last']],
  ])('spec §2.5 grouping: marks the positions of %i items', async (count, positions) => {
    const { items } = await showing(...Array.from({ length: count }, () => text('item')));
    expect(await items.evaluateAll((all) => all.map((item) => item.dataset.position))).toEqual(positions);
  });

  it.each([
    ['Ada Lovelace', 'AL'],
    ['ada augusta king', 'AK'],
    ['Ada', 'AA'],
    ['  élodie   öz ', 'ÉÖ'],
  ])('spec §2.6 person, contract §3 initials: shows %j as the initials %j', async (person, initials) => {
    const { page, apply } = await sharedWindow();
    await apply({ kind: 'snapshot', frame: { person, messages: [] } });
    const icon = page.getByRole('button', { name: 'Write a message' });
    await expect.poll(() => icon.textContent(), POLLING).toBe(initials);
  });
});

describe('right-to-left', () => {
  it('each text, name and file name has its own direction, and bubbles stay on the side of their sender', async () => {
    const { page, articles, account, disconnected } = await showingMessages(
      message(
        'rtl',
        [
          text('שלום, https://example.org/'),
          { category: 'html', html: '<p>שלום, Ada!</p><p>Ada</p><p dir="ltr">שלום</p>' },
          { category: 'html', html: 'שלום, <b>Ada</b>!' },
          { category: 'file', text: 'שלום (1).txt', blob: 'YQ==' },
          { category: 'file', text: 'שלום (2).txt', blob: '*' },
        ],
        { context: 'עדה 1' },
      ),
      message('ltr', [text('Ada and more words: שלום\nשלום')], { modifier: 'client', context: 'Ada' }),
    );
    const directions = (selector: string) =>
      page.locator(selector).evaluateAll((all) => all.map((one) => getComputedStyle(one).direction));
    expect(await directions('[data-kind="text"] .item-text')).toEqual(['rtl', 'ltr']);
    expect(await directions('.item-text a')).toEqual(['ltr']);
    // Markup may be sanitized in a later task.
    await expect.poll(() => directions('.markup p')).toEqual(['rtl', 'ltr', 'ltr']);
    await page.locator('.markup').last().getByText('Ada').waitFor();
    expect((await directions('.markup')).at(-1)).toBe('rtl');
    expect(await directions('[data-kind="file"] bdi')).toEqual(['rtl', 'rtl']);
    expect(await directions('.label span')).toEqual(['rtl', 'ltr']);
    expect(await directions('.placeholder bdi')).toEqual(['rtl']);
    const lastLine = await page
      .locator('.item-text')
      .last()
      .evaluate((one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        const line = Array.from(range.getClientRects()).at(-1);
        return one.getBoundingClientRect().right - (line?.right ?? 0);
      });
    // Each line begins on the side of its own direction.
    expect(lastLine).toBeLessThan(1);
    await page.getByRole('log').focus();
    for (const key of ['ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
    const saves = page.getByRole('menuitem', { name: 'Save שלום' });
    await saves.last().waitFor();
    expect(await directions('[role="menu"] bdi')).toEqual(['rtl', 'rtl']);
    expect(await saves.allTextContents()).toEqual(['Save שלום (1).txt', 'Save שלום (2).txt']);
    await page.keyboard.press('Escape');
    await saves.last().waitFor({ state: 'hidden' });
    const lefts = await articles
      .locator('.items')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
    expect(lefts[0]).toBeLessThan(lefts[1] ?? 0);
    await page.getByRole('button', { name: 'Write a message' }).click();
    await page.getByRole('textbox', { name: 'Message' }).fill('שלום, Ada!');
    expect(await directions('textarea')).toEqual(['rtl']);
    await page.evaluate(() => window.fakeMain.emit('find'));
    await page.getByRole('textbox', { name: 'Find' }).fill('שלום');
    expect(await directions('search input')).toEqual(['rtl']);
    await page.keyboard.press('Escape');
    await disconnected('סגור');
    await page.getByText('סגור').waitFor();
    expect(await directions('.connection-bar bdi')).toEqual(['rtl']);
    await account(false, 'שלום');
    await page.getByRole('alertdialog').getByText('שלום').waitFor();
    expect(await directions('[role="alertdialog"] p')).toEqual(['rtl']);
    await page.keyboard.press('Enter');
    await page.getByLabel('Name').fill('עדה');
    expect(await directions('input')).toEqual(['ltr', 'ltr', 'rtl']);
  });
});

describe('a content item', () => {
  it('shows text and audio as written, and three dots when empty', async () => {
    const { items } = await showing(
      text('a  b\n\n<b>c</b>'),
      text(''),
      { category: 'text', text: null },
      { category: 'audio', text: 'spoken' },
      { category: 'audio' },
    );
    expect(await items.allTextContents()).toEqual(['a  b\n\n<b>c</b>', '...', '...', 'spoken', '...']);
    expect(
      await items.nth(0).evaluate((one) => getComputedStyle(one.firstElementChild ?? one).whiteSpace),
    ).toBe('pre-wrap');
  });

  it('spec §2.4 category: shows whatever the window can draw as a picture by its bytes, names it by its text, and shows anything else as a file', async () => {
    const widths = { 'evening.png': 320, Image: 320, 'dot.bmp': 3, 'dot.avif': 2, 'drawing.svg': 7 };
    const { page, items, problems } = await showing(
      { category: 'image', text: 'evening.png', blob: eveningPicture() },
      { category: 'image', text: '', blob: eveningPicture() },
      { category: 'image', text: 'dot.bmp', blob: BMP },
      { category: 'image', text: 'dot.avif', blob: AVIF },
      { category: 'image', text: 'drawing.svg', blob: btoa(SVG) },
      { category: 'image', text: 'broken.png', blob: eveningPicture().slice(0, 24) },
      { category: 'image', text: 'notes.txt', blob: btoa('notes') },
      { category: 'image', text: 'nothing.png', blob: '' },
    );
    for (const [name, width] of Object.entries(widths)) {
      const picture = page.getByRole('img', { name, exact: true });
      await expect.poll(() => picture.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(width);
    }
    for (const name of ['broken.png', 'notes.txt', 'nothing.png'])
      await page.getByRole('link', { name, exact: true }).waitFor();
    expect(await items.locator('img').count()).toBe(5);
    expect(problems).toEqual([]);
  });

  it.each([
    ['spaces', ' '.repeat(300)],
    [
      'other blanks, with invisible characters between them',
      '\u00A0\u200B\u3164\u2800\u2003\uFE0F'.repeat(50),
    ],
    ['very many blanks', '\u00A0'.repeat(3000)],
  ])('contract §3 file: shows the end of a file name that contains %s', async (_, blanks) => {
    const name = `file.pdf${blanks}.exe`;
    const { page, items } = await showing(
      { category: 'file', text: name, blob: btoa('a') },
      { category: 'file', text: 'file.pdf.exe', blob: btoa('a') },
    );
    const link = items.locator('.file > bdi').first();
    const { width = 0, height } = (await link.boundingBox()) ?? {};
    const plain = await items.locator('.file > bdi').last().boundingBox();
    expect(height).toBe(plain?.height);
    expect(width).toBeLessThan(1.5 * (plain?.width ?? 0));
    const end = await link.evaluate((one) => {
      const range = document.createRange();
      const nodes = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
      let last: Node = one;
      for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) last = node;
      range.selectNodeContents(last);
      const box = range.getBoundingClientRect();
      const found = document.elementFromPoint(box.right - 2, box.top + box.height / 2);
      return [last.textContent?.slice(-4), found !== null && one.contains(found)];
    });
    expect(end).toEqual(['.exe', true]);
    await page.getByRole('log').focus();
    for (const key of ['ArrowUp', 'Enter']) await page.keyboard.press(key);
    const entry = page.getByRole('menuitem', { name: 'Save' }).first();
    expect((await entry.boundingBox())?.width).toBeLessThan(4 * width);
    expect(await entry.textContent()).toMatch(/^Save file\.pdf.*\.exe$/su);
    await page.keyboard.press('Escape');
  });

  it('contract §3 file: shows the letters of a file name in their order, also after a character that overrides the direction', async () => {
    const { items } = await showing({ category: 'file', text: 'invoice\u202Efdp.exe', blob: btoa('a') });
    const lefts = await items.locator('.file > bdi').evaluate((one) => {
      const last = one.lastChild;
      if (last === null) return [];
      return Array.from(last.textContent ?? '', (_, at) => {
        const range = document.createRange();
        range.setStart(last, at);
        range.setEnd(last, at + 1);
        return range.getBoundingClientRect().left;
      });
    });
    expect(lefts).toHaveLength('fdp.exe'.length);
    expect(lefts).toEqual(lefts.toSorted((one, other) => one - other));
  });

  it('keeps combining marks within the bubble, the label, an alert and the form', async () => {
    const marks = `a${'\u0E47'.repeat(3000)}`;
    const { page, account } = await showingMessages(
      message(
        'a',
        [text(marks), { category: 'file', text: marks, blob: btoa('a') }, { category: 'audio', text: marks }],
        {
          context: marks,
        },
      ),
      message('b', [text(marks)], { modifier: 'client' }),
    );
    const widths = (selector: string) =>
      page.locator(selector).evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth));
    expect(await widths('.log, .row, .items')).toEqual([0, 0, 0, 0, 0]);
    expect(new Set(await widths('html, body, main'))).toEqual(new Set([0]));
    await account(false, marks);
    await page.getByRole('alertdialog').waitFor();
    expect(await widths('[role="alertdialog"]')).toEqual([0]);
    await page.keyboard.press('Enter');
    expect(new Set(await widths('html, body, main, .card'))).toEqual(new Set([0]));
  });

  it('opens an image in a viewer, which Escape closes', async () => {
    const name = 'ערב (1).png';
    const { page, problems } = await showing({ category: 'image', text: name, blob: eveningPicture() });
    const image = page.getByRole('button', { name });
    await image.click();
    const viewer = page.getByRole('dialog', { name });
    await viewer.getByRole('img', { name }).waitFor();
    const heading = viewer.getByRole('heading', { name });
    expect(await heading.evaluate((one) => getComputedStyle(one).direction)).toBe('rtl');
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
    await expect.poll(() => image.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(problems).toEqual([]);
  });

  it('contract §3 file: shows any other category as a link with the file name, which saves the bytes', async () => {
    const { page, items } = await showing(
      { category: 'file', text: 'notes.txt', blob: btoa('notes') },
      { category: 'hologram', text: '../a:b.bin', blob: btoa('odd') },
      { category: 'file', text: '', blob: btoa('nameless') },
      { category: 'file', text: 'bad.bin', blob: '***' },
    );
    const saved = async (name: string) => {
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name, exact: true }).click();
      const file = await download;
      return [file.suggestedFilename(), await readFile(await file.path(), 'utf8')];
    };
    expect(await saved('notes.txt')).toEqual(['notes.txt', 'notes']);
    expect(await saved('../a:b.bin')).toEqual(['_a_b.bin', 'odd']);
    expect(await saved('...')).toEqual(['file', 'nameless']);
    expect(await items.evaluateAll((all) => all.map((one) => one.dataset['category']))).toContain('hologram');
    expect(await items.nth(3).textContent()).toBe('bad.bin cannot be read.');
    expect(await items.nth(3).getByRole('link').count()).toBe(0);
  });

  it('shows addresses in texts as links that open outside the window, and keeps the text', async () => {
    const words = 'See https://example.org/a_(b), or (mailto:ada@example.org).\nNot javascript:alert(1)';
    const { page, items } = await showing(text(words), { category: 'audio', text: 'http://[::1]/!' });
    const links = items.getByRole('link');
    const facts = await links.evaluateAll((all) =>
      all.map((one) => ['href', 'target', 'rel'].map((name) => one.getAttribute(name))),
    );
    expect(facts).toEqual(
      ['https://example.org/a_(b)', 'mailto:ada@example.org', 'http://[::1]/'].map((address) => [
        address,
        '_blank',
        'noopener noreferrer',
      ]),
    );
    expect(await items.nth(0).textContent()).toBe(words);
    const selected = await items.nth(0).evaluate((item) => {
      getSelection()?.selectAllChildren(item);
      return getSelection()?.toString();
    });
    expect(selected).toBe(words);
    await page.evaluate(() => getSelection()?.removeAllRanges());
  });

  it.each(['text', 'audio'])(
    'spec §2.4 `text`: shows the category %s as written, and three dots when empty',
    async (category) => {
      const words = '<b>not bold</b>\n  & so on';
      const { items } = await showing(
        { category, text: words },
        { category, text: '' },
        { category, text: null },
      );
      expect(await items.allTextContents()).toEqual([words, '...', '...']);
    },
  );

  it('spec §2.4 `html`: is rendered as markup', async () => {
    const { items } = await showing({ category: 'html', html: '<b>bold</b> <i>words</i>' });
    await expect.poll(() => items.locator('b, i').allTextContents()).toEqual(['bold', 'words']);
  });

  it('spec §2.4 `blob`: draws a picture, and downloads a file with its name', async () => {
    const { page, items } = await showing(
      { category: 'image', text: 'evening.png', blob: eveningPicture() },
      { category: 'file', text: 'notes.txt', blob: 'bm90ZXM=' },
      { category: 'file', text: 'invoice\u202Efdp.exe', blob: 'YQ==' },
    );
    await items.getByRole('img', { name: 'evening.png' }).waitFor();
    const disguised = items.locator('a.file').last();
    expect(await disguised.getAttribute('download')).toBe('invoiceU+202Efdp.exe');
    const download = page.waitForEvent('download');
    await items.getByRole('link', { name: 'notes.txt' }).click();
    expect((await download).suggestedFilename()).toBe('notes.txt');
  });

  it.each(['file', 'video', '', 'TEXT'])('spec §2.4 `category`: shows %j as a file', async (category) => {
    const { items } = await showing({ category, text: 'a.bin', blob: 'YQ==' });
    expect(await items.getByRole('link', { name: 'a.bin' }).getAttribute('download')).toBe('a.bin');
  });
});
