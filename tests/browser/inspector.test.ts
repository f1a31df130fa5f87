import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { openCapture } from '#replay/inspector/serve/openCapture.ts';
import { readPageFiles, readPairFiles } from '#replay/inspector/serve/appPage.ts';
import { startInspector } from '#replay/inspector/serve/startInspector.ts';
import { parleyApp } from '#replay/parley/parleyApp.ts';
import { runTool, temporaryFolder, writeCapture } from '#replay/testing/files.ts';
import { HOSTILE_MARKUP, HUGE_MARKUP, STRANGE_MARKUP } from '#tests/builders/hostileMarkup.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { axeViolations } from './harness/axeViolations.ts';
import { dropCapture } from './harness/dropCapture.ts';
import { folderFor } from './harness/folderFor.ts';
import { captureNamed, setUpInspector } from './harness/inspector.ts';
import { messages, snapshot } from './harness/message.ts';
import { poisonPage } from './harness/poisonPage.ts';
import { overflowingElements, resize } from './harness/resize.ts';
import { workerBrowser } from './harness/workerBrowser.ts';

const open = setUpInspector();

const IMPACTS = ['moderate', 'serious', 'critical'] as const;
const BOARD = resolve(import.meta.dirname, '../../examples/task-board');

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const grid = (page: Page) => page.getByRole('grid', { name: 'Steps' });
const conversation = (page: Page) => page.getByRole('log', { name: 'Conversation' });
const slider = (page: Page) => page.getByRole('slider', { name: 'Step' });
const notice = (page: Page) => page.getByRole('contentinfo').getByRole('status');
const field = (page: Page) => page.getByLabel('Look for', { exact: true });

const recv = (t: number, update: object) => ({ t, type: 'recv', data: JSON.stringify(update) });
const frameOf = (id: string, text: string) =>
  JSON.stringify({ modifier: 'ai', id, content: [{ category: 'text', text }] });
/** Returns the record of an action of the first window. */
const act = (t: number, type: string, payload?: object) => ({
  t,
  type: 'action',
  action: { type, payload },
  window: 1,
});

/** Waits until the list shows exactly these steps. */
const listed = (page: Page, steps: readonly number[]) =>
  page.waitForFunction((wanted) => {
    const lines = document.querySelectorAll<HTMLElement>('[role="grid"] [data-step]');
    return Array.from(lines, (line) => line.dataset['step']).join() === wanted;
  }, steps.join());

const count = (last: number) => Array.from({ length: last }, (_, at) => at + 1);

async function lookFor(page: Page, kind: string, text: string): Promise<void> {
  await page.getByLabel('What to look for').selectOption(kind);
  await field(page).fill(text);
}

/** Presses keys, and waits for the step that each of them leads to. */
async function press(
  page: Page,
  at: (step: number) => Promise<void>,
  ways: Readonly<Record<string, number>>,
) {
  for (const [key, step] of Object.entries(ways)) {
    await page.keyboard.press(key.trim());
    await at(step);
  }
}

it('goes through a session by buttons, keys, the scrubber, links and searches, and stops at breakpoints in both directions', async () => {
  const { page, at, go, problems } = await open({ capture: captureNamed('recorded-reconnect') });
  await at(0);
  expect(await button(page, 'Previous step').isDisabled()).toBe(true);
  for (const [name, step] of [
    ['Next step', 1],
    ['Last step', 22],
    ['Previous step', 21],
    ['Before the first step', 0],
  ] as const) {
    await button(page, name).click();
    await at(step);
  }
  await press(page, at, {
    ArrowRight: 1,
    'Shift+ArrowRight': 11,
    ArrowLeft: 10,
    'Shift+ArrowLeft': 0,
    End: 22,
    Home: 0,
    e: 11,
  });
  await slider(page).focus();
  await press(page, at, { Home: 0, ArrowRight: 1, PageUp: 11, End: 22, PageDown: 12 });
  const box = (await slider(page).boundingBox()) ?? { x: 0, y: 0, width: 0 };
  await page.mouse.move(box.x + 1, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.3, box.y + 10, { steps: 10 });
  await at(10);
  expect(await slider(page).getAttribute('aria-valuetext')).toBe('Step 10 of 22, 2.000');
  await page.mouse.up();
  await lookFor(page, 'State is', 'messages.length == 3');
  await go(22);
  await button(page, 'Find before').click();
  await at(10);
  await lookFor(page, 'Frame has', 'after the cut');
  for (const step of [16, 18, 20]) {
    await field(page).press('Enter');
    await at(step);
  }
  await field(page).press('Enter');
  await notice(page).getByText('No step after this one meets after the cut.').waitFor();
  for (const [condition, label] of [
    ["connection == 'disconnected'", '1 break'],
    ['messages.some(m => m.content.some(c => c.text.contains("after")))', '2 breaks'],
  ] as const) {
    await lookFor(page, 'State is', condition);
    await button(page, 'Break').click();
    await page.locator('.breakpoints summary').getByText(label, { exact: true }).waitFor();
  }
  await go(22);
  await button(page, 'Play backward').click();
  await at(19);
  await press(page, at, { 'Shift+ArrowLeft': 11, 'Shift+ArrowRight': 19 });
  await page.getByText('2 breaks').click();
  const list = page.getByRole('list', { name: 'Breakpoints' });
  for (const left of [1, 0]) {
    await list.getByRole('button').first().click();
    await list.getByRole('button').nth(left).waitFor({ state: 'detached' });
  }
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('go-to');
  for (const [hash, step] of [
    ['#step=99999', 22],
    ['#at=2.000', 10],
    ['#update=2', 8],
  ] as const) {
    await page.evaluate((typed) => void (location.hash = typed), hash);
    await at(step);
  }
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  onTestFinished(() => page.context().clearPermissions());
  await grid(page).focus();
  await page.keyboard.press('l');
  await page.getByText('A link to step 8 is copied.').waitFor();
  const copied = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  expect([copied.hash, copied.search, problems]).toEqual(['#step=8', '', []]);
});

