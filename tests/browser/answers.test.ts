import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { dialogRequested } from '#shared/actions/userActions.ts';
import type { Message, Update } from '#shared/protocol/update.ts';
import { eveningPicture } from '#platform/assistant/pictures.ts';
import { RICH_ANSWER } from '#ui/markdown/testing/richAnswer.ts';
import { box, button, focused, typeKeys } from './harness/elements.ts';
import { copy, downloaded, selectBetween } from './harness/transfers.ts';
import { appended, html, markdown, message, messages, snapshot, text } from './harness/message.ts';
import { setUpWindows } from './harness/renderer.ts';

const { open, sharedWindow } = setUpWindows();

const WORDS = ['stop', 'again', 'continue', 'new topic', 'edit'];

const answer = (context: string) => message('answer', [text('The answer.')], { context });
const label = (context: string): Update => ({ kind: 'context', frame: { context } });
const question = message('question', [text('Why?')], { modifier: 'client', context: 'Ada' });
const kept = (hash: string, category = 'file', image: string | null = null) =>
  Object.assign(text(`${hash}.bin`), { category, blob: { head: 'iVBORw0KGgo', hash, image } });
const sentWord = (word: string) => ['message', { category: 'text', text: word, blob: null }];

async function asked(...list: readonly Message[]) {
  const window = await sharedWindow();
  const frame = { person: 'Ada Lovelace', messages: list, words: WORDS };
  await window.apply({ kind: 'snapshot', frame });
  await window.page.locator(`[data-row="${list.length - 1}"]`).waitFor();
  return window;
}

const line = (page: Page) => page.getByText('Editing your last question', { exact: true });
const logFocused = (page: Page) => page.locator('[role="log"]:focus').waitFor();

it('contract §3 end of an answer: its buttons act once for a double click and a held key, leave the focus in the text box, and give it back', async () => {
  const { page, apply, calls, called } = await asked(answer('Parley is writing…'));
  await typeKeys(page, 'my draft{ArrowLeft}');
  await button(page, 'Stop').dblclick();
  await page.keyboard.type('!');
  expect(await box(page).inputValue()).toBe('my draf!t');
  // Escape closes the text box and stops no answer.
  await typeKeys(page, '{Escape}{Escape}');
  await page.getByRole('log').focus();
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Stop');
  await typeKeys(page, '{Escape}{Tab}');
  expect(await focused(page)).toBe('Attach a file');
  expect(calls).toEqual([sentWord('stop')]);
  await apply(label('Parley · stopped'));
  await button(page, 'Continue').focus();
  for (let count = 0; count < 2; count++) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  expect((await called(2)).slice(1)).toEqual([sentWord('continue')]);
  await apply(appended(answer('Parley is writing…')));
  await logFocused(page);
  await apply(label('Parley'));
  // Again is at the end of the answer: it is reached from the message.
  await button(page, 'Again').waitFor();
  await typeKeys(page, '{ArrowUp}{Tab}{Tab}');
  expect(await focused(page)).toBe('Again');
  await page.keyboard.press('Enter');
  expect((await called(3)).slice(2)).toEqual([sentWord('again')]);
  await apply(appended(answer('Parley is thinking…')));
  await logFocused(page);
});

