import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { runTool, temporaryFolder, writeCapture } from '#replay/testing/files.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { axeViolations } from '../harness/axeViolations.ts';
import { setUpBrowser } from '../harness/workerBrowser.ts';
import { setUpInspector } from './harness/inspector.ts';

/** Tests the inspector of an app that is not Parley, exceptions of its code, and its reports. */

const browser = setUpBrowser();
const open = setUpInspector();

const ROOT = resolve(import.meta.dirname, '../../..');
const COUNTER = `${ROOT}/tools/replay/testing/counterAdapter.ts`;

test('shows the task board as its pane draws it, its steps and its state, and nothing of Parley', async () => {
  const board = `${ROOT}/examples/task-board`;
  const { page, go, step, problems } = await open({
    capture: `${board}/captures/one-person.parley.jsonl`,
    app: `${board}/adapter.ts`,
  });
  const pane = page.getByRole('region', { name: 'App pane' });
  const cards = (heading: string) =>
    pane.locator('section', { has: page.getByRole('heading', { name: heading }) }).getByRole('listitem');
  await go(22);
  await expect.poll(() => cards('Done (1)').allTextContents(), POLLING).toEqual(['Write the minutes']);
  await page.keyboard.press('End');
  await pane.getByText('Not connected').waitFor();
  const search = page.getByRole('search', { name: 'Go to' });
  expect(await search.getByRole('option').allTextContents()).not.toContain('Message');
  await search.getByRole('textbox').fill('state.columns[2].cards.length == 2');
  await search.getByRole('button', { name: 'Find before' }).click();
  await expect.poll(step, POLLING).toBe(25);
  await expect
    .poll(() => cards('Done (2)').allTextContents(), POLLING)
    .toEqual(['Write the minutes', 'Order coffee and tea']);
  const row = page.getByRole('row', { selected: true });
  expect(await row.textContent()).toContain('applied cardMoved');
  await page.getByRole('tab', { name: 'State' }).click();
  await page.getByRole('treeitem').filter({ hasText: 'isConnected' }).waitFor();
  const text = await page.locator('body').textContent();
  expect(text).not.toMatch(/Conversation|Queue|message/);
  expect(problems).toEqual([]);
});

test('shows an exception of the reducer and of the pane with its stack, and continues', async () => {
  const at = await temporaryFolder();
  const capture = await writeCapture(at('x.parley.jsonl'), [
    { t: 0, type: 'recv', data: 'bad 1' },
    { t: 10, type: 'recv', data: 'figs 1' },
    { t: 20, type: 'recv', data: 'figs 1' },
  ]);
  await writeFile(
    at('adapter.ts'),
    `import { counterAdapter } from '${COUNTER}';
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
  const { page, go, problems } = await open({ capture, app: at('adapter.ts') });
  const pane = page.getByRole('region', { name: 'App pane' });
  await go(2);
  const alert = pane.getByRole('alert');
  expect(await alert.textContent()).toMatch(
    /^The adapter threw at this step.*TypeError: no such fruit\n +at .*reduceCounter.*adapter\.ts:3\)$/s,
  );
  await pane.getByText('figs: none').waitFor();
  expect(await page.getByRole('region', { name: 'Frame text' }).textContent()).toBe('bad 1');
  await go(4);
  await pane.getByText('The pane threw').waitFor();
  expect(await alert.textContent()).toMatch(/RangeError: one fig cannot be drawn\n.*pane\.ts:2\)$/s);
  await go(6);
  await pane.getByText('figs: 2').waitFor();
  expect(await alert.count()).toBe(0);
  expect(problems).toEqual([]);
});

test('opens the report of an app from disk, without a network', async () => {
  const at = await temporaryFolder();
  const board = `${ROOT}/examples/task-board`;
  const [capture, app] = [`${board}/captures/one-person.parley.jsonl`, `${board}/adapter.ts`];
  const made = await runTool('report', capture, '--app', app, '-o', at('x.html'), '--update', '8');
  expect(made).toMatchObject({ status: 0 });
  const context = await browser().newContext({ offline: true });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())));
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(pathToFileURL(at('x.html')).href);
  await page.getByRole('heading', { name: 'Done (2)' }).waitFor();
  expect(await axeViolations(page, ['minor', 'moderate', 'serious', 'critical'])).toEqual([]);
  expect(problems).toEqual([]);
});

test('open --base shows a session with the adapter of a revision and with that of the checkout, where they first differ', async () => {
  const at = await temporaryFolder();
  const git = (...args: readonly string[]) =>
    promisify(execFile)('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args], {
      cwd: at(''),
    });
  await cp(`${ROOT}/examples/task-board`, at('board'), { recursive: true });
  await symlink(`${ROOT}/node_modules`, at('node_modules'));
  await git('init', '--quiet');
  await git('add', 'board');
  await git('commit', '--quiet', '--message', 'board');
  const reducer = at('board/app/board.ts');
  await writeFile(reducer, (await readFile(reducer, 'utf8')).replace('to.cards.push', 'to.cards.unshift'));
  const command =
    'open board/captures/one-person.parley.jsonl --app board/adapter.ts --base HEAD --no-open --json';
  const opened = spawn(process.execPath, [`${ROOT}/out/replay/cli.js`, ...command.split(' ')], {
    cwd: at(''),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void opened.kill());
  const [line] = await once(createInterface(opened.stdout), 'line');
  const page = await browser().newPage();
  onTestFinished(() => page.close());
  await page.goto(JSON.parse(String(line)).address);
  await page.getByText('The states differ from row 25 on (step 25 and step 25).').waitFor();
  const differences = page.getByRole('region', { name: 'Differences' });
  await expect.poll(() => differences.textContent(), POLLING).toContain('state.columns[2].cards[0].id');
});
