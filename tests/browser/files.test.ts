import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { encodePng, eveningPicture } from '#platform/assistant/pictures.ts';
import { downloaded, drop, paste } from './harness/transfers.ts';
import { typeKeys } from './harness/elements.ts';
import { watchObjectUrls } from './harness/media.ts';
import { appended, claimedPng, message, snapshot, text } from './harness/message.ts';
import { readWindowState } from './harness/pageAccess.ts';
import { setUpWindows } from './harness/renderer.ts';
import { overflowingElements, resize } from './harness/layout.ts';

const { sharedWindow } = setUpWindows();

const LOG = '[role="log"]';
const NOTES = { name: 'notes.txt', type: 'text/plain', content: 'notes' };
const CAT = { name: 'cat.png', type: 'image/png', content: 'png' };

const tooLarge = (page: Page) =>
  page.getByRole('alertdialog', { name: 'File must be under 1MB.', exact: true });
const item = (page: Page, at = 0) => page.locator('[data-category]').nth(at);

async function showing(...content: Parameters<typeof message>[1][number][]) {
  const window = await sharedWindow();
  await window.apply(snapshot(message('1', content)));
  await item(window.page, content.length - 1).waitFor();
  return window;
}

describe('sending files', () => {
  it('spec §4.4 item 2: shows the drop area over the whole conversation until a drop, sends its first file as base64, with a note, and neither sends nor opens an address', async () => {
    const { page, called } = await sharedWindow();
    await page.locator('main').evaluate((main) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([], 'a'));
      main.dispatchEvent(new DragEvent('dragenter', { dataTransfer, bubbles: true }));
    });
    const place = page.getByText('Drop a file to send it');
    await place.waitFor();
    expect(await place.boundingBox()).toEqual(await page.locator('.conversation').boundingBox());
    await drop(page, LOG, [NOTES, CAT]);
    await place.waitFor({ state: 'detached' });
    await page.getByText('Only the first of 2 files was taken.').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    expect(await drop(page, LOG, 'https://example.org/')).toBe(true);
    await drop(page, LOG, [CAT]);
    const sent = ['message', { category: 'file', text: 'notes.txt', blob: 'bm90ZXM=' }];
    const sentNext = ['message', { category: 'image', text: 'cat.png', blob: 'cG5n' }];
    expect(await called(2)).toEqual([sent, sentNext]);
  });

  it('spec §7 row 9, contract §3 file button, contract §3 alert: sends the file that the button picked, and a pasted one, also from the text box, whose text stays', async () => {
    const { page, called } = await sharedWindow();
    const pick = async (size: number) => {
      const chosen = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Attach a file' }).click();
      const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.alloc(size, 'a') };
      await (await chosen).setFiles(file);
    };
    await pick(3);
    // A browser has no event for the file that an input has already.
    expect(await page.locator('input[type="file"]').inputValue()).toBe('');
    await pick(1_000_000);
    await drop(page, LOG, [{ ...NOTES, content: 1_000_000 }]);
    expect(await tooLarge(page).locator('p').textContent()).toBe('File must be under 1MB.');
    await page.keyboard.press('Escape');
    await tooLarge(page).waitFor();
    await page.getByRole('button', { name: 'OK' }).click();
    await tooLarge(page).waitFor({ state: 'detached' });
    const image = { name: 'image.png', type: 'image/png', size: 3 };
    expect(await paste(page, { files: [image] })).toBe(true);
    await page.keyboard.type('see');
    expect(await paste(page, { files: [image] }, 'textarea')).toBe(true);
    const pasted = ['message', { category: 'image', text: 'image.png', blob: 'AAAA' }];
    const picked = ['message', { category: 'file', text: 'a.txt', blob: 'YWFh' }];
    expect(await called(3)).toEqual([picked, pasted, pasted]);
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('see');
  });
});

