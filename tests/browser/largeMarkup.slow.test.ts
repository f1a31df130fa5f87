import { expect, it } from 'vitest';
import { BLOCKING_MS, watchLongTasks } from './harness/watchLongTasks.ts';
import { message, snapshot, text } from './harness/message.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';

const { sharedWindow } = setUpSharedWindow();

const numbered = (count: number, element: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => element(index)).join('');

/** Returns the texts of list items with their numbers. */
const itemsOf = (all: Element[]) => all.map((one) => one.textContent);

const PAGES: Readonly<Record<string, string>> = {
  'a list of 15,000 items': `<ul>${numbered(15_000, (index) => `<li>item ${index}</li>`)}</ul><p>last</p>`,
  '5 MB of paragraphs': `${numbered(40_000, (index) => `<p>Paragraph <b>${index}</b> ${'of the page '.repeat(8)}</p>`)}<p>last</p>`,
  '5 MB of text in one paragraph': `<p>${'words of a text '.repeat(330_000)}</p><p>last</p>`,
  'a table of 20,000 rows': `<table>${numbered(20_000, (index) => `<tr><td>${index}</td><td>b</td></tr>`)}</table><p>last</p>`,
};

it.each(Object.entries(PAGES))('shows %s on request, and is never blocked', async (_, page) => {
  const window = await sharedWindow();
  await window.signedIn(snapshot(message('1', [{ category: 'html', html: page }, text('after')])));
  const longest = await watchLongTasks(window.page);
  await window.page.getByRole('button', { name: 'Show all' }).press('Enter');
  await expect
    .poll(() => window.page.locator('.markup[aria-busy="false"]').count(), { timeout: 60_000 })
    .toBe(1);
  expect(await window.page.locator('.markup > :last-child').textContent()).toMatch(/last$/u);
  expect(await longest()).toBeLessThan(BLOCKING_MS);
});

it('shows all of a large page in order, with the elements around its parts, and only what is allowed', async () => {
  const { page, signedIn } = await sharedWindow();
  const items = numbered(4000, (index) => `<li onclick="1">item ${index}</li>`);
  const markup = `<section class="x"><p>first</p><ol start="5">${items}</ol><script>${'x'.repeat(30_000)}</script></section><details><summary>s</summary>${numbered(2000, () => '<i>d</i>')}</details>`;
  await signedIn(snapshot(message('1', [{ category: 'html', html: markup }])));
  await page.getByRole('button', { name: 'Show all' }).press('Enter');
  await expect.poll(() => page.locator('.markup[aria-busy="false"]').count(), { timeout: 20_000 }).toBe(1);
  const list = page.locator('.markup > .markup-part > ol > li');
  expect(await list.evaluateAll(itemsOf)).toEqual(
    Array.from({ length: 4000 }, (_, index) => `item ${index}`),
  );
  const numbers = await page
    .locator('.markup ol')
    .evaluateAll((all) =>
      all.map((one) => [Number(one.getAttribute('start')), one.children.length] as const),
    );
  expect(numbers.length).toBeGreaterThan(10);
  let next = 5;
  for (const [start, count] of numbers) {
    expect(start).toBe(next);
    next += count;
  }
  expect(await page.locator('.markup :is(section, script, details, [onclick])').count()).toBe(0);
  expect(await page.locator('.markup').textContent()).toMatch(/^firstitem 0.*item 3999sd+$/u);
});
