import type { Browser, Page } from 'playwright-core';

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
export function markRows(page: Page): Promise<MarkedColumn> {
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
export async function recordFrames(page: Page, task: () => Promise<void>): Promise<readonly string[]> {
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
export async function findMissingStrips(
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
export const missingShare = (strips: readonly number[]): number =>
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
