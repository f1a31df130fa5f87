import { crc32, deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { message, snapshot } from './harness/message.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';

const { sharedWindow } = setUpSharedWindow();

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, sum]);
}

/** Returns a grey PNG in base64. */
function png(width: number, height: number): string {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const pixels = deflateSync(Buffer.alloc((width + 1) * height));
  const chunks = [chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('iVBORw0KGgo=', 'base64'), ...chunks]).toString('base64');
}

it.each([
  [1, 1],
  [10_000, 20],
  [20, 10_000],
  [800, 500],
])('shows an image of %i by %i pixels whole, in a frame that can be seen', async (width, height) => {
  const { page, signedIn } = await sharedWindow();
  await signedIn(snapshot(message('1', [{ category: 'image', text: 'a.png', blob: png(width, height) }])));
  await page.locator('.picture:not([data-loading])').waitFor();
  const [image, frame, log] = await page.locator('.picture, .picture-frame, .log').evaluateAll((all) =>
    ['.picture', '.picture-frame', '.log'].map((name) => {
      const { clientWidth, clientHeight } = all.find((one) => one.matches(name)) ?? document.body;
      return { width: clientWidth, height: clientHeight };
    }),
  );
  expect(frame?.width).toBeGreaterThanOrEqual(64);
  expect(frame?.height).toBeGreaterThanOrEqual(64);
  expect(image?.width).toBeGreaterThanOrEqual(1);
  expect(image?.height).toBeGreaterThanOrEqual(1);
  expect(image?.width).toBeLessThanOrEqual(frame?.width ?? 0);
  expect(image?.height).toBeLessThanOrEqual(0.7 * (log?.height ?? 0));
});

it('reserves the place of an image that is not decoded yet', async () => {
  const { page, signedIn } = await sharedWindow();
  await page.evaluate(() => {
    const sizes: number[] = [];
    Object.assign(window, { sizes });
    new MutationObserver(() => {
      const image = document.querySelector('.picture');
      if (image !== null) sizes.push(image.clientHeight);
    }).observe(document.body, { childList: true, subtree: true, attributes: true });
  });
  await signedIn(snapshot(message('1', [{ category: 'image', text: 'a.png', blob: png(400, 300) }])));
  await page.locator('.picture:not([data-loading])').waitFor();
  const sizes = await page.evaluate((): unknown => Reflect.get(window, 'sizes'));
  expect(Array.isArray(sizes) && new Set(sizes)).toEqual(new Set([300]));
});