/** Lets the clock of the page run until a condition holds there. */
async function runUntil(page: Page, condition: () => boolean): Promise<void> {
  while (!(await page.evaluate(condition))) await page.clock.runFor(20);
}

it('plays at a speed and pauses, and stops a search that never ends, after which the edits, the filter and the step are the same', async () => {
  const inFolder = await temporaryFolder();
  const records = [
    { t: 0, type: 'open' },
    { t: 1, type: 'recv', data: JSON.stringify({ person: 'Ada', messages: [] }) },
    { t: 200, type: 'recv', data: frameOf('m-1', 'recorded') },
    { t: 400, type: 'recv', data: frameOf('m-2', `${'a'.repeat(50_000)}!`) },
  ];
  // The page’s clock stands still, the worker’s does not.
  const { page, at, go, problems } = await open({
    capture: await writeCapture(inFolder('x.parley.jsonl'), records),
    prepare: async (own) => {
      await own.clock.install({ time: 0 });
      await own.clock.pauseAt(3_600_000);
    },
  });
  await page.getByRole('button', { name: '100×' }).click();
  await button(page, 'Play').click();
  await runUntil(
    page,
    () => document.querySelector('[role="slider"]')?.getAttribute('aria-valuenow') === '7',
  );
  await at(7);
  await go(0);
  await page.keyboard.press('2');
  await page.keyboard.press(' ');
  await runUntil(
    page,
    () => Number(document.querySelector('[role="slider"]')?.getAttribute('aria-valuenow')) > 2,
  );
  await page.keyboard.press(' ');
  await button(page, 'Play').waitFor();
  const stopped = await slider(page).getAttribute('aria-valuenow');
  await page.clock.runFor(1000);
  expect(await slider(page).getAttribute('aria-valuenow')).toBe(stopped);
  await go(4);
  await button(page, 'Edit…').click();
  await page.getByLabel('What if record 3 were this?').fill(frameOf('m-1', 'edited'));
  await button(page, 'Apply').click();
  await conversation(page).getByText('edited').waitFor();
  await page.getByLabel('Filter by text').fill('edited');
  await listed(page, [4, 5]);
  await at(5);
  await lookFor(page, 'Frame has', '/(a+)+$/');
  await button(page, 'Find after').click();
  const note = page.locator('.field-error', {
    hasText: 'took more than 2 s at one step and was stopped. Simplify its pattern',
  });
  while ((await note.count()) === 0) await page.clock.runFor(500);
  await button(page, 'Previous step').click();
  await at(4);
  await button(page, 'Next step').click();
  await at(5);
  await page.getByRole('tab', { name: 'What if (1)' }).waitFor();
  await listed(page, [4, 5]);
  await field(page).fill('/edit(e)d/');
  await button(page, 'Find before').click();
  await at(4);
  expect(problems).toEqual([]);
});

