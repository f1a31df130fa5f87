import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { startEndpointStub } from '#platform/endpoint/testing/startEndpointStub.ts';
import { runTool } from '#replay/testing/files.ts';
import { CREDENTIALS, sendMessage, conversationOf, signUp } from './browser/harness/signUp.ts';
import { type RunningParley, startParley, startParleyFor } from './browser/harness/startParley.ts';
import { workerBrowser } from './browser/harness/chromium.ts';
import { POLLING } from './builders/polling.ts';

/** Tests the built messenger with its data folder, and a page: what is there after a kill, a start on the same port, and a deletion. */

const view = (page: Page, name: string) => page.locator(`main[data-view="${name}"]`).waitFor();
/** Waits for a text of a message. Playwright's own wait looks only every half second after a while. */
const said = (page: Page, words: string) =>
  page.waitForFunction(
    (wanted) =>
      Array.from(document.querySelectorAll('[role="log"] .item-text'), (one) => one.textContent).includes(
        wanted,
      ),
    words,
  );

/** Returns what the window shows of each message after the greeting: its id and the texts of its items. */
const shown = (page: Page) =>
  conversationOf(page)
    .getByRole('article')
    .evaluateAll((all) =>
      all.slice(1).map((one) => ({
        id: one.dataset['messageId'],
        texts: Array.from(one.querySelectorAll('[data-category]'), ({ textContent }) => textContent),
      })),
    );

const runSchema = z.object({
  conversation: z.object({
    messages: z.array(z.object({ id: z.string(), content: z.array(z.object({ text: z.string() })) })),
  }),
});

/** Returns the secrets that occur in a file of the folder or in its name. */
function secretsIn(folder: string, secrets: readonly string[]): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map(({ parentPath, name }) => name + readFileSync(join(parentPath, name), 'latin1'));
  return secrets.filter((secret) => texts.some((one) => one.includes(secret)));
}