it('contract §3 edit, contract §3 edited question: the last question returns to the text box, whose text replaces it, unless it is cancelled', async () => {
  const { page, apply, calls, called } = await asked(question, answer('llama'));
  await page.keyboard.type('my draft');
  await button(page, 'Edit').click();
  await line(page).waitFor();
  expect([await box(page).inputValue(), await focused(page)]).toEqual(['Why?', 'Message']);
  await page.keyboard.press('Escape');
  await box(page).waitFor({ state: 'detached' });
  await button(page, 'Edit').click();
  await button(page, 'Cancel').click();
  await box(page).waitFor({ state: 'detached' });
  await page.keyboard.type('x');
  await box(page).fill('');
  for (const recalled of ['Why?', 'my draft']) {
    await page.keyboard.press('ArrowUp');
    expect(await box(page).inputValue()).toBe(recalled);
  }
  await page.keyboard.press('Escape');
  expect(calls).toEqual([]);
  await button(page, 'Edit').click();
  await typeKeys(page, ' Or not?{Enter}');
  expect(await called(2)).toEqual([sentWord('edit'), sentWord('Why? Or not?')]);
  const fields = { modifier: 'client', context: 'Ada', replaces: 'question' };
  await apply(appended(message('second', [text('Why? Or not?')], fields)));
  await page.getByRole('separator', { name: 'Edited: replaces the question above and its answer' }).waitFor();
  await button(page, 'Edit').click();
  await box(page).fill('A long question. '.repeat(20));
  await page.keyboard.press('Alt+Enter');
  expect((await called(4)).slice(2)).toMatchObject([sentWord('edit'), ['message', { category: 'file' }]]);
});

/** An answer, and changes of it, each of another block, after which the others begin where they did. */
const CHANGES =
  '→x x\n\n## y [x]\n\n1. one [x]\n2. a\n\n- [ ] two\n\n|x|y|\n|:-|-|\n|b|z|\n\n> c $d$\n\n```js\n# 1\n```\n\n[^1]: e\n\n[x]: http://a.org\n\n¦a.org→b.org¦1. o→3. o¦:-|→-:|¦js→py¦2. a→2. A¦[ ]→[x]¦|b→|B¦|x→|X¦> c→> C¦$d→$D¦: e→: E¦x x→# x';

/** An answer whose second item begins within a list. */
const ANSWER = [
  markdown('The person asks about *tides*.', 'reasoning'),
  markdown('# The **Ti**de\n\nIt is _twice_ a day, `tide()` and $a_i$\n\n1. one'),
  markdown('\n2. two\n\n| Port | Range |\n|--|--|\n| Venice | 0.8 |\n\n```js\nconst sea = 1;\n```\n'),
];
const SHOWN =
  'The Tide\nIt is twice a day, tide() and a_i\none\ntwo\nPort\tRange\nVenice\t0.8\nconst sea = 1;';

it('copies what is shown of an answer, whole or in part, its source and its HTML', async () => {
  const picture = message('0', [{ category: 'image', text: 'a.png', blob: eveningPicture() }]);
  const end = [message('e', []), message('2', [text('the end')])];
  const { page } = await asked(picture, message('1', ANSWER), ...end);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('math').first().waitFor({ state: 'attached' });
  await selectBetween(page, ['Ti', 1], ['the end', 3]);
  expect(await copy(page)).toBe(`Parley:\n${SHOWN.slice(SHOWN.indexOf('ide'))}\n\nParley:\nthe`);
  // Of reasoning what is selected, of a picture nothing after it; and nothing for a field, or when nothing is selected.
  await selectBetween(page, ['tides', 2], ['the end', 3]);
  expect(await copy(page, 'text/html')).toContain('<p dir="auto" data-kind="text">des.</p>');
  const selectFrom = (selector: string, at: number) =>
    page.locator(selector).evaluate((one, offset) => {
      const last = document.querySelector('[data-row="3"] p') ?? one;
      getSelection()?.setBaseAndExtent(one, offset, last, 0);
    }, at);
  await selectFrom('[data-row="0"] .item', 1);
  expect(await copy(page)).toBe(`Parley:\n${SHOWN}`);
  const takesCopyOf = (selector: string) =>
    page.locator(selector).evaluate((one) => {
      const init = { bubbles: true, cancelable: true, clipboardData: new DataTransfer() };
      return !one.dispatchEvent(new ClipboardEvent('copy', init));
    });
  await page.evaluate(() => document.body.append(document.createElement('textarea')));
  expect(await Promise.all(['.log', 'input', 'textarea'].map(takesCopyOf))).toEqual([true, false, false]);
  await selectFrom('[data-row="1"] article > :last-child', 0);
  expect(await takesCopyOf('.log')).toBe(false);
  await page.getByRole('log').focus();
  await page.keyboard.press('ControlOrMeta+a');
  const copied = await copy(page, 'text/html');
  expect(['<em>twice', 'asks about', '<article'].map((part) => copied.split(part).length)).toEqual([2, 1, 4]);
  expect(await page.evaluate(() => JSON.stringify(window.reports))).toMatch(/resized.*"selection"/u);
  const chosen = async (name: string) => {
    await page.locator('[data-message-id="1"] .item').nth(1).hover();
    await button(page, 'Message actions').click();
    await page.getByRole('menuitem', { name, exact: true }).click();
    await page.getByText('Copied', { exact: true }).waitFor({ state: 'attached' });
    await page.mouse.move(0, 0);
    return page.evaluate(() => navigator.clipboard.readText());
  };
  expect(await chosen('Copy as text')).toBe(SHOWN);
  expect(await chosen('Copy as Markdown')).toBe(`${ANSWER[1]?.text}${ANSWER[2]?.text}`);
  expect(await chosen('Copy as HTML')).toMatch(/<em>twice<\/em> a day, <code>tide\(\)<\/code>.*<math/u);
  await typeKeys(page, '{Control+f}twice');
  await page.getByText('1 of 1', { exact: true }).waitFor();
  expect(await page.locator('details[open]').count()).toBe(0);
});