it('lists the steps, filtered by text, kind and what changed, keeps the selected one in the middle, and groups edits of a field', async () => {
  const { page, at, go, problems } = await open({ capture: captureNamed('recorded-reconnect') });
  const row = (step: number) => page.locator(`[data-step="${step}"]`);
  await listed(page, count(22));
  const cells = await row(8).locator('[role="gridcell"]').allTextContents();
  expect(cells).toEqual(['8', '1.500', '✓applied message', '0.014', '184 B', 'Ada Lovelace: drop']);
  await page.getByLabel('Filter by text').fill('after the cut');
  await listed(page, [16, 18, 19, 20, 21]);
  await page.getByText('Every kind', { exact: true }).click();
  await page.getByRole('checkbox', { name: 'applied' }).check();
  await listed(page, [19, 21]);
  await page.getByRole('checkbox', { name: 'applied' }).uncheck();
  await page.getByRole('checkbox', { name: 'close', exact: true }).check();
  await page.getByText('No step fits the filters.').waitFor();
  await page.keyboard.press('Escape');
  await button(page, 'Clear the filters').click();
  await page.getByRole('checkbox', { name: 'Hide what changed nothing' }).check();
  await listed(page, [3, 4, 8, 10, 11, 15, 19, 21]);
  await grid(page).focus();
  await press(page, at, { ArrowDown: 3, 'ArrowDown ': 4, End: 21, ArrowUp: 19, Home: 3 });
  await page.keyboard.press('/');
  await page.keyboard.type('e?1');
  expect(await page.getByLabel('Filter by text').inputValue()).toBe('e?1');

  const long = await open({ capture: captureNamed('recorded-stream'), step: 30 });
  const middle = (step: number) =>
    page.waitForFunction((wanted) => {
      const [own, list] = [`[data-step="${wanted}"]`, '.step-grid'].map((one) =>
        document.querySelector(one)?.getBoundingClientRect(),
      );
      // The middle is in one row only.
      return own && list && Math.abs((own.top + own.bottom - list.top - 26 - list.bottom) / 52) <= 0.5;
    }, step);
  await middle(30);
  await long.page.keyboard.press('ArrowRight');
  await middle(31);
  const before = await row(36).boundingBox();
  await row(36).click();
  await long.at(36);
  expect((await row(36).boundingBox())?.y).toBe(before?.y);

  const inFolder = await temporaryFolder();
  const typed = Array.from('hello', (_, index) =>
    act(10 + index, 'textBox/edited', { text: 'hello'.slice(0, index + 1) }),
  );
  const opened = { t: 1, type: 'action', action: { type: 'window/opened', payload: { number: 1 } } };
  const capture = await writeCapture(inFolder('edits.parley.jsonl'), [
    opened,
    ...typed,
    act(20, 'textBox/sent'),
  ]);
  await open({ capture });
  const group = (isOpen: boolean) =>
    grid(page).getByRole('button', { name: '5 edits', expanded: isOpen }).waitFor();
  await listed(page, [1, 6, 7]);
  await grid(page).focus();
  await press(page, at, { ArrowDown: 1, 'ArrowDown ': 6 });
  await page.keyboard.press('Enter');
  await group(true);
  await listed(page, count(7));
  await go(2);
  await page.keyboard.press('ArrowLeft');
  await group(false);
  await page.keyboard.press('ArrowRight');
  await group(true);

  // Of a long session, only the rows in view are in the document.
  const many = messages(2000).map((one, index) => recv(10 * (index + 1), one));
  await open({
    capture: await writeCapture(inFolder('long.parley.jsonl'), [recv(1, snapshot().frame), ...many]),
  });
  await page.keyboard.press('End');
  await at(4002);
  await row(4002).waitFor();
  expect(await grid(page).locator('[data-step]').count()).toBeLessThan(60);
  const first = conversation(page).getByRole('article').first();
  await first.scrollIntoViewIfNeeded();
  const place = async () => (await article.boundingBox())?.y ?? -1;
  const article = page.locator(`[data-message-id="${await first.getAttribute('data-message-id')}"]`);
  const stood = await place();
  await page.getByRole('button', { name: /Show earlier messages/ }).click();
  await page.waitForFunction(
    (id) => document.querySelector('[role="log"] article')?.getAttribute('data-message-id') !== id,
    await article.getAttribute('data-message-id'),
  );
  expect(Math.abs((await place()) - stood)).toBeLessThan(40);
  expect(problems).toEqual([]);
});

