import { expect, it } from 'vitest';
import { axeViolations } from './harness/axeViolations.ts';
import { message, snapshot } from './harness/message.ts';
import { resize } from './harness/resize.ts';
import { setUpSharedWindow } from './harness/sharedWindow.ts';
import { BLOCKING_MS, watchLongTasks } from './harness/watchLongTasks.ts';

const { sharedWindow } = setUpSharedWindow();

const block = (language: string, code: string) => ({
  category: 'html',
  html: `<pre><code class="language-${language}">${code}</code></pre>`,
});

it('shows code in colours that can be read, in each theme and on each side', async () => {
  const { page, signedIn } = await sharedWindow();
  const item = block(
    'ts',
    `// comment\nimport { a } from "b";\nclass C extends D { e(): number { return 12; } }`,
  );
  const diff = block('diff', '-old\n+new');
  const sides = ['ai', 'client', 'admin'].map((modifier) => message(modifier, [item, diff], { modifier }));
  await signedIn(snapshot(...sides));
  await expect.poll(() => page.locator('.code-addition').count()).toBe(3);
  const kinds = ['comment', 'keyword', 'string', 'number', 'title', 'addition', 'deletion'];
  const coloursOf = (side: string) =>
    page.locator(`[data-modifier="${side}"] .items`).evaluate(
      (markup, all) =>
        ['pre', ...all.map((kind) => `.code-${kind}`)].map((selector) => {
          const one = markup.querySelector(selector);
          return one && getComputedStyle(one).color;
        }),
      kinds,
    );
  for (const side of ['ai', 'client', 'admin']) {
    const [plain, ...coloured] = await coloursOf(side);
    expect(coloured).not.toContain(plain);
    expect(coloured).not.toContain(null);
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeViolations(page, ['moderate', 'serious', 'critical'])).toEqual([]);
  }
});

it('gives 90 kB of code its colours in short tasks, and leaves longer code plain', async () => {
  const { page, signedIn, apply } = await sharedWindow();
  await signedIn(snapshot(message('1', [block('ts', 'const a = 1;')])));
  await page.locator('.code-keyword').waitFor();
  const code = 'export const value = (a: number) => a + 12; // a comment\n'.repeat(1579);
  const longest = await watchLongTasks(page);
  await apply(snapshot(message('2', [block('ts', code)])));
  await expect.poll(() => page.locator('.code-comment').count(), { timeout: 20_000 }).toBe(1579);
  expect(await longest()).toBeLessThan(BLOCKING_MS);
  expect(await page.locator('pre').textContent()).toBe(code);
  await apply(snapshot(message('3', [block('ts', code.repeat(2).slice(0, 110_000))])));
  await expect.poll(async () => (await page.locator('pre').textContent())?.length).toBe(110_000);
  expect(await page.locator('.code-keyword').count()).toBe(0);
});

it('shows Copy on one line beside and above code with a long line', async () => {
  const { page, signedIn } = await sharedWindow();
  const long = 'x = 1; '.repeat(60);
  const plain = { category: 'html', html: `<pre>short</pre><pre>${long}</pre>` };
  const named = block('typescript', long);
  await signedIn(snapshot(message('1', [plain, named])));
  const copies = page.locator('.items').getByRole('button', { name: 'Copy' });
  await expect.poll(() => copies.count()).toBe(3);
  for (const width of [320, 1440]) {
    await resize(page, width, 600);
    const boxes = await Promise.all((await copies.all()).map((copy) => copy.boundingBox()));
    const [first] = boxes;
    for (const box of boxes) {
      expect(box?.height).toBe(first?.height);
      expect(box?.width).toBe(first?.width);
    }
  }
});
