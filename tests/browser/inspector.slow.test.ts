import { readFileSync, readdirSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { openCapture } from '#replay/inspector/serve/openCapture.ts';
import { readPairFiles } from '#replay/inspector/serve/appPage.ts';
import { CHAT_RECORDS } from '#replay/store/testing/teamChat.ts';
import { captureIn, captureOf, runTool } from '#replay/testing/files.ts';
import { HOSTILE_MARKUP, HUGE_MARKUP, STRANGE_MARKUP } from '#tests/builders/hostileMarkup.ts';
import { axeViolations } from './harness/axeViolations.ts';
import { box, button, typeKeys } from './harness/elements.ts';
import { downloaded } from './harness/transfers.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { recv } from '#tests/builders/updateOf.ts';
import { captureNamed, serve, setUpInspector } from './harness/inspector.ts';
import { messages, snapshot } from './harness/message.ts';
import { poisonPage, recordViolations } from './harness/pageAccess.ts';
import { overflowingElements, resize } from './harness/layout.ts';
import { workerBrowser } from './harness/chromium.ts';

const open = setUpInspector();

const grid = (page: Page) => page.getByRole('grid', { name: 'Steps' });
const conversation = (page: Page) => page.getByRole('log', { name: 'Conversation' });
const slider = (page: Page) => page.getByRole('slider', { name: 'Step' });
const field = (page: Page) => page.getByLabel('Look for', { exact: true });

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

/** Presses keys, and waits for the step that each of them leads to: `Home 0, e 11`. */
async function press({ page, at }: Awaited<ReturnType<typeof open>>, ways: string): Promise<void> {
  for (const [key = '', step] of ways.split(', ').map((way) => way.split(' '))) {
    await page.keyboard.press(key);
    await at(Number(step));
  }
}

it('goes through a session by buttons, keys, the scrubber, a search and a breakpoint, and copies a link to a step', async () => {
  const opened = await open({ capture: captureNamed('recorded-reconnect') });
  const { page, at, go, problems } = opened;
  await at(0);
  expect(await button(page, 'Previous step').isDisabled()).toBe(true);
  for (const [name, step] of Object.entries({ 'Next step': 1, 'Last step': 22, 'Previous step': 21 })) {
    await button(page, name).click();
    await at(step);
  }
  await press(opened, 'Home 0, ArrowRight 1, Shift+ArrowRight 11, ArrowLeft 10, End 22, Home 0, e 11');
  await slider(page).focus();
  await press(opened, 'PageUp 21, Home 0');
  const { x, y, width } = (await slider(page).boundingBox()) ?? { x: 0, y: 0, width: 0 };
  await page.mouse.move(x + 1, y + 10);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.3, y + 10);
  await at(10);
  expect(await slider(page).getAttribute('aria-valuetext')).toBe('Step 10 of 22, 2.000');
  await page.mouse.up();
  await lookFor(page, 'Frame has', 'after the cut');
  for (const step of [16, 18]) {
    await field(page).press('Enter');
    await at(step);
  }
  await lookFor(page, 'State is', "connection == 'disconnected'");
  await button(page, 'Break').click();
  await page.locator('.breakpoints summary').getByText('1 break', { exact: true }).waitFor();
  await go(13);
  await button(page, 'Play backward').click();
  await at(11);
  await page.getByText('1 break').click();
  await page.getByRole('list', { name: 'Breakpoints' }).getByRole('button').click();
  await page.waitForFunction(() => document.activeElement?.id === 'go-to');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  onTestFinished(() => page.context().clearPermissions());
  await grid(page).focus();
  await page.keyboard.press('l');
  await page.getByText('A link to step 11 is copied.').waitFor();
  const copied = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  expect([copied.hash, copied.search, problems]).toEqual(['#step=11', '', []]);
});