it('draws a timeline, on which a click selects a step, a drag a range, and a double click or a key a part of the time', async () => {
  const { page, at, go, problems } = await open({ capture: captureNamed('recorded-reconnect') });
  const pointAt = async (share: number) => {
    const { x = 0, y = 0, width = 0 } = (await page.getByTestId('plot').boundingBox()) ?? {};
    return [x + width * share, y + 60] as const;
  };
  const marks = () => slider(page).locator('.mark').allTextContents();
  const marked = (isMarked: boolean, words: string) =>
    page.waitForFunction(
      ([is, wanted]) =>
        Array.from(document.querySelectorAll('[role="slider"] .mark'), (one) => one.textContent).includes(
          wanted,
        ) === is,
      [isMarked, words] as const,
    );
  await page.locator('.band.connected').nth(1).waitFor();
  for (const lane of ['received', 'sent', 'applied', 'queue'])
    await page.locator(`path.lane.${lane}[d^="M"]`).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: /Error at step 11: .*1006/ }).click();
  await at(11);
  await page.mouse.move(...(await pointAt(0.2)));
  await page.mouse.down();
  await page.mouse.move(...(await pointAt(0.32)), { steps: 5 });
  await page.mouse.up();
  await listed(page, [5, 6, 7, 8, 9, 10]);
  await page.getByText('Step 4 → 10').waitFor();
  expect(await conversation(page).locator('[data-changed]').count()).toBe(2);
  await button(page, 'Clear the range').click();
  await listed(page, count(22));
  await go(5);
  await page.keyboard.press('[');
  await at(22);
  await go(10);
  await page.keyboard.press(']');
  await listed(page, [5, 6, 7, 8, 9, 10]);
  await press(page, at, { Home: 5, End: 10 });
  await page.keyboard.press('Escape');
  await listed(page, count(22));
  const whole = await marks();
  await page.mouse.dblclick(...(await pointAt(0.5)));
  await marked(true, '3.400');
  await button(page, 'Whole session').click();
  await marked(false, '3.400');
  for (const key of ['+', '-', '+', '0', 'z']) {
    const before = (await marks()).join();
    await page.keyboard.press(key);
    await page.waitForFunction(
      (old) =>
        Array.from(document.querySelectorAll('[role="slider"] .mark'), (one) => one.textContent).join() !==
        old,
      before,
    );
  }
  await page.keyboard.press('0');
  await marked(true, whole.at(-1) ?? '');
  // The separators between the panes are moved by keyboard and by dragging.
  const line = page.getByRole('separator', { name: 'Width of the step list' });
  const width = async () =>
    Math.round((await page.getByRole('region', { name: 'Step list' }).boundingBox())?.width ?? 0);
  const start = await width();
  await line.focus();
  await page.keyboard.press('ArrowRight');
  await page.locator(`[aria-valuenow="${start + 24}"]`).waitFor();
  const box = (await line.boundingBox()) ?? { x: 0, y: 0 };
  await page.mouse.move(box.x, box.y + 50);
  await page.mouse.down();
  await page.mouse.move(box.x - 60, box.y + 50, { steps: 4 });
  await page.mouse.up();
  await page.locator(`[aria-valuenow="${start - 36}"]`).waitFor();
  expect([await width(), problems]).toEqual([start - 36, []]);
});

it('shows the frame as it was on the wire, what changed since the step before or a pinned one, and the state as a tree that the keyboard and a search go through', async () => {
  const inFolder = await temporaryFolder();
  const data = '{"person":"Ada","messages":[],"big":12345678901234567890.10}';
  const { page, go, problems } = await open({
    capture: await writeCapture(inFolder('big.parley.jsonl'), [{ t: 1, type: 'recv', data }]),
  });
  const frame = page.getByRole('region', { name: 'Frame text' });
  await go(1);
  await frame.getByText('"big": 12345678901234567890.10').waitFor();
  await button(page, 'Raw').click();
  expect(await frame.textContent()).toBe(data);
  await open({ capture: captureNamed('streamed-text') });
  await go(20);
  const differences = page.getByRole('region', { name: 'Differences' });
  await differences.locator('.path', { hasText: 'messages[1].content[0].text' }).waitFor();
  expect(await differences.locator('ins').first().textContent()).toBe(' does');
  await go(16);
  await button(page, 'Pin this step to compare with').click();
  await go(51);
  await page.getByText('Step 16 → 51').waitFor();
  await page.getByLabel('Compare with', { exact: true }).selectOption('since the step before');
  await go(20);
  await page.getByRole('tab', { name: 'State', exact: true }).click();
  const tree = page.getByRole('tree', { name: 'State' });
  await tree.locator('[data-path="messages[1]"][data-changed="true"]').waitFor();
  await tree.focus();
  for (const [key, active] of [
    ['Down', 'messages'],
    ['Down', 'messages[0]'],
    ['Down', 'messages[1]'],
    ['Right', 'messages[1]'],
    ['Right', 'messages[1].id'],
    ['Down', 'messages[1].modifier'],
  ] as const) {
    await page.keyboard.press(`Arrow${key}`);
    await tree.locator(`[data-active="true"][data-path="${active}"]`).waitFor();
  }
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  onTestFinished(() => page.context().clearPermissions());
  const search = page.getByRole('searchbox', { name: 'Search keys and values' });
  await search.fill('isWATCHED');
  await page.getByRole('search', { name: 'Search the state' }).getByText('1', { exact: true }).waitFor();
  await search.press('Enter');
  const found = tree.locator('[data-active="true"][data-path="attention.isWatched"]');
  await found.waitFor();
  await button(page, 'Copy path').click();
  await page.waitForFunction(async () => (await navigator.clipboard.readText()) === 'attention.isWatched');
  // What is open stays open at the next step, with its values.
  await tree.locator('[data-path="messages[1].content"]').click();
  await tree.locator('[data-path="messages[1].content[0]"]').click();
  await tree.locator('[data-path="messages[1].content[0].text"] .value', { hasText: '"It does"' }).waitFor();
  await go(16);
  await tree.locator('[data-path="messages[1].content[0].text"] .value', { hasText: /^"It"$/u }).waitFor();
  expect(problems).toEqual([]);
});