describe('a messenger that is killed and started again', () => {
  const dataDir = join(mkdtempSync(join(tmpdir(), 'parley-')), 'data');
  const at = (...names: string[]) => join(dataDir, ...names);
  let context: BrowserContext;
  let page: Page;
  let parley: RunningParley;
  let account = '';
  beforeAll(async () => {
    context = await (await workerBrowser()).newContext({ colorScheme: 'light' });
    page = await context.newPage();
    parley = await startParley({ dataDir, env: { PARLEY_CAPTURE: '1' } });
    await page.goto(parley.url);
  });
  afterAll(async () => {
    await context.close();
    await parley.stop();
    rmSync(join(dataDir, '..'), { recursive: true });
  });

  it('contract §1 secrets, §2 data folder: logs and prints no secret of a session, and its folders have mode 0700, its files 0600', async () => {
    await signUp(page, CREDENTIALS);
    await sendMessage(page, 'plover-egg');
    await said(page, 'You said: plover-egg');
    account = String(JSON.parse(readFileSync(at('account.json'), 'utf8')).account);
    const folders = new Set(['.', 'logs', 'captures', 'platform.sqlite.lock']);
    const open = ['.', ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' })].filter((path) => {
      // The program may have removed a temporary file.
      const mode = statSync(at(path), { throwIfNoEntry: false })?.mode;
      return mode !== undefined && mode % 0o1000 !== (folders.has(path) ? 0o700 : 0o600);
    });
    expect(open).toEqual([]);
    const { stdout, stderr } = parley.printed;
    const all = [stdout, stderr, readFileSync(at('logs', 'parley.log'), 'utf8')].join('\n');
    for (const secret of [...Object.values(CREDENTIALS), account, 'plover', 'Lovelace'])
      expect(all).not.toContain(secret);
  });

  it('contract §6 no secrets, §4 another page: shows the session in an inspector’s tab, which follows it and shows the lines of source of a step, and gets neither the account nor the store’s actions', async () => {
    const opening = context.waitForEvent('page');
    await page.getByRole('button', { name: 'Menu', exact: true }).press('Enter');
    await page.getByRole('menuitem', { name: 'Inspect this session' }).press('Enter');
    const tab = await opening;
    const frames: string[] = [];
    tab.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => void frames.push(payload.toString())),
    );
    const inTab = (words: string) => conversationOf(tab).getByText(words, { exact: true }).waitFor();
    await inTab('plover-egg');
    const names = ['parley', 'parleyTools', 'parleySync', 'parleyInspect'];
    const present = await tab.evaluate((all) => all.filter((name) => name in window), names);
    expect(present).toEqual(['parleyInspect']);
    await tab.reload();
    await sendMessage(page, 'who looks');
    await inTab('who looks');
    await said(page, 'You said: who looks');
    await inTab('who looks');
    await conversationOf(tab).getByText('who looks', { exact: true }).click();
    await tab
      .getByRole('button', { name: /^Step \d+ .* message/ })
      .first()
      .click();
    const lines = tab.getByRole('region', { name: 'Lines of source' });
    await lines.getByRole('table', { name: 'src/shared/conversation/applyUpdate.ts' }).waitFor();
    await tab.close();
    const received = frames.join('\n');
    expect(received).toContain('who looks');
    expect(received).not.toContain(account);
    expect(received).not.toContain('parley:action');
  });

  it('contract §2 started again, spec §5 item 3, contract §2 PARLEY_CAPTURE: a page works again by itself after a kill and a start, with its draft, the conversation and the preferences, and the capture replays to what it showed', async () => {
    await page.keyboard.type('a draft');
    const before = await shown(page);
    const [capture = ''] = readdirSync(at('captures'));
    await vi.waitUntil(
      () => readFileSync(at('captures', capture), 'utf8').includes('You said: who looks'),
      POLLING,
    );
    await parley.kill();
    await page.getByRole('dialog', { name: 'Parley has stopped. Start it again with npm start.' }).waitFor();
    writeFileSync(at('preferences.json'), '{"theme":"dark","audio":true}');
    const env = { PARLEY_CAPTURE: '1', PARLEY_PORT: new URL(parley.url).port };
    parley = await startParley({ dataDir, env });
    await page.locator('html[data-theme="dark"]').waitFor();
    await said(page, 'You said: plover-egg');
    expect(await shown(page)).toEqual(before);
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('a draft');
    await page.keyboard.press('Escape');
    expect(readdirSync(dataDir).filter((name) => name.includes('corrupt'))).toEqual([]);
    expect(JSON.parse(readFileSync(at('instance.json'), 'utf8'))).toMatchObject({ pid: parley.process.pid });
    // Killed while it wrote a line, too.
    writeFileSync(at('captures', capture), '{"t":99999,"type":"recv","da', { flag: 'a' });
    const command = ['run', at('captures', capture), '--json', '--with', 'conversation'];
    const { status, out, err } = await runTool(...command);
    const { conversation } = runSchema.parse(JSON.parse(out));
    const replayed = conversation.messages
      .slice(1)
      .map(({ id, content }) => ({ id, texts: content.map((item) => item.text) }));
    expect([status, replayed]).toEqual([0, before]);
    expect(err).toMatch(/^warning: .*:\d+: is not JSON; the recorder was stopped/);
  });

  it('contract §2 ready line: a second start in the same folder shows the closed window again, prints an address of the first and exits with 0', async (test) => {
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    const closed = page.getByRole('dialog', { name: 'This window is closed.' });
    await closed.waitFor();
    const second = await startParleyFor(test, { dataDir });
    if (second.process.exitCode === null) await once(second.process, 'exit');
    await closed.waitFor({ state: 'hidden' });
    expect([second.process.exitCode, new URL(second.url).origin]).toEqual([0, new URL(parley.url).origin]);
    expect(second.printed.stdout.trim().split('\n')).toHaveLength(1);
    expect((await context.request.get(second.url)).status()).toBe(200);
  });

  it('contract §3 model: connects a model in the settings, shows its answer while it streams, and stops it', async (test) => {
    const stub = await startEndpointStub({ key: 'sk-right', models: [{ id: 'small' }, { id: 'large' }] });
    test.onTestFinished(() => stub.stop());
    await page.getByRole('button', { name: 'Connect a model…' }).last().press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Assistant' });
    await dialog.getByLabel('Address').fill(stub.url);
    await dialog.getByLabel('Key', { exact: true }).fill('sk-right');
    await dialog.getByRole('button', { name: 'Test', exact: true }).press('Enter');
    const answer = 'The server answers with the model small. It offers 2 models.';
    await dialog.getByRole('status').getByText(answer).waitFor();
    await dialog.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    stub.next({
      steps: ['They ask for a count.', { hold: true }, '\n</think>\n\nOne, two, ', { hold: true }, 'x'],
      end: 'stall',
    });
    await sendMessage(page, 'Count to ten.');
    const newest = conversationOf(page).getByRole('article').last();
    const reasoning = newest.getByText('They ask for a count.');
    await reasoning.waitFor();
    stub.release();
    await newest.getByText('One, two,').waitFor();
    await reasoning.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await conversationOf(page).getByText('· stopped').waitFor();
    expect(await page.content()).not.toContain('sk-right');
  });

  it('deletes the data on request, by the keyboard, and leaves nothing readable in the folder or the browser', async () => {
    const secrets = ['plover', 'Lovelace', CREDENTIALS.email, account];
    expect(secretsIn(dataDir, secrets)).toEqual(secrets);
    await page.keyboard.type('not sent');
    await page.getByRole('button', { name: 'Menu', exact: true }).press('Enter');
    await page.locator('[role="menuitem"]:focus').waitFor();
    await page.keyboard.press('d');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete my data' });
    await dialog.getByText(dataDir, { exact: true }).waitFor();
    for (const key of ['Space', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
    await page.getByText('Your data was deleted.').waitFor();
    await view(page, 'login');
    await page.locator('html[data-theme="system"]').waitFor();
    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    for (const secret of [...secrets, 'not sent']) expect(stored).not.toContain(secret);
    expect(secretsIn(dataDir, [...secrets, 'not sent'])).toEqual([]);
    expect(await parley.stop()).toBe(0);
    expect(secretsIn(dataDir, [...secrets, 'not sent'])).toEqual([]);
    expect(readdirSync(dataDir)).toEqual(['logs']);
  });
});