it('lists the steps, filtered by text and what changed, and keeps the selected one in the middle', async () => {
  const opened = await open({ capture: captureNamed('recorded-reconnect') });
  const { page, at, problems } = opened;
  const row = (step: number) => page.locator(`[data-step="${step}"]`);
  await listed(page, count(22));
  const cells = await row(8).locator('[role="gridcell"]').allTextContents();
  expect(cells).toEqual(['8', '1.500', '✓applied message', '0.014', '184 B', 'Ada Lovelace: drop']);
  await page.getByLabel('Filter by text').fill('after the cut');
  await listed(page, [16, 18, 19, 20, 21]);
  await page.getByLabel('Filter by text').fill('');
  await page.getByRole('checkbox', { name: 'Hide what changed nothing' }).check();
  await listed(page, [3, 4, 8, 10, 11, 15, 19, 21]);
  await grid(page).focus();
  await press(opened, 'ArrowDown 3, End 21, ArrowUp 19');
  await typeKeys(page, '/e?1');
  expect(await page.getByLabel('Filter by text').inputValue()).toBe('e?1');

  const stream = await open({ capture: captureNamed('recorded-stream') });
  await stream.go(30);
  const middle = (step: number) =>
    page.waitForFunction((wanted) => {
      const [own, list] = [`[data-step="${wanted}"]`, '.step-grid'].map((one) =>
        document.querySelector(one)?.getBoundingClientRect(),
      );
      // The middle is in one row only.
      return own && list && Math.abs((own.top + own.bottom - list.top - 26 - list.bottom) / 52) <= 0.5;
    }, step);
  await middle(30);

  // Of a long session, only the rows in view are in the document.
  const many = messages(500).map((one, index) => recv(10 * (index + 1), one));
  await open({ capture: await captureOf([recv(1, snapshot().frame), ...many]) });
  await page.keyboard.press('End');
  await at(1002);
  await row(1002).waitFor();
  expect(await grid(page).locator('[data-step]').count()).toBeLessThan(60);
  expect(problems).toEqual([]);
});