it('contract §5 markup over a limit: shows hostile markup and what cannot be drawn as the messenger does, in a picture of the window that takes neither the focus nor keys', async () => {
  const inFolder = await temporaryFolder();
  const markup = [
    ...STRANGE_MARKUP,
    ...HOSTILE_MARKUP,
    ...Object.values(HUGE_MARKUP).filter(({ length }) => length < 100_000),
  ];
  const content = [
    ...markup.map((html) => ({ category: 'html', html })),
    { category: 'audio', text: 'a sound', blob: 'poison' },
  ];
  const deep = `{"text":${'['.repeat(6000)}${']'.repeat(6000)}}`;
  const records = [
    {
      t: 0,
      type: 'recv',
      data: JSON.stringify({ person: 'Ada', messages: [{ id: 'a', modifier: 'ai', content }] }),
    },
    { t: 1, type: 'recv', data: deep },
    { t: 2, type: 'recv', data: 'poison' },
    { t: 200, type: 'action', action: { type: 'window/opened', payload: { number: 1 } } },
    act(200, 'view/changed', { view: 'conversation' }),
    act(200, 'textBox/opened', { text: 'the draft' }),
  ];
  const capture = await writeCapture(inFolder('hostile.parley.jsonl'), records);
  const { page, go, at, problems } = await open({
    capture,
    prepare: (fresh) => fresh.addInitScript(poisonPage),
  });
  await go(7);
  const items = conversation(page).locator('.item');
  await items.filter({ hasText: 'This item cannot be shown.' }).waitFor();
  await items.filter({ hasText: 'This page is too large to show.' }).first().waitFor();
  expect(await items.count()).toBe(content.length);
  expect(await page.evaluate(() => 'wasRun' in window)).toBe(false);
  const draft = page.getByRole('textbox', { name: 'Message' });
  await draft.dispatchEvent('mousedown');
  await draft.evaluate((element: HTMLElement) => element.click());
  const focusable = page.locator('.window-picture :is(button, input, textarea, a):not([role="log"] *)');
  expect(await focusable.evaluateAll((all) => all.filter(({ tabIndex }) => tabIndex >= 0).length)).toBe(0);
  await conversation(page).focus();
  await page.keyboard.press('x');
  await page.keyboard.press('ArrowLeft');
  await at(6);
  const live = ':is([aria-live]:not([aria-live="off"]), [role="status"]:not([aria-live]), [role="alert"])';
  expect(await page.locator(`.window-picture ${live}`).count()).toBe(0);
  // The page itself cannot show this frame.
  await page.evaluate(() => void (location.hash = '#step=3'));
  const failure = page.getByRole('alert');
  await failure.getByText('The inspector cannot be shown. Reload it, or open another capture.').waitFor();
  expect(problems.join('')).not.toContain('secret words');
  await page.evaluate(() => void (location.hash = '#step=6'));
  await failure.getByRole('button', { name: 'Reload' }).click();
  await at(6);
});

const INSERTED = {
  modifier: 'ai',
  id: 'm-x',
  content: [{ category: 'text', text: 'inserted' }],
  context: 'X',
};

