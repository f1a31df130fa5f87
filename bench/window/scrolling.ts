import type { Browser, CDPSession, Page } from 'playwright-core';
import { callAtRate } from '../../soak/harness/frames.ts';
import type { Progress } from '../base/benchmark.ts';

/** The size of the page, in CSS pixels. */
export const VIEWPORT = { width: 1440, height: 900 };
const GESTURE_MS = 4000;
const WHEEL_RATE = 60;
/** The repeat rate of a key that is held, as most systems have it. */
const KEY_RATE = 30;

/** A way in which a person scrolls. */
interface Gesture {
  readonly name: string;
  /** Scrolls for {@link GESTURE_MS}. */
  run(page: Page): Promise<void>;
}

const wait = (page: Page, ms: number) => page.waitForTimeout(ms);

/** Sends an input event at a rate, without waiting for its effect: a device does not wait either. */
async function repeat(page: Page, perSecond: number, send: (session: CDPSession) => Promise<unknown>) {
  const session = await page.context().newCDPSession(page);
  const pending: Promise<unknown>[] = [];
  const stop = callAtRate(perSecond, () => void pending.push(send(session)));
  await wait(page, GESTURE_MS);
  stop();
  await Promise.all(pending);
  await session.detach();
}

/** Returns the wheel (or a touchpad) at a speed in pixels a second; positive is down. */
const wheel = (name: string, speed: number): Gesture => ({
  name,
  run: (page) =>
    repeat(page, WHEEL_RATE, (session) =>
      session.send('Input.dispatchMouseEvent', {
        type: 'mouseWheel',
        x: VIEWPORT.width / 2,
        y: VIEWPORT.height / 2,
        deltaX: 0,
        deltaY: speed / WHEEL_RATE,
      }),
    ),
});

/** Returns a paging key that is held. */
const heldKey = (key: 'PageUp' | 'PageDown'): Gesture => ({
  name: `${key} held`,
  async run(page) {
    await page.getByRole('log').focus();
    const keyEvent = {
      key,
      code: key,
      windowsVirtualKeyCode: key === 'PageUp' ? 33 : 34,
    };
    await repeat(page, KEY_RATE, (session) =>
      session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', autoRepeat: true, ...keyEvent }),
    );
    await page.keyboard.up(key);
  },
});

/** Drags the scroll bar from the newest message to the middle of the conversation, and back. */
const scrollBarDrag: Gesture = {
  name: 'the scroll bar dragged up and down',
  async run(page) {
    const log = page.getByRole('log');
    await log.press('End');
    const box = await log.boundingBox();
    if (box === null) throw new Error('the window shows no conversation');
    const x = box.x + box.width - 6;
    // Below the thumb is a button of the scroll bar.
    const bottom = box.y + box.height - 24;
    await page.mouse.move(x, bottom);
    await page.mouse.down();
    const start = performance.now();
    for (let past = 0; past < GESTURE_MS; past = performance.now() - start) {
      const way = 1 - Math.abs(1 - (2 * past) / GESTURE_MS);
      await page.mouse.move(x, bottom - (box.height / 2) * way);
      await wait(page, 8);
    }
    await page.mouse.up();
  },
};

/** A person turns a wheel by 1,000 to 4,000 pixels a second; a touchpad is faster. */
const GESTURES: readonly Gesture[] = [
  wheel('wheel, up, 1,200 px/s', -1200),
  wheel('wheel, up, 4,000 px/s', -4000),
  wheel('touchpad, up, 12,000 px/s', -12_000),
  wheel('touchpad, down, 12,000 px/s', 12_000),
  heldKey('PageUp'),
  heldKey('PageDown'),
  scrollBarDrag,
];

/** The painted frames of a gesture. */
export interface Scrolling {
  readonly conversation: string;
  readonly name: string;
  readonly frames: number;
  /** The share of the frames with a missing strip, 0 to 1. */
  readonly missing: number;
  /** The height of the largest missing strip, in CSS pixels. */
  readonly largest: number;
}

interface Setting {
  readonly browser: Browser;
  readonly page: Page;
  /** What is scrolled, for the table. */
  readonly conversation: string;
  readonly progress: Progress;
}

