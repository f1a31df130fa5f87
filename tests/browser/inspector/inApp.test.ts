import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type TestContext, afterAll, beforeAll, expect, test } from 'vitest';
import { callPage } from '../harness/callPage.ts';
import { launchHeadlessShell } from '../harness/chromium.ts';
import { PATIENTLY } from '../harness/patiently.ts';
import { conversationOf, register, say } from '../harness/person.ts';
import { startParleyFor } from '../harness/startParleyFor.ts';

/** "Inspect this session": the messenger in one tab, the inspector in another that follows it. */

const inspectButton = (page: Page) => page.getByRole('button', { name: 'Inspect this session' });

/** All that comes over a page's line, from now on. */
function framesOf(page: Page): string[] {
  const frames: string[] = [];
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => frames.push(payload.toString())),
  );
  return frames;
}

let browser: Browser;
beforeAll(async () => {
  browser = await launchHeadlessShell();
});
afterAll(() => browser.close());

async function start(context: TestContext) {
  const parley = await startParleyFor(context, {});
  const tabs = await browser.newContext();
  context.onTestFinished(() => tabs.close());
  const page = await tabs.newPage();
  await page.goto(parley.url);
  await register(page);
  await conversationOf(page).getByRole('article').first().waitFor();
  return { parley, tabs, page };
}

/** Presses the button; gives the inspector's tab. */
async function inspect(tabs: BrowserContext, page: Page): Promise<Page> {
  const opening = tabs.waitForEvent('page');
  await inspectButton(page).click();
  const tab = await opening;
  await tab.getByRole('heading', { name: 'Inspector' }).waitFor();
  return tab;
}

const steps = (tab: Page) => tab.getByRole('grid', { name: 'Steps' });
const shown = (tab: Page) => tab.getByRole('log', { name: 'Conversation' });

test('inspected, the session’s steps are there, and a new message appears while it follows', async (context) => {
  const { tabs, page } = await start(context);
  const tab = await inspect(tabs, page);
  await steps(tab).getByText('connection opened').waitFor();
  await shown(tab).getByText('I am the assistant').first().waitFor();
  await say(page, 'is anybody looking');
  await conversationOf(page).getByText('You said').first().waitFor();
  await shown(tab).getByText('You said').first().waitFor();
  expect(await shown(tab).getByText('is anybody looking').count()).toBeGreaterThan(0);
});

test('inspected again, the same tab; closed and inspected again, a new one', async (context) => {
  const { tabs, page } = await start(context);
  const tab = await inspect(tabs, page);
  await inspectButton(page).click();
  await inspectButton(page).click();
  expect(tabs.pages()).toEqual([page, tab]);
  await tab.close();
  const again = await inspect(tabs, page);
  await steps(again).getByText('connection opened').waitFor();
});

test('the inspector’s tab loaded anew, the whole session again', async (context) => {
  const { tabs, page } = await start(context);
  const tab = await inspect(tabs, page);
  await steps(tab).getByText('connection opened').waitFor();
  await tab.reload();
  await steps(tab).getByText('connection opened').waitFor();
  await expect.poll(() => shown(tab).textContent(), PATIENTLY).toContain('I am the assistant');
});

test('signed out, the inspector says that the session has ended and keeps it; the next one is another', async (context) => {
  const { tabs, page } = await start(context);
  const tab = await inspect(tabs, page);
  await shown(tab).getByText('I am the assistant').first().waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await tab.getByText('The session has ended.').first().waitFor();
  expect(await shown(tab).getByText('I am the assistant').count()).toBe(1);
  await register(page, { email: 'grace@example.org', name: 'Grace Hopper' });
  await conversationOf(page).getByRole('article').first().waitFor();
  const next = await inspect(tabs, page);
  await shown(next).getByText('Hello, Grace Hopper').first().waitFor();
});

test('contract §6: the account identifier, told to the messenger’s tab and never to the inspector’s', async (context) => {
  const { tabs, page } = await start(context);
  const tab = await inspect(tabs, page);
  const [told, inspected] = [framesOf(page), framesOf(tab)];
  await Promise.all([page.reload(), tab.reload()]);
  await conversationOf(page).getByRole('article').first().waitFor();
  await steps(tab).getByText('connection opened').waitFor();
  // A new account is told to every window of the messenger, at once.
  await page.getByRole('button', { name: 'Log out' }).click();
  await register(page, { email: 'grace@example.org', name: 'Grace Hopper' });
  await expect.poll(() => inspected.join('\n'), PATIENTLY).toContain('The session has ended.');
  const accounts = [...told.join('\n').matchAll(/"account",\[\[1\],"(?<id>[^"]+)"/g)];
  const ids = [...new Set(accounts.map(({ groups }) => groups?.id ?? ''))];
  expect(ids).toHaveLength(2);
  expect(ids.filter((id) => id.length < 10 || inspected.join('\n').includes(id))).toEqual([]);
});

test('the inspector’s page asks for what is the messenger’s, nothing is answered or done', async (context) => {
  const { tabs, page } = await start(context);
  const tab = await inspect(tabs, page);
  await steps(tab).getByText('connection opened').waitFor();
  expect(await callPage(tab, 'parleySync.fetchState')).toMatchObject({
    error: expect.stringContaining('not a window'),
  });
  expect(await callPage(tab, 'parley.invoke', 'encode', 'x')).toMatchObject({
    error: expect.stringContaining('refused'),
  });
  await callPage(tab, 'parley.send', 'logout');
  await callPage(tab, 'parley.send', 'message', { category: 'text', text: 'from the inspector', blob: null });
  await say(page, 'from the messenger');
  await conversationOf(page).getByText('You said').first().waitFor();
  expect(await conversationOf(page).getByText('from the inspector').count()).toBe(0);
});