it('shows another session after a frame or an action is skipped, edited or inserted, undoes it, and makes a capture and a redacted test of it', async (test) => {
  const cwd = folderFor(test);
  const { page, go, problems } = await open({ capture: captureNamed('streamed-text'), cwd });
  const applied = async (label: RegExp | string, text: string) => {
    await page.getByLabel(label).fill(text);
    await page.keyboard.press('Control+Enter');
  };
  await go(6);
  await button(page, 'Skip').click();
  await page.getByRole('tab', { name: 'What if (1)' }).click();
  await page.getByText('Record 5 is skipped').waitFor();
  await button(page, 'Discard the edits').click();
  await page.getByText('Skip, edit or insert a frame').waitFor();
  await go(6);
  await button(page, 'Edit…').click();
  await page.getByLabel('What if record 5 were this?').fill('{"text":');
  await page.getByText('The app would reject this: not JSON').waitFor();
  await page.keyboard.press('Escape');
  await button(page, 'Insert after…').click();
  await applied(/What if this came after record/, JSON.stringify(INSERTED));
  await conversation(page).getByText('inserted').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button(page, 'Save as a capture').click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n');
  const recorded = readFileSync(captureNamed('streamed-text'), 'utf8').trimEnd().split('\n');
  expect([download.suggestedFilename(), lines.toSpliced(6, 1)]).toEqual([
    'streamed-text-what-if.parley.jsonl',
    recorded,
  ]);
  writeFileSync(join(cwd, 'x.parley.jsonl'), 'mine');
  await button(page, 'Make a test of this').click();
  const dialog = page.getByRole('dialog', { name: 'Make a test of this' });
  await dialog.getByLabel('Folder').fill('.');
  await dialog.getByLabel('Name').fill('x');
  await dialog.getByRole('button', { name: 'Write the test' }).click();
  await dialog.getByRole('alert').getByText('already exists').waitFor();
  await dialog.getByLabel('Name').fill('what if');
  await dialog.getByRole('button', { name: 'Write the test' }).click();
  await dialog.getByText('The test and its golden are written').waitFor();
  expect(readdirSync(cwd).toSorted()).toEqual([
    'what if.golden.json',
    'what if.parley.jsonl',
    'x.parley.jsonl',
  ]);
  const made = join(cwd, 'what if.parley.jsonl');
  expect([readFileSync(made, 'utf8').match(/inserted|Ada/), (await runTool('verify', made)).status]).toEqual([
    null,
    0,
  ]);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await button(page, 'Undo: After record 5 comes').click();
  await page.getByText('Skip, edit or insert a frame').waitFor();
  await open({ capture: captureNamed('two-windows') });
  await go(32);
  await grid(page).getByRole('row').filter({ hasText: 'textBox/edited' }).first().click();
  await button(page, 'Edit…').click();
  const action = page.getByLabel(/What if record \d+ were this\?/);
  const text = await action.inputValue();
  await applied(/What if record \d+ were this\?/, text.replace(/"text": ".*"/, '"text": 7'));
  await page.getByText('is not valid at text').waitFor();
  await applied(/What if record \d+ were this\?/, text.replace(/"text": ".*"/, '"text": "Another text"'));
  const draft = page.getByRole('textbox', { name: 'Message' });
  await expect.poll(() => draft.inputValue(), POLLING).toBe('Another text');
  expect(problems).toEqual([expect.stringContaining('400 (Bad Request)')]);
});

it('opens captures of its address, a drop or a choice, keeps its access, shows what is before a broken line, and says why something cannot be opened', async () => {
  const inFolder = await temporaryFolder();
  const path = await writeCapture(inFolder('x.parley.jsonl'), [
    { t: 0, type: 'open' },
    { t: 1, type: 'recv', data: JSON.stringify(snapshot(...messages(1)).frame) },
  ]);
  const { page, at, problems } = await open({ capture: path, cwd: dirname(path), step: 99 });
  await conversation(page).getByText('message 1').waitFor();
  expect([page.url().includes('token'), problems]).toEqual([false, []]);
  const second = await page.context().newPage();
  await second.goto(`${new URL(page.url()).origin}/#step=2`);
  await second.locator('[data-drawn="2"]').waitFor();
  await second.close();
  await appendFile(
    path,
    `${JSON.stringify({ t: 3, type: 'recv', data: '{"text":"or at ten"}' })}\n{"t":3}\n`,
  );
  await page.reload();
  await page
    .getByRole('alert')
    .getByText('x.parley.jsonl:5: has no `type`; only what is before it is used')
    .waitFor();
  await page.keyboard.press('End');
  await conversation(page).getByText('or at ten').waitFor();
  await dropCapture(page, 'stream.parley.jsonl.gz', gzipSync(readFileSync(captureNamed('streamed-text'))));
  await page.locator('.capture-name', { hasText: 'stream.parley.jsonl.gz' }).waitFor();
  await at(0);
  await page.route('**/worker.js', (route) => route.abort());
  await page.reload();
  await page.getByRole('alert').getByText('could not be started; reload the page').waitFor();
  await page.unroute('**/worker.js');
  const empty = await open();
  await empty.page.getByText('Drop a capture here').waitFor();
  expect(await axeViolations(empty.page, IMPACTS)).toEqual([]);
  await dropCapture(page, 'notes.txt', Buffer.from('not a capture\n'));
  await page.getByRole('alert').getByText('notes.txt could not be opened').waitFor();
  await dropCapture(page, 'echo.golden.json', Buffer.from('{"format":"parley-golden"}'));
  await page.getByRole('alert').getByText('Drop the capture, echo.parley.jsonl.').waitFor();
  const chosen = page.waitForEvent('filechooser');
  await button(page, 'Open a capture').click();
  await (await chosen).setFiles(captureNamed('recorded-echo'));
  await page.locator('.capture-name', { hasText: 'recorded-echo.parley.jsonl' }).waitFor();
});