/** Messages that a converter could take for markup, and files that it could lose. */
const ATTACK = [
  message('1', [text('# not *bold* </script><script>wasRun = 1</script>\n  indented')], {
    context: '**Ada**',
    modifier: 'client',
  }),
  message('2', [
    html('<script>wasRun = 1</script><a href="javascript:wasRun = 1">press</a>'),
    { category: 'image', text: '../"x" onerror="wasRun = 1', blob: eveningPicture() },
    { category: 'file', text: '../../notes.txt', blob: btoa('notes') },
    kept('far'),
  ]),
  message('3', [markdown('Hm.', 'reasoning'), markdown(RICH_ANSWER)]),
  message('e', []),
  message('5', [
    { category: 'audio', text: 'hum', blob: btoa('OggS') },
    { category: 'image', text: '', blob: 'AAAA' },
    html('<p>a <b>b</b></p>'),
    html('<br>'),
    { category: 'image', text: '', blob: btoa('GIF89a') },
    markdown(''),
    text('https://a.org/ c'),
  ]),
  // Longer than the pieces that are given to the browser.
  message('4', [text('z'.repeat(1_100_000))]),
];

it('is exported, with the whole conversation, as a page that runs nothing and contains its files', async () => {
  const { page, problems, apply } = await asked(...ATTACK);
  await apply({ kind: 'name', frame: { name: 'Ada <b>&amp;' } });
  await page.route('**/blob/1/3/far', (route) => route.fulfill({ body: 'from main' }));
  await page.evaluate(() => window.fakeMain.emit('export'));
  await page.getByRole('radio', { name: 'Web page' }).check();
  const [name, web] = await downloaded(page, () => button(page, 'Export').click());
  await page.unrouteAll();
  expect(name).toMatch(/^Conversation of Ada _b_&amp; \d{4}-\d\d-\d\d \d\d\.\d\d\.html$/u);
  const readable = web
    .replaceAll(/(?<=<style>)[^]*(?=<\/style>)|(?<='sha256-)[^']+|(?<= on )[\d-]+ [\d:]+|z{9,}/gu, '…')
    .replace(eveningPicture(), '…');
  await expect(readable).toMatchFileSnapshot('../../src/ui/export/testing/page.txt');
  expect(problems).toEqual([]);
});

