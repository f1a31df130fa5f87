import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { encodePng } from '#platform/assistant/pictures.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { message } from './harness/message.ts';
import { sendMessage } from './harness/sendMessage.ts';
import { setUpScripted } from './harness/setUpScripted.ts';

const scripted = setUpScripted();

it('clips a frame with 10 MB of text or markup, and the text box still works', async () => {
  const { page, socket } = await scripted().signedIn();
  const size = 10 * 1024 * 1024;
  socket.send(message('text', [{ category: 'text', text: 'long '.repeat(size / 5) }]));
  socket.send(message('html', [{ category: 'html', html: '<p>long</p>'.repeat(size / 11) }]));
  await expect.poll(() => page.getByRole('button', { name: 'Show all' }).count(), POLLING).toBe(2);
  await sendMessage(page, 'still writing');
  expect(await socket.frames.next()).toContain('"still writing"');
});

it('draws a frame with a picture of 10 MB, and the text box still works', async () => {
  const { page, socket } = await scripted().signedIn();
  socket.send(message('image', [{ category: 'image', text: 'n.png', blob: noise(1400).toString('base64') }]));
  await expect.poll(() => widthsOf(page), POLLING).toEqual([1400]);
  await sendMessage(page, 'still writing');
  expect(await socket.frames.next()).toContain('"still writing"');
});

/** Returns a square picture of noise, which hardly compresses: 1400 pixels are 10 MB of base64. */
function noise(side: number): Buffer {
  const bytes = randomBytes(side * side * 4);
  const at = (offset: number) => bytes[offset] ?? 0;
  return encodePng({
    width: side,
    height: side,
    at: (x, y) => {
      const pixel = (y * side + x) * 4;
      return [at(pixel), at(pixel + 1), at(pixel + 2), at(pixel + 3)];
    },
  });
}

/** Returns the widths of the pictures that the page has decoded. */
const widthsOf = (page: Page) =>
  page
    .locator('img.picture')
    .evaluateAll((all) => all.map((image) => image instanceof HTMLImageElement && image.naturalWidth));