it('has no violation of axe and fits into every width in each of its views, also beside another session', async () => {
  const { page, go, problems } = await open({ capture: captureNamed('recorded-reconnect') });
  const check = async (view: string) => {
    expect([view, await axeViolations(page, IMPACTS)]).toEqual([view, []]);
    for (const width of [1000, 420]) {
      await resize(page, width, 700);
      expect([view, width, await overflowingElements(page, 'header *, main *, footer *, dialog', 1)]).toEqual(
        [view, width, []],
      );
    }
    await resize(page, 1440, 900);
  };
  await go(9);
  await button(page, 'Skip').click();
  await page.getByRole('tab', { name: 'What if (1)' }).click();
  await page.locator('.outcome').waitFor();
  await lookFor(page, 'expression', `connection == "${'x'.repeat(300)}"`);
  await field(page).press('Enter');
  await page.locator('.field-error').getByText('The connection is').waitFor();
  await check('an edit, and a search that cannot be used');
  await page.getByRole('tab', { name: 'State', exact: true }).click();
  await page.locator('.state-line').first().waitFor();
  await page.keyboard.press('Escape');
  await go(5);
  await page.keyboard.press('[');
  await page.getByText('Every kind', { exact: true }).click();
  await check('the state, a range and the kinds');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await check('the keys');
  await page.keyboard.press('Escape');
  await button(page, 'Colours: as the system').click();
  await button(page, 'Colours: light').click();
  await button(page, 'Colours: dark').click();
  expect(problems).toEqual([]);

  const inspector = await startInspector({
    files: await readPageFiles(),
    app: parleyApp,
    capture: await openCapture(captureNamed('recorded-reconnect')),
    other: {
      files: await readPairFiles(),
      capture: await openCapture(captureNamed('recorded-echo')),
      labels: ['a', 'b'],
      by: 'content',
    },
    cwd: process.cwd(),
    port: 0,
  });
  onTestFinished(() => inspector.stop());
  await page.goto(inspector.invitation());
  await page.getByText('The states differ from row 3 on (step 3 and step 3).').waitFor();
  const both = (a: number, b: number) =>
    page.waitForFunction(
      (wanted) =>
        Array.from(document.querySelectorAll('[role="slider"]'), (one) =>
          one.getAttribute('aria-valuenow'),
        ).join() === wanted,
      `${a},${b}`,
    );
  await page.keyboard.press('End');
  await both(22, 17);
  await page.getByRole('grid').getByText('Parley: You said: Good morning!').first().click();
  await both(9, 9);
  await page.keyboard.press('d');
  await both(3, 3);
  await check('two sessions');
});

const HOSTILE = '</script><script>alert(1)</script><!--<script>';

it('is a report that opens from disk without a network, runs no script of a frame, blocks foreign ones, and contains no text after redaction; of another app, too', async () => {
  const at = await temporaryFolder();
  const html =
    '<p>Shown to Grace</p><img src="https://example.org/pixel.png" alt=""><script>alert(3)</script>';
  const answer = `${HOSTILE} for **Grace**: $x^2$\n\n\`\`\`js\nconst x = 1;\n\`\`\``;
  const capture = await writeCapture(at('Grace.parley.jsonl'), [
    recv(1, { person: 'Grace Hopper', messages: [] }),
    recv(2, { modifier: 'ai', content: [{ category: 'text', text: HOSTILE }] }),
    recv(3, { modifier: 'ai', content: [{ category: 'html', text: HOSTILE, html }] }),
    recv(4, { category: 'text', text: answer, format: 'markdown' }),
    recv(5, { category: 'text', text: '' }),
    recv(6, { [HOSTILE]: HOSTILE, text: 'the frigate leaves at nine' }),
  ]);
  const context = await (await workerBrowser()).newContext({ offline: true });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const seen: string[] = [];
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => seen.push('dialog')));
  page.on('pageerror', (error) => seen.push(error.message));
  page.on('console', (one) => void (one.type() === 'error' && seen.push(one.text())));
  page.on(
    'request',
    (request) => void (/^(?:file|blob|data):/.test(request.url()) || seen.push(request.url())),
  );
  const report = async (...args: readonly string[]) => {
    expect(await runTool('report', ...args, '--force')).toMatchObject({ status: 0 });
    await page.goto(pathToFileURL(at('x.html')).href);
  };
  await report(capture, '-o', at('x.html'), '--step', '999');
  await conversation(page).getByText('Shown to Grace').waitFor();
  for (const part of ['strong', 'math msup', '.code-keyword'])
    await conversation(page).locator('.answer').locator(part).waitFor();
  expect(await conversation(page).getByRole('article').first().textContent()).toContain(HOSTILE);
  expect(await button(page, 'Make a test of this').count()).toBe(0);
  expect(seen).toEqual([]);
  await page.evaluate(() => {
    const violated: string[] = [];
    Object.assign(window, { violated });
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
      violated.push(effectiveDirective),
    );
    const script = document.createElement('script');
    script.append('window.injected = true');
    document.body.append(
      script,
      Object.assign(document.createElement('iframe'), { src: 'https://example.org/' }),
    );
    fetch('https://example.org/').catch(() => undefined);
  });
  await page.waitForFunction(() => Reflect.get(window, 'violated').length >= 3);
  expect(await page.evaluate(() => Reflect.has(window, 'injected'))).toBe(false);
  await report(capture, '-o', at('x.html'), '--redact', '--step', '999');
  await conversation(page)
    .getByText(/text-\d/)
    .first()
    .waitFor();
  const personal = /Grace|Hopper|frigate|alert\(/;
  expect(
    [await page.locator('#root').textContent(), await page.title()].filter((words) =>
      personal.test(words ?? ''),
    ),
  ).toEqual([]);
  expect(await readFile(at('x.html'), 'utf8')).not.toMatch(/Grace|Hopper|frigate/);
  await report(
    `${BOARD}/captures/one-person.parley.jsonl`,
    '--app',
    `${BOARD}/adapter.ts`,
    '-o',
    at('x.html'),
    '--update',
    '8',
  );
  await page.getByRole('heading', { name: 'Done (2)' }).waitFor();
  expect(await axeViolations(page, IMPACTS)).toEqual([]);
});