it('is drawn in tasks of at most 300 characters, and not in the task of the update that brings more', async () => {
  const { page, apply } = await asked(message('long', [{ ...text('Once.'), format: 'markdown' }]));
  await page.getByText('Once.').waitFor();
  await page.evaluate(() => {
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page gets only the source of this function
    const length = () => document.querySelector('.answer')?.textContent.length ?? 0;
    const lengths: number[] = [];
    const { forward } = window.fakeMain;
    const afterMicrotasks = (rest: number) =>
      queueMicrotask(() => (rest > 0 ? afterMicrotasks(rest - 1) : lengths.push(length())));
    window.fakeMain.forward = (action) => {
      Object.assign(window.fakeMain, { forward });
      forward(action);
      afterMicrotasks(100);
    };
    const changes = new MutationObserver(() => lengths.push(length()));
    changes.observe(document.body, { subtree: true, childList: true });
    const end = () => {
      changes.disconnect();
      return lengths;
    };
    Object.assign(window, { end });
  });
  const paragraphs = Array.from({ length: 60 }, (_, at) => `This is the paragraph with the number ${at}.`);
  await apply({ kind: 'text', frame: { text: ['Once.', ...paragraphs].join('\n\n') } });
  await page.locator('.answer').getByText('This is the paragraph with the number 59.').waitFor();
  const lengths = await page.evaluate<number[]>('end()');
  expect(lengths[0]).toBe('Once.'.length);
  expect(lengths.at(-1)).toBe(['Once.', ...paragraphs].join('').length);
  const added = lengths.slice(1).map((length, at) => length - (lengths[at] ?? 0));
  expect(Math.max(...added)).toBeLessThanOrEqual(300);
});

it('is whole before an older one when a conversation opens', async () => {
  const { page, apply } = await sharedWindow();
  await page.evaluate(() => {
    const changes = new MutationObserver(() => {
      const answers = Array.from(document.querySelectorAll('.answer'));
      const areWhole = answers.map(({ textContent }) => textContent.endsWith('The end.'));
      if (!areWhole.includes(true)) return;
      changes.disconnect();
      Object.assign(window, { areWhole });
    });
    changes.observe(document.body, { subtree: true, childList: true });
  });
  const paragraphs = Array.from({ length: 60 }, (_, at) => `The paragraph ${at}.`);
  const long = markdown([...paragraphs, 'The end.'].join('\n\n'));
  await apply(snapshot(...['1', '2', '3'].map((id) => message(id, [long]))));
  const areWhole = await page.waitForFunction((): unknown => Reflect.get(window, 'areWhole'));
  expect(await areWhole.jsonValue()).toEqual([false, false, true]);
});

it('loads what draws formulas and code while the window is idle, before the first answer', async () => {
  const { page } = await open();
  const loaded = await page.waitForFunction(() => {
    const names = performance.getEntriesByType('resource').map(({ name }) => name);
    return ['katex', 'highlightPiece'].every((part) => names.some((name) => name.includes(part)));
  });
  expect(await loaded.jsonValue()).toBe(true);
});

it('is drawn again where it changes: its colours and its end; the keyboard reaches its footnotes, and its code while that is too wide', async () => {
  const writing = { context: 'Parley is writing…' };
  const { page, apply } = await asked(message('1', [markdown('```\nshort\n```')], writing));
  const write = (words: string) => apply({ kind: 'text', frame: { text: words } });
  const code = page.getByRole('group', { name: 'Code' });
  await page.locator('.answer pre').waitFor();
  expect(await code.count()).toBe(0);
  await write(`\`\`\`\n${'word '.repeat(80)}\n\`\`\``);
  expect(await code.getAttribute('tabindex')).toBe('0');
  // Its second piece continues what the first one begins.
  const lines = `${'let a = 1;\n'.repeat(300)}end();\n`;
  const second = page.locator('.code-piece', { hasText: 'end' });
  await write(`\`\`\`js\n${lines}\`\`\``);
  await code.waitFor({ state: 'detached' });
  await second.locator('.code-keyword').first().waitFor();
  await write(`\`\`\`js\n${lines.replace('le', '/*')}\`\`\``);
  await second.locator('.code-comment').waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('.code-copy').press('Enter');
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(lines.replace('le', '/*').trimEnd());
  let words = '';
  for (const [from = '', to = ''] of CHANGES.split('¦').map((change) => change.split('→')))
    await write((words = words.replace(from, to)));
  // However it changed, it is drawn as if it were new.
  const end = markdown('the end');
  await apply({ kind: 'content', frame: end }, appended(message('2', [markdown(words), end], writing)));
  await page.waitForFunction(() => {
    const drawn = Array.from(document.querySelectorAll('.answer'), (one) => one.innerHTML);
    const [changed, whole] = drawn.map((markup) => markup.replaceAll(/message-\d+| checked=""/gu, ''));
    return changed?.includes('the end') === true && changed === whole;
  });
  await write(`${'|wide'.repeat(60)}\n${'|-'.repeat(60)}\n\n$$\n${'x+'.repeat(200)}x\n$$`);
  for (const name of ['Table', 'Formula']) await page.getByRole('group', { name, exact: true }).waitFor();
  await write('some **bold');
  await page.locator('strong', { hasText: 'bold' }).waitFor();
  await apply(label('Parley'));
  await page.getByText('some **bold', { exact: true }).waitFor();
  await write('A[^1]\n\n[^1]: b');
  await page.getByRole('link', { name: 'Footnote 1' }).press('Enter');
  await page.locator('.footnote:focus').waitFor();
  expect(page.url()).not.toContain('#');
});

