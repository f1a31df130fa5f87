import { expect, it } from 'vitest';
import { message, snapshot } from './harness/message.ts';
import { png } from './harness/png.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';

const { open, sharedWindow } = setUpSharedWindow();

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

it('reserves the place of an image that is not decoded yet, and shows a skeleton there', async () => {
  const { page, signedIn } = await sharedWindow();
  await page.evaluate(() => {
    const sizes: number[] = [];
    const grounds: string[] = [];
    Object.assign(window, { sizes, grounds });
    new MutationObserver(() => {
      const image = document.querySelector('.picture');
      if (image === null) return;
      sizes.push(image.clientHeight);
      const ground = getComputedStyle(image).backgroundColor;
      if (grounds.at(-1) !== ground) grounds.push(ground);
    }).observe(document.body, { childList: true, subtree: true, attributes: true });
  });
  await signedIn(snapshot(message('1', [{ category: 'image', text: 'a.png', blob: png(400, 300) }])));
  await page.locator('.picture:not([data-loading])').waitFor();
  const sizes = await page.evaluate((): unknown => Reflect.get(window, 'sizes'));
  expect(Array.isArray(sizes) && new Set(sizes)).toEqual(new Set([300]));
  const grounds = await page.evaluate((): unknown => Reflect.get(window, 'grounds'));
  expect(grounds).toEqual([expect.not.stringMatching('rgba(0, 0, 0, 0)'), 'rgba(0, 0, 0, 0)']);
});

it('shows the skeleton until an image that is loaded is decoded', async () => {
  const { page, signedIn } = await sharedWindow();
  await page.evaluate(() => {
    const { prototype } = HTMLImageElement;
    prototype.decode = () =>
      new Promise((resolve) => {
        Object.assign(window, { endDecoding: resolve });
      });
  });
  await signedIn(snapshot(message('1', [{ category: 'image', text: 'b.png', blob: png(401, 300) }])));
  await page.waitForFunction(() => 'endDecoding' in window);
  expect(await page.locator('.picture[data-loading]').count()).toBe(1);
  await page.evaluate(() => {
    const end: unknown = Reflect.get(window, 'endDecoding');
    if (typeof end === 'function') end();
  });
  await page.locator('.picture:not([data-loading])').waitFor();
});

const uses = (level: number) => `<g id="a${level}">${`<use href="#a${level - 1}"/>`.repeat(2)}</g>`;
/** Is 1.3 KB long and draws a million rectangles. */
const GROWING = btoa(
  `<svg xmlns="http://www.w3.org/2000/svg"><g id="a0"><rect/></g>${Array.from({ length: 20 }, (_, at) => uses(at + 1)).join('')}</svg>`,
);

it('contract §5 image over a limit: shows it as a file, and neither draws it in the viewer nor on paper', async () => {
  const { page, signedIn, problems } = await open();
  const drawing = { category: 'image', text: 'drawing.svg', blob: GROWING };
  const huge = { category: 'image', text: 'huge.png', blob: png(12_000, 12_000) };
  const shown = { category: 'image', text: 'a.png', blob: png(40, 30) };
  const markup = `<p>b<img alt="c" src="data:image/png;base64,${huge.blob}"></p>`;
  await signedIn(
    snapshot(message('1', [drawing, huge, shown, { category: 'html', html: markup }], { avatar: huge.blob })),
  );
  await page.locator('.picture:not([data-loading])').waitFor();
  await page.getByRole('link', { name: 'drawing.svg' }).waitFor();
  await page.getByRole('link', { name: 'huge.png' }).waitFor();
  await page.getByText('bc', { exact: true }).waitFor();
  expect(await page.getByRole('log').locator('img').count()).toBe(1);
  await page.getByRole('button', { name: 'a.png' }).click();
  await page.getByRole('button', { name: 'Previous image' }).click();
  await page.getByText('This image cannot be shown.').waitFor();
  expect(await page.getByRole('link', { name: 'Save image' }).getAttribute('download')).toBe('huge.png');
  await page.keyboard.press('Escape');
  await page.evaluate(() => {
    window.print = () => document.body.classList.add('printed');
    window.fakeMain.emit('print');
  });
  await page.locator('body.printed').waitFor();
  expect(await page.locator('.print-area img').count()).toBe(1);
  expect(problems).toEqual([]);
});