it('shows another app by its own pane, its errors with their stacks, and follows a live session until the person steps back', async () => {
  const at = await temporaryFolder();
  const counter = resolve(import.meta.dirname, '../../tools/replay/testing/counterAdapter.ts');
  await writeFile(
    at('adapter.ts'),
    `import { counterAdapter } from '${counter}';
    function reduceCounter(state, update) {
      if (update[0] === 'bad') throw new TypeError('no such fruit');
      return counterAdapter.reduce(state, update);
    }
    export const adapter = { ...counterAdapter, reduce: reduceCounter, pane: './pane.ts' };`,
  );
  await writeFile(
    at('pane.ts'),
    `export function pane(element, state) {
      if (state.totals.figs === 1) throw new RangeError('one fig cannot be drawn');
      element.textContent = 'figs: ' + (state.totals.figs ?? 'none');
    }`,
  );
  const lines = ['bad 1', 'figs 1', 'figs 1'].map((data, index) => ({ t: 10 * index, type: 'recv', data }));
  const app = await open({ capture: await writeCapture(at('x.parley.jsonl'), lines), app: at('adapter.ts') });
  const pane = app.page.getByRole('region', { name: 'App pane' });
  await app.go(2);
  await pane.getByText('figs: none').waitFor();
  const alert = pane.getByRole('alert');
  expect(await alert.textContent()).toMatch(
    /^The adapter threw at this step.*TypeError: no such fruit\n +at .*reduceCounter.*adapter\.ts:3\)$/s,
  );
  await app.go(4);
  await pane.getByText('The pane threw').waitFor();
  await app.go(6);
  await pane.getByText('figs: 2').waitFor();
  expect([await alert.count(), app.problems]).toEqual([0, []]);

  const recorded = readFileSync(captureNamed('recorded-reconnect'), 'utf8').trimEnd().split('\n');
  const live = await open({
    prepare: async (page) => {
      await page.addInitScript(() => {
        const listeners = {
          lines: new Set<(text: string) => void>(),
          end: new Set<(text: string) => void>(),
        };
        const on = (kind: keyof typeof listeners) => (listener: (text: string) => void) => {
          listeners[kind].add(listener);
          return () => listeners[kind].delete(listener);
        };
        const notify = (kind: keyof typeof listeners, text: string) =>
          listeners[kind].forEach((listener) => listener(text));
        Object.assign(window, { parleyInspect: { onLines: on('lines'), onEnded: on('end') }, notify });
      });
      await page.route(
        ({ pathname }) => pathname === '/',
        async (route) => {
          const response = await route.fetch();
          await route.fulfill({
            response,
            body: (await response.text()).replace('"source":null', '"source":{"live":true}'),
          });
        },
      );
    },
  });
  const { page } = live;
  const notify = (kind: 'lines' | 'end', text: string) =>
    page.evaluate(([name, words]) => Reflect.get(window, 'notify')(name, words), [kind, text] as const);
  const send = (...sent: readonly string[]) => notify('lines', sent.map((line) => `${line}\n`).join(''));
  const steps = (last: number) => page.locator(`[role="slider"][aria-valuemax="${last}"]`).waitFor();
  await send(...recorded.slice(0, 3));
  await page.locator('[data-phase="ready"]').waitFor();
  await page.getByRole('button', { name: 'Follow', pressed: true }).waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('button', { name: 'Follow', pressed: false }).waitFor();
  await send('{"t":');
  await page.getByRole('contentinfo').getByText('is not JSON; this line is skipped').waitFor();
  await send(...recorded.slice(3));
  await steps(22);
  expect(await live.step()).toBeLessThan(22);
  await button(page, 'Follow').click();
  await live.at(22);
  await notify('end', 'The session has ended.');
  await page.getByRole('contentinfo').getByText('The session has ended.').waitFor();
  expect(live.problems).toEqual([]);
});