/** Scrolls the conversation in each way, from its newest message. */
export async function measureScrolling({
  browser,
  page,
  conversation,
  progress,
}: Setting): Promise<readonly Scrolling[]> {
  const column = await markRows(page);
  const results: Scrolling[] = [];
  for (const { name, run } of GESTURES) {
    progress(`${conversation}: ${name}`);
    const frames = await recordFrames(page, () => run(page));
    const strips = await findMissingStrips(browser, frames, column);
    const [missing, largest] = [missingShare(strips), Math.max(...strips)];
    results.push({ conversation, name, frames: frames.length, missing, largest });
  }
  return results;
}

// Functions that run in the page cannot use anything outside them.
/* oxlint-disable unicorn/consistent-function-scoping */

/** The width of the mark of each row, in CSS pixels. */
const MARK = 24;
/** Shorter gaps are seams between rows whose heights are not whole pixels. */
const SHORTEST_STRIP = 4;
/** The number of frames that are decoded at once. */
const AT_ONCE = 20;

/** The column of the painted page in which each row has its mark, in CSS pixels. */
interface MarkedColumn {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
}

/** Marks each row with a green strip in front of a red background, so that a picture of the page shows where rows are missing. */
function markRows(page: Page): Promise<MarkedColumn> {
  return page.getByRole('log').evaluate(async (log, width) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`.scene { background: #f00 } .row { border-inline-start: ${width}px solid #0f0 }`);
    document.adoptedStyleSheets.push(sheet);
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    const { top, bottom } = log.getBoundingClientRect();
    const row = log.querySelector('.row')?.getBoundingClientRect();
    if (row === undefined) throw new Error('the conversation has no row');
    return { x: row.left + width / 2, top, bottom };
  }, MARK);
}

/** Returns pictures (JPEG, base64) of the frames that the browser paints during a task. */
async function recordFrames(page: Page, task: () => Promise<void>): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  const frames: string[] = [];
  const acknowledgements: Promise<unknown>[] = [];
  const add = ({ data, sessionId }: { readonly data: string; readonly sessionId: number }) => {
    frames.push(data);
    acknowledgements.push(session.send('Page.screencastFrameAck', { sessionId }));
  };
  session.on('Page.screencastFrame', add);
  await session.send('Page.startScreencast', { format: 'jpeg', quality: 60, everyNthFrame: 1 });
  await task();
  session.off('Page.screencastFrame', add);
  await Promise.all(acknowledgements);
  await session.send('Page.stopScreencast');
  await session.detach();
  return frames;
}

/** Returns the height of the largest part without rows in each picture, in CSS pixels. */
async function findMissingStrips(
  browser: Browser,
  frames: readonly string[],
  column: MarkedColumn,
): Promise<number[]> {
  const page = await browser.newPage();
  const strips: number[] = [];
  for (let from = 0; from < frames.length; from += AT_ONCE) {
    strips.push(...(await measureStrips(page, frames.slice(from, from + AT_ONCE), column)));
  }
  await page.close();
  return strips;
}

/** Returns the share of pictures with a missing strip, 0 to 1. */
const missingShare = (strips: readonly number[]): number =>
  strips.filter((height) => height >= SHORTEST_STRIP).length / strips.length;

const measureStrips = (page: Page, pictures: readonly string[], place: MarkedColumn): Promise<number[]> =>
  page.evaluate(
    async ({ all, column }) => {
      const height = Math.floor(column.bottom) - Math.ceil(column.top);
      const canvas = new OffscreenCanvas(1, height);
      const context = canvas.getContext('2d', { willReadFrequently: true });
      if (context === null) throw new Error('the page cannot draw');
      const strips: number[] = [];
      for (const picture of all) {
        const bytes = Uint8Array.from(atob(picture), (character) => character.codePointAt(0) ?? 0);
        const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
        context.drawImage(bitmap, -Math.round(column.x), -Math.ceil(column.top));
        const { data } = context.getImageData(0, 0, 1, height);
        let [longest, strip] = [0, 0];
        for (let y = 0; y < height; y++) {
          const isRow = (data[4 * y] ?? 0) < 128 && (data[4 * y + 1] ?? 0) > 128;
          strip = isRow ? 0 : strip + 1;
          longest = Math.max(longest, strip);
        }
        strips.push(longest);
      }
      return strips;
    },
    { all: pictures, column: place },
  );