it('draws a timeline, on which a click selects a step, a drag a range, and a double click or a key a part of the time', async () => {
  const { page, at, go, problems } = await open({ capture: captureNamed('recorded-reconnect') });
  const pointAt = async (share: number) => {
    const { x = 0, y = 0, width = 0 } = (await page.getByTestId('plot').boundingBox()) ?? {};
    return [x + width * share, y + 60] as const;
  };
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
  await page.keyboard.press('Escape');
  await listed(page, count(22));
  await page.mouse.dblclick(...(await pointAt(0.5)));
  const mark = slider(page).locator('.mark').getByText('3.400', { exact: true });
  await mark.waitFor({ state: 'attached' });
  await page.keyboard.press('0');
  await mark.waitFor({ state: 'detached' });
  // The separators between the panes are moved by keyboard.
  const width = async () =>
    Math.round((await page.getByRole('region', { name: 'Step list' }).boundingBox())?.width ?? 0);
  const start = await width();
  await page.getByRole('separator', { name: 'Width of the step list' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.locator(`[aria-valuenow="${start + 24}"]`).waitFor();
  expect([await width(), problems]).toEqual([start + 24, []]);
});

it('shows the frame as it was on the wire, what changed since the step before, and the state as a tree that the keyboard and a search go through', async () => {
  const data = '{"person":"Ada","messages":[],"big":12345678901234567890.10}';
  const { page, go, problems } = await open({ capture: await captureOf([{ t: 1, type: 'recv', data }]) });
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
  await page.getByRole('tab', { name: 'State', exact: true }).click();
  const tree = page.getByRole('tree', { name: 'State' });
  await tree.locator('[data-path="messages[1]"][data-changed="true"]').waitFor();
  await tree.focus();
  const active = (path: string) => tree.locator(`[data-active="true"][data-path="${path}"]`).waitFor();
  await typeKeys(page, '{ArrowDown}{ArrowDown}{ArrowDown}');
  await active('messages[1]');
  await page.keyboard.press('ArrowRight');
  await tree.locator('[data-path="messages[1].id"]').waitFor();
  await page.keyboard.press('ArrowRight');
  await active('messages[1].id');
  const search = page.getByRole('searchbox', { name: 'Search keys and values' });
  await search.fill('isWATCHED');
  await page.getByRole('search', { name: 'Search the state' }).getByText('1', { exact: true }).waitFor();
  await search.press('Enter');
  await active('attention.isWatched');
  expect(problems).toEqual([]);
});

it('shows every step that changed a value which is clicked in the drawn window, in the changes or in the state, and the lines of source of one', async () => {
  // With a server of its own, which finds the lines.
  const capture = captureNamed('recorded-stream');
  const { page, go, at, problems } = await open({ capture, cwd: process.cwd() });
  await go(40);
  const path = 'messages[2].content[0].text';
  const history = page.getByRole('region', { name: `History of ${path}` });
  await conversation(page).getByText('This answer was not ready').click();
  await history.getByRole('button', { name: /^Step 48 4.600 text update 22/ }).click();
  await at(48);
  const table = history.getByRole('table', { name: 'src/shared/conversation/applyUpdate.ts' });
  await table.getByText('return changeText(conversation, update.frame.text);').waitFor();
  await go(12);
  await page.getByRole('region', { name: 'Differences' }).getByRole('button').first().click();
  await page.getByRole('region', { name: /^History of / }).waitFor();
  await page.getByRole('tab', { name: 'State', exact: true }).click();
  const tree = page.getByRole('tree', { name: 'State' });
  await tree.locator('[data-path="person"] .value').click();
  await page.getByRole('region', { name: 'History of person' }).getByText('"Ada Lovelace"').waitFor();
  await tree.focus();
  await typeKeys(page, '{ArrowDown}w');
  await page.getByRole('region', { name: 'History of messages' }).getByText('Step 48').waitFor();
  expect(problems).toEqual([]);
});

it('contract §5 markup over a limit: shows hostile markup and what cannot be drawn as the messenger does, in a picture of the window that takes neither the focus nor keys; loads again what is before a broken line, and says why something cannot be opened', async () => {
  const huge = Object.values(HUGE_MARKUP).find(({ length }) => length < 100_000);
  const pages = [...STRANGE_MARKUP, ...HOSTILE_MARKUP, huge].map((html) => ({ category: 'html', html }));
  const content = [...pages, { category: 'audio', text: 'a sound', blob: 'poison' }];
  const records = [
    recv(0, { person: 'Ada', messages: [{ id: 'a', modifier: 'ai', content }] }),
    { t: 1, type: 'recv', data: `{"text":${'['.repeat(6000)}${']'.repeat(6000)}}` },
    { t: 2, type: 'recv', data: 'poison' },
    { t: 200, type: 'action', action: { type: 'window/opened', payload: { number: 1 } } },
    ...[
      { type: 'view/changed', payload: { view: 'conversation' } },
      { type: 'textBox/opened', payload: { text: 'the draft' } },
    ].map((action) => ({ t: 200, type: 'action', action, window: 1 })),
  ];
  const capture = await captureOf(records);
  const { page, go, at, problems } = await open({ capture, step: 99 });
  expect(page.url()).not.toContain('token');
  await go(1);
  await page.evaluate(poisonPage);
  await go(7);
  const items = conversation(page).locator('.item');
  await items.filter({ hasText: 'This item cannot be shown.' }).waitFor();
  await items.filter({ hasText: 'This page is too large to show.' }).first().waitFor();
  expect(await items.count()).toBe(content.length);
  expect(await page.evaluate(() => 'wasRun' in window)).toBe(false);
  const draft = box(page);
  await draft.dispatchEvent('mousedown');
  await draft.evaluate((element: HTMLElement) => element.click());
  const focusable = page.locator('.window-picture :is(button, input, textarea, a):not([role="log"] *)');
  expect(await focusable.evaluateAll((all) => all.filter(({ tabIndex }) => tabIndex >= 0).length)).toBe(0);
  await conversation(page).focus();
  await typeKeys(page, 'x{ArrowLeft}');
  await at(6);
  const live = ':is([aria-live]:not([aria-live="off"]), [role="status"]:not([aria-live]), [role="alert"])';
  expect(await page.locator(`.window-picture ${live}`).count()).toBe(0);
  // The page itself cannot show this frame.
  await page.evaluate(() => void (location.hash = '#step=3'));
  const failure = page.getByRole('alert');
  await failure.getByText('The inspector cannot be shown. Reload it, or open another capture.').waitFor();
  expect(problems.join('')).not.toContain('secret words');
  await page.evaluate(() => void (location.hash = '#step=6'));
  await appendFile(capture, '{"t":300}\n');
  await failure.getByRole('button', { name: 'Reload' }).click();
  await at(6);
  await failure.getByText('x.parley.jsonl:8: has no `type`; only what is before it is used').waitFor();
  const dataTransfer = await page.evaluateHandle(() => {
    const dropped = new DataTransfer();
    dropped.items.add(new File(['not a capture\n'], 'notes.txt'));
    return dropped;
  });
  await page.dispatchEvent('body', 'dragover', { dataTransfer });
  await page.getByText('Drop the capture to open it').waitFor();
  await page.dispatchEvent('body', 'drop', { dataTransfer });
  await failure.getByText('notes.txt could not be opened').waitFor();
  const chosen = page.waitForEvent('filechooser');
  await button(page, 'Open a capture').click();
  await (await chosen).setFiles(captureNamed('recorded-echo'));
  await page.locator('.capture-name', { hasText: 'recorded-echo.parley.jsonl' }).waitFor();
});

const INSERTED = { modifier: 'ai', content: [{ category: 'text', text: 'inserted' }], context: 'X' };

it('shows another session after a frame is skipped or inserted, undoes it, and makes a capture and a redacted test of it', async () => {
  const cwd = mainFolder();
  const { page, go, problems } = await open({ capture: captureNamed('streamed-text'), cwd });
  await go(6);
  await button(page, 'Skip').click();
  await page.getByRole('tab', { name: 'What if (1)' }).click();
  await page.getByText('Record 5 is skipped').waitFor();
  await button(page, 'Discard the edits').click();
  await page.getByText('Skip, edit or insert a frame').waitFor();
  await go(6);
  await button(page, 'Insert after…').click();
  await page.getByLabel(/What if this came after record/).fill(JSON.stringify(INSERTED));
  await page.keyboard.press('Control+Enter');
  await conversation(page).getByText('inserted').waitFor();
  const [name, saved] = await downloaded(page, () => button(page, 'Save as a capture').click());
  const recorded = readFileSync(captureNamed('streamed-text'), 'utf8');
  expect(name).toBe('streamed-text-what-if.parley.jsonl');
  expect(saved.split('\n').toSpliced(6, 1).join('\n')).toBe(recorded);
  await button(page, 'Make a test of this').click();
  const dialog = page.getByRole('dialog', { name: 'Make a test of this' });
  await dialog.getByLabel('Folder').fill('.');
  await dialog.getByLabel('Name').fill('what if');
  await dialog.getByRole('button', { name: 'Write the test' }).click();
  await dialog.getByText('The test and its golden are written').waitFor();
  expect(readdirSync(cwd).toSorted()).toEqual(['what if.golden.json', 'what if.parley.jsonl']);
  const made = join(cwd, 'what if.parley.jsonl');
  expect(readFileSync(made, 'utf8')).not.toMatch(/inserted|Ada/);
  expect(await runTool('verify', made)).toMatchObject({ status: 0 });
  await dialog.getByRole('button', { name: 'Done' }).click();
  await button(page, 'Undo: After record 5 comes').click();
  await page.getByText('Skip, edit or insert a frame').waitFor();
  expect(problems).toEqual([]);
});

it('has no violation of axe and fits into every width, also beside another session, with whose steps its own are aligned', async () => {
  const { page, go, problems } = await open({ capture: captureNamed('recorded-reconnect') });
  await go(9);
  await button(page, 'Skip').click();
  await page.getByRole('tab', { name: 'What if (1)' }).click();
  await page.locator('.outcome').waitFor();
  await lookFor(page, 'expression', `connection == "${'x'.repeat(300)}"`);
  await field(page).press('Enter');
  await page.locator('.field-error').getByText('The connection is').waitFor();
  await page.getByRole('tab', { name: 'State', exact: true }).click();
  await page.locator('.state-line').first().waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  expect(await axeViolations(page, ['moderate', 'serious', 'critical'])).toEqual([]);
  await resize(page, 420, 700);
  expect(await overflowingElements(page, 'header *, main *, footer *, dialog', 1)).toEqual([]);
  await resize(page, 1440, 900);
  expect(problems).toEqual([]);

  const capture = await openCapture(captureNamed('recorded-echo'));
  const other = { files: await readPairFiles(), capture, labels: ['a', 'b'], by: 'content' } as const;
  await page.goto(await serve({ capture: captureNamed('recorded-reconnect'), other }));
  await page.getByText('The states differ from row 3 on (step 3 and step 3).').waitFor();
  for (const [key, steps] of Object.entries({ End: [22, 17], d: [3, 3] })) {
    await page.keyboard.press(key);
    for (const [at, step] of steps.entries())
      await page.locator(`:nth-match([role="slider"], ${at + 1})[aria-valuenow="${step}"]`).waitFor();
  }
  await resize(page, 420, 700);
  expect(await overflowingElements(page, 'header *, main *, footer *', 1)).toEqual([]);
});

const HOSTILE = '</script><script>alert(1)</script><!--<script>';

/** Opens a page; returns it, and a function that writes a report of the records and shows it from disk. */
async function reportOf(records: Parameters<typeof captureOf>[0], options: BrowserContextOptions = {}) {
  const page = await (await workerBrowser()).newPage(options);
  onTestFinished(() => page.close());
  const report = async (...args: readonly string[]) => {
    const { at, path } = await captureIn(records);
    const ended = await runTool('report', path, '-o', at('x.html'), ...args);
    await page.goto(pathToFileURL(at('x.html')).href);
    return ended;
  };
  return { page, report };
}

it('is a report that opens from disk without a network, runs no script of a frame and blocks foreign ones', async () => {
  const html =
    '<p>Shown to Grace</p><img src="https://example.org/pixel.png" alt=""><script>alert(3)</script>';
  const answer = `${HOSTILE} for **Grace**: $x^2$\n\n\`\`\`js\nconst x = 1;\n\`\`\``;
  const records = [
    recv(1, { person: 'Grace Hopper', messages: [] }),
    recv(2, { modifier: 'ai', content: [{ category: 'text', text: HOSTILE }] }),
    recv(3, { modifier: 'ai', content: [{ category: 'html', text: HOSTILE, html }] }),
    recv(4, { category: 'text', text: answer, format: 'markdown' }),
    recv(5, { category: 'text', text: '' }),
    recv(6, { [HOSTILE]: HOSTILE, text: 'the frigate leaves at nine' }),
  ];
  const { page, report } = await reportOf(records, { offline: true });
  const seen: string[] = [];
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => seen.push('dialog')));
  page.on('pageerror', (error) => seen.push(error.message));
  page.on('console', (one) => void (one.type() === 'error' && seen.push(one.text())));
  page.on('request', (one) => void (/^(?:file|blob|data):/.test(one.url()) || seen.push(one.url())));
  expect(await report('--step', '999')).toMatchObject({ status: 0 });
  await conversation(page).getByText('Shown to Grace').waitFor();
  for (const part of ['strong', 'math msup', '.code-keyword'])
    await conversation(page).locator('.answer').locator(part).waitFor();
  expect(await conversation(page).getByRole('article').first().textContent()).toContain(HOSTILE);
  expect(await button(page, 'Make a test of this').count()).toBe(0);
  await conversation(page).getByText('Shown to Grace').click();
  await button(page, /^Step \d+ .* message/).click();
  await page.getByText(/^The lines of source are shown where a program replays the session/).waitFor();
  expect(seen).toEqual([]);
  await recordViolations(page);
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.append('window.injected = true');
    const frame = Object.assign(document.createElement('iframe'), { src: 'https://example.org/' });
    document.body.append(script, frame);
    fetch('https://example.org/').catch(() => undefined);
  });
  await page.waitForFunction(() => Reflect.get(window, 'broken').length >= 3);
  expect(await page.evaluate(() => Reflect.has(window, 'injected'))).toBe(false);
});

it('shows the steps of a store that runs in the browser, with virtual timers and requests', async () => {
  const adapter = join(import.meta.dirname, '../../tools/replay/store/testing/globalChatAdapter.ts');
  const { page, report } = await reportOf(CHAT_RECORDS);
  expect(await report('--app', adapter, '--step', '99')).toMatchObject({ status: 0 });
  for (const change of ['dispatch {"names":{"u1":"Ada"}}', 'dispatch {"read":2}', 'dispatch {"read":3}'])
    await grid(page).getByText(change).waitFor();
});