const image = (name: string, blob = eveningPicture()) => ({ category: 'image', text: name, blob });
const file = (content: string | Buffer, name = 'question.txt', category = 'file') => ({
  category,
  text: name,
  html: null,
  blob: Buffer.from(content).toString('base64'),
});

const sizeInside = (one: Element) => [one.clientWidth, one.clientHeight] as const;
const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`).join('\n');

describe('a file', () => {
  it('contract §3 file, spec §2.4 `blob`: is a link that saves its bytes under a safe name, until its message is gone; a text shows its first lines, and all of them with Show all, within the view at each width', async () => {
    const inUse = await watchObjectUrls((await sharedWindow()).page);
    const bad = { category: 'file', text: 'bad.bin', blob: '***' };
    const broken = image('broken.png', eveningPicture().slice(0, 24));
    const files = [file('notes', 'notes.txt'), file('odd', '../a:b.bin', 'hologram'), file('nameless', '')];
    const { page, apply } = await showing(...files, bad, broken);
    const saved = (name: string) =>
      downloaded(page, () => page.getByRole('link', { name, exact: true }).click());
    expect(await saved('notes.txt')).toEqual(['notes.txt', 'notes']);
    expect(await saved('../a:b.bin')).toEqual(['_a_b.bin', 'odd']);
    expect(await saved('...')).toEqual(['file', 'nameless']);
    expect((await saved('broken.png'))[0]).toBe('broken.png');
    expect(await item(page, 3).textContent()).toBe('bad.bin cannot be read.');
    expect(await inUse()).toBe(4);
    await apply(snapshot(message('1', [file('newer', 'notes.txt')])));
    expect(await saved('notes.txt')).toEqual(['notes.txt', 'newer']);
    await page.route('**/blob/0/4/a', (route) => route.fulfill({ body: lines(2000) }));
    await showing(
      file(lines(2000)),
      file(lines(3)),
      file(Buffer.from([0x50, 0x4b, 3, 4, 0, 0])),
      file(`${'long '.repeat(100)}\n${'x'.repeat(300)}`),
      Object.assign(file(''), { blob: { head: btoa('cut \xC3'), hash: 'a', image: null } }),
    );
    const shown = (at: number) => item(page, at).locator('.item-text').allTextContents();
    expect([await shown(0), await shown(1), await shown(2)]).toEqual([[lines(6)], [lines(3)], []]);
    for (const at of [0, 4]) {
      await item(page, at).getByRole('button', { name: 'Show all' }).click();
      await item(page, at).getByText('line 2000').waitFor();
      expect(await shown(at)).toEqual([lines(2000)]);
    }
    await page.unrouteAll();
    for (const width of [420, 760, 1280]) {
      await resize(page, width, 720);
      expect(await overflowingElements(page, 'article *')).toEqual([]);
    }
    await apply(snapshot());
    await item(page).waitFor({ state: 'detached' });
    expect([await inUse(), (await readWindowState(page)).expanded]).toEqual([0, []]);
  });

  it('contract §3 file: shows the end of a name that blanks or a character of another direction could hide', async () => {
    for (const hiding of [' '.repeat(300), '\u00A0\u200B\u3164\u2800\u2003\uFE0F'.repeat(50), '\u202E']) {
      const { page } = await showing(file('a', `file.pdf${hiding}txt.exe`), file('a', 'file.pdf.txt.exe'));
      const name = item(page).locator('.file > bdi');
      const box = await name.boundingBox();
      const usual = await item(page, 1).locator('.file > bdi').boundingBox();
      expect([box?.height, (box?.width ?? 0) < 1.5 * (usual?.width ?? 0)]).toEqual([usual?.height, true]);
      const end = await name.evaluate((one) => {
        const nodes = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
        while (nodes.nextNode() !== null);
        const { currentNode: last } = nodes;
        const range = document.createRange();
        range.selectNodeContents(last);
        const { right, top, height } = range.getBoundingClientRect();
        const found = document.elementFromPoint(right - 2, top + height / 2);
        return [last.textContent?.slice(-7), found !== null && one.contains(found)];
      });
      expect(end).toEqual(['txt.exe', true]);
    }
  });
});

/** A red picture of 3 × 2 pixels. */
const BMP =
  'Qk1OAAAAAAAAADYAAAAoAAAAAwAAAAIAAAABABgAAAAAABgAAAATCwAAEwsAAAAAAAAAAAAAAAD/AAD/AAD/AAAAAAD/AAD/AAD/AAAA';
const SVG =
  ' <!-- a drawing --><svg xmlns="http://www.w3.org/2000/svg" width="7" height="5" style="color: red"/>';

const uses = (level: number) => `<g id="a${level}">${`<use href="#a${level - 1}"/>`.repeat(2)}</g>`;
const groups = Array.from({ length: 20 }, (_, at) => uses(at + 1)).join('');
/** Is 1.3 KB long and draws a million rectangles. */
const GROWING = `<svg xmlns="http://www.w3.org/2000/svg"><g id="a0"><rect/></g>${groups}</svg>`;

describe('an image', () => {
  it('spec §2.4 category, contract §5 image over a limit: is drawn when the window can by its bytes and limits, and is a file otherwise, also in the viewer', async () => {
    const { page, apply, problems } = await showing(
      image('dot.bmp', BMP),
      image('drawing.svg', btoa(SVG)),
      image('broken.png', eveningPicture().slice(0, 24)),
      image('notes.txt', btoa('notes')),
      image('growing.svg', btoa(GROWING)),
      image('huge.png', claimedPng(12_000)),
      image('evening.png'),
    );
    await page.waitForFunction(() => {
      const widths = ['evening.png', 'dot.bmp', 'drawing.svg'].map(
        (alt) => document.querySelector<HTMLImageElement>(`.log img[alt="${alt}"]`)?.naturalWidth,
      );
      return widths.join() === '320,3,7';
    });
    for (const name of ['broken.png', 'notes.txt', 'growing.svg', 'huge.png'])
      await page.getByRole('link', { name, exact: true }).waitFor();
    await page.getByRole('button', { name: 'evening.png' }).click();
    await page.getByRole('button', { name: 'Previous image' }).click();
    await page.getByText('This image cannot be shown.').waitFor();
    expect(await page.getByRole('link', { name: 'Save image' }).getAttribute('download')).toBe('huge.png');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // In place of a broken one.
    await apply(snapshot(message('1', [text('a'), text('b'), image('mended.png')])));
    await page.locator('.picture[alt="mended.png"]').waitFor();
    // It is drawn when it is decoded, or cannot be decoded.
    await page.evaluate(() => {
      const held = { decode: () => new Promise((_, refuse) => Reflect.set(window, 'refuse', refuse)) };
      const options = { capture: true, once: true };
      document.addEventListener('load', ({ target }) => void Object.assign(target ?? {}, held), options);
    });
    await apply(snapshot(message('1', [text('a'), text('b'), image('next.png', BMP)])));
    await page.waitForFunction(() => Reflect.has(window, 'refuse'));
    expect(await page.locator('.picture').getAttribute('data-loading')).toBe('true');
    await page.evaluate('refuse(new Error())');
    await page.locator('.picture:not([data-loading])').waitFor();
    expect(problems).toEqual([]);
  });

  it('has a frame that can be seen for any size', async () => {
    for (const [width, height] of [
      [1, 1],
      [10_000, 20],
      [20, 10_000],
    ] as const) {
      const picture = encodePng({ width, height, at: () => [9, 9, 9, 255] });
      const { page } = await showing(image('a.png', picture.toString('base64')));
      await page.locator('.picture:not([data-loading])').waitFor();
      const sizeOf = (selector: string) => page.locator(selector).first().evaluate(sizeInside);
      const [drawn, frame] = [await sizeOf('.picture'), await sizeOf('.picture-frame')];
      expect(Math.min(...frame)).toBeGreaterThanOrEqual(64);
      expect(Math.min(...drawn)).toBeGreaterThanOrEqual(1);
      expect(drawn[0]).toBeLessThanOrEqual(frame[0]);
      expect(drawn[1]).toBeLessThanOrEqual(0.7 * (await sizeOf('.log'))[1]);
    }
  });
});

const viewer = (page: Page) => page.getByRole('dialog');
const opener = (page: Page, name: string) => page.getByRole('log').getByRole('button', { name });

/** Shows three images in two messages and something that is no image, and opens an image. */
async function opened(name: string) {
  const window = await sharedWindow();
  const { page, apply } = window;
  const broken = image('broken.png', eveningPicture().slice(0, 24));
  await apply(
    snapshot(
      message('a', [image('first.png'), text('words'), image('second.png')]),
      message('b', [text('more words')]),
      message('c', [broken, image('last.png')], { modifier: 'client', context: 'Ada' }),
    ),
  );
  await opener(page, name).click();
  await shownWhole(page);
  return window;
}

const shownWhole = (page: Page) =>
  page.waitForFunction(() => document.querySelector<HTMLImageElement>('dialog img')?.naturalWidth === 320);

const turn = (one: Element, by: WheelEventInit) => one.dispatchEvent(new WheelEvent('wheel', by));
const shownName = (page: Page) => viewer(page).getAttribute('aria-label');

const TOUCHPAD = { deltaY: -10, ctrlKey: true, bubbles: true, cancelable: true };
const placeOf = (one: Element) => {
  const { x, y, width } = one.getBoundingClientRect();
  return { x: Math.round(x), y: Math.round(y), width: Math.round(width) };
};
const place = (page: Page) => viewer(page).locator('img').evaluate(placeOf);

const wide = (page: Page, least: number, most = least) =>
  page.waitForFunction(
    ([from, to]) => {
      const width = Math.round(document.querySelector('dialog img')?.getBoundingClientRect().width ?? 0);
      return width >= from && width <= to;
    },
    [least, most] as const,
  );

describe('the viewer', () => {
  it('has the focus and the keys until it is closed, goes through the images, and gives the focus back', async () => {
    const { page, apply, problems } = await opened('first.png');
    await page.locator('.viewer:focus').waitFor();
    // As when the key that opened it is held down.
    await page.keyboard.press('Enter');
    const names: unknown[] = [];
    for (const key of ['ArrowRight', 'PageDown', 'PageDown', 'PageDown', 'ArrowLeft', 'PageUp', 'PageUp']) {
      await page.keyboard.press(key);
      names.push(await shownName(page));
      if (names.at(-1) === 'broken.png') await page.getByText('This image cannot be shown.').waitFor();
    }
    const order = ['second', 'broken', 'last', 'last', 'broken', 'second', 'first'];
    expect(names).toEqual(order.map((name) => `${name}.png`));
    await typeKeys(page, 'x{Control+f}{Escape}');
    await viewer(page).waitFor({ state: 'detached' });
    // The dialog's event comes after it is hidden.
    await expect.poll(() => readWindowState(page)).toMatchObject({ viewer: null, textBox: null, find: null });
    await page.waitForFunction(() => document.activeElement?.querySelector('img')?.alt === 'first.png');
    // It closes with a snapshot without its image.
    await opener(page, 'last.png').click();
    await apply(appended(message('d', [image('newer.png')])));
    await viewer(page).getByRole('button', { name: 'Next image' }).click();
    expect(await shownName(page)).toBe('newer.png');
    // The button is disabled now, and the dialog has its keys.
    for (const name of ['last.png', 'newer.png']) {
      await page.keyboard.press(name === 'last.png' ? 'PageUp' : 'PageDown');
      expect(await shownName(page)).toBe(name);
    }
    await apply(snapshot(message('e', [text('nothing else')])));
    await viewer(page).waitFor({ state: 'detached' });
    await expect.poll(() => readWindowState(page)).toMatchObject({ viewer: null });
    expect(problems).toEqual([]);
  });

  it('magnifies with keys, buttons, wheel and double click around the pointer, and moves with arrows and a drag within the view', async () => {
    const { page } = await opened('first.png');
    await resize(page, 1024, 800);
    const whole = await place(page);
    expect(whole.width).toBe(320);
    // The next image is whole.
    for (const [key, width] of Object.entries({ '+': 480, PageDown: 320, '=': 480 })) {
      await page.keyboard.press(key);
      await shownWhole(page);
      expect([key, (await place(page)).width]).toEqual([key, width]);
    }
    await typeKeys(page, '{PageUp}0+-');
    expect(await place(page)).toEqual(whole);
    for (let count = 0; count < 4; count++)
      await viewer(page).getByRole('button', { name: 'Zoom in' }).click();
    const { x, y } = await place(page);
    await typeKeys(page, '{ArrowRight}{ArrowDown}');
    expect(await place(page)).toEqual({ x: x - 80, y: y - 80, width: 1620 });
    await page.mouse.move(500, 400);
    await page.mouse.down();
    await page.mouse.move(560, 430, { steps: 3 });
    await page.mouse.up();
    // Neither a pointer that was released nor another button moves it.
    await page.mouse.down({ button: 'right' });
    await page.mouse.move(500, 400);
    await page.mouse.up({ button: 'right' });
    expect(await place(page)).toEqual({ x: x - 20, y: y - 50, width: 1620 });
    await page.mouse.down();
    await page.mouse.move(-900, 400);
    await page.mouse.up();
    await resize(page, 1400, 800);
    expect((await place(page)).x).toBe(1400 - 1620);
    await resize(page, 1024, 800);
    await viewer(page).getByRole('button', { name: 'Fit' }).click();
    for (const width of [640, 320]) {
      await page.mouse.dblclick(512, 400);
      expect((await place(page)).width).toBe(width);
    }
    const point = { x: whole.x + 120, y: whole.y + 90 };
    await page.mouse.move(point.x, point.y);
    await page.mouse.wheel(0, -600);
    await wide(page, 1200, 3000);
    const wheeled = await place(page);
    expect((point.x - wheeled.x) / wheeled.width).toBeCloseTo(120 / 320, 2);
    expect((point.y - wheeled.y) / wheeled.width).toBeCloseTo(90 / 320, 2);
    expect(await viewer(page).locator('img').evaluate(turn, TOUCHPAD)).toBe(false);
    await wide(page, Math.round(wheeled.width * 1.1), Math.round(wheeled.width * 1.11));
  });

  it('magnifies around the middle of two fingers, and moves with them', async () => {
    const { page } = await opened('first.png');
    await resize(page, 300, 700);
    const whole = await place(page);
    const session = await page.context().newCDPSession(page);
    const [left, top] = [whole.x + 225, whole.y + 50];
    /** Touches the image at these distances from its point. */
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...at: number[]) => {
      const touchPoints = at.map((by, id) => ({ x: left + by, y: top, id }));
      return session.send('Input.dispatchTouchEvent', { type, touchPoints });
    };
    await touch('touchStart', -10);
    await touch('touchStart', -10, 10);
    for (const by of [20, 30, 40]) await touch('touchMove', -by, by);
    await wide(page, 1200);
    const { x } = await place(page);
    expect(Math.abs((left - x) / 1200 - 0.75)).toBeLessThan(0.01);
    await touch('touchMove', -10, 70);
    await page.waitForFunction(
      (to) => Math.round(document.querySelector('dialog img')?.getBoundingClientRect().x ?? 0) === to,
      x + 30,
    );
    await touch('touchEnd');
    await session.detach();
  });
});