it('is printed whole and light, by Parley’s command and by the browser’s', async () => {
  const wide = `<pre>${'word '.repeat(80)}</pre><table><tr>${'<td>Cell</td>'.repeat(40)}</tr></table>`;
  const fence = markdown(`\`\`\`\n${'word '.repeat(80)}\n\`\`\``);
  const broken = { category: 'image', text: 'broken.png', blob: eveningPicture().slice(0, 44) };
  const items = [html(wide), fence, broken, kept('far', 'image', 'image/png'), markdown('Hm.', 'reasoning')];
  const last = message('m60', [...items, text('message 60')]);
  const { page, apply, called } = await asked(...messages(59), last);
  await page.locator('.markup td').first().waitFor();
  const paper = () => page.evaluate(() => document.body.innerText);
  const schemes = (...selectors: string[]) =>
    page
      .locator(selectors.join())
      .evaluateAll((all) => Array.from(new Set(all.map((one) => getComputedStyle(one).colorScheme))));
  await page.evaluate(() => (document.documentElement.dataset['theme'] = 'dark'));
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  expect(await schemes(':root', 'body', '.item')).toEqual(['light']);
  const clipped = await page
    .locator(':is(.markup, .answer) pre')
    .evaluateAll((all) =>
      all.map((one) => `${getComputedStyle(one).overflowX} ${one.scrollWidth > one.clientWidth + 1}`),
    );
  expect(clipped).toEqual(['visible false', 'visible false']);
  expect(await paper()).toMatch(/message 1\n[^]*message 60/u);
  expect(await paper()).not.toContain('Log out');
  expect(String(await page.pdf()).match(/\/Type \/Page\b/gu)?.length).toBeGreaterThan(1);
  await page.keyboard.press('ControlOrMeta+p');
  expect(await called(1)).toEqual([['action', dialogRequested({ dialog: 'print' })]]);
  const print = async (isReported = false) => {
    await page.evaluate((reports) => {
      window.print = () => {
        if (Array.from(document.images).every((one) => one.complete)) document.body.classList.add('printed');
        if (reports) dispatchEvent(new Event('afterprint'));
      };
      window.fakeMain.emit('print');
    }, isReported);
    await page.locator('body.printed').waitFor();
    await page.evaluate(() => document.body.classList.remove('printed'));
  };
  await print();
  expect(await paper()).toMatch(/^Conversation of Ada Lovelace[^]*message 1\n[^]*message 60/u);
  const area = page.locator('.print-area');
  expect(await area.innerHTML()).toMatch(/"data:[^]*"http.*\/59\/3\/far"[^]*<summary>/u);
  expect(await schemes(':root', '.print-area', '.print-area p')).toEqual(['light']);
  await apply(snapshot(...messages(501)));
  // A browser may not report the end of a print.
  await print();
  expect([await area.count(), await area.locator('article').count()]).toEqual([1, 501]);
  await page.evaluate(() => delete document.documentElement.dataset['theme']);
  await print(true);
  await area.waitFor({ state: 'detached' });
});
