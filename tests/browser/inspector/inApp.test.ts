import { stringify } from 'devalue';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { setUpBrowser } from '../harness/workerBrowser.ts';
import { SYNC_ACTION, SYNC_STATE } from '#shared/ipc/channels.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { chooseFromMenu } from '../harness/chooseFromMenu.ts';
import { type RunningParley, startParley } from '../harness/startParley.ts';
import { sendMessage } from '../harness/sendMessage.ts';
import { conversationOf, signUp } from '../harness/signUp.ts';

/** Tests "Inspect this session": the messenger is in one tab, and the inspector follows it in another. */

const chooseInspect = () => chooseFromMenu(page, 'Inspect this session');

/** Records the frames that a tab’s WebSocket receives from now on. */
function framesOf(tab: Page): string[] {
  const frames: string[] = [];
  tab.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => frames.push(payload.toString())),
  );
  return frames;
}

const browser = setUpBrowser();
let parley: RunningParley;
let tabs: BrowserContext;
let page: Page;
beforeAll(async () => {
  parley = await startParley();
  tabs = await browser().newContext();
  page = await tabs.newPage();
  await page.goto(parley.url);
});
afterAll(async () => {
  await tabs.close();
  await parley.stop();
});

let accountCount = 0;

/** Registers a new account. */
const registerNewAccount = (name = 'Ada Lovelace') =>
  signUp(page, { email: `${++accountCount}@example.org`, name });

const logOutButton = () => page.getByRole('button', { name: 'Log out' });
const logOut = async () => {
  await logOutButton().click();
  await page.locator('main[data-view="login"]').waitFor();
};

beforeEach(async () => {
  if (!(await logOutButton().isVisible())) await registerNewAccount();
});

/** The tab of the inspector that follows the session, if one is open. */
let following: Page | undefined;

/** Chooses it in the menu; returns the inspector’s new tab. */
async function openInspector(): Promise<Page> {
  const opening = tabs.waitForEvent('page');
  await chooseInspect();
  following = await opening;
  return following;
}

/** Returns the inspector's tab, which follows the session. The tests share it, because a new one costs more. */
async function inspect(): Promise<Page> {
  const tab = following ?? (await openInspector());
  const follow = tab.getByRole('button', { name: 'Follow' });
  if ((await follow.getAttribute('aria-pressed')) === 'false') await follow.click();
  return tab;
}

async function closeInspector(): Promise<void> {
  await following?.close();
  following = undefined;
}

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await closeInspector();
});

const steps = (tab: Page) => tab.getByRole('grid', { name: 'Steps' });
const shown = (tab: Page) => tab.getByRole('log', { name: 'Conversation' });

/** Waits for the first step, to which it must go: the newest steps may leave no room for it. Follows the newest again. */
async function waitForFirstStep(tab: Page): Promise<void> {
  const goToFirst = async () => {
    await tab.keyboard.press('Home');
    return steps(tab).getByText('preferences/loaded').first().isVisible();
  };
  await expect.poll(goToFirst, POLLING).toBe(true);
  await tab.getByRole('button', { name: 'Follow' }).click();
}

test('shows the steps of the session and follows new messages', async () => {
  const tab = await inspect();
  // The list shows the steps around the newest one; the filter searches the records.
  const filter = tab.getByLabel('Filter by text');
  await filter.fill('"open"');
  await steps(tab).getByText('connection opened').waitFor();
  await filter.fill('');
  await shown(tab).getByText('This is a demonstration').first().waitFor();
  await sendMessage(page, 'is anybody looking');
  await conversationOf(page).getByText('You said: is anybody looking').waitFor();
  await expect.poll(() => shown(tab).textContent(), POLLING).toContain('You said: is anybody looking');
});

test('reuses the open inspector tab, and opens a new one after it was closed', async () => {
  const tab = await inspect();
  await chooseInspect();
  await chooseInspect();
  expect(tabs.pages()).toEqual([page, tab]);
  await closeInspector();
  await waitForFirstStep(await openInspector());
});

test('shows the complete session again after the inspector’s tab is reloaded', async () => {
  const tab = await inspect();
  await waitForFirstStep(tab);
  await tab.reload();
  await waitForFirstStep(tab);
  await expect.poll(() => shown(tab).textContent(), POLLING).toContain('This is a demonstration');
});

test('says that the session has ended and keeps it after a sign-out; the next session is separate', async () => {
  const tab = await inspect();
  await shown(tab).getByText('This is a demonstration').first().waitFor();
  await logOut();
  await tab.getByText('The session has ended.').first().waitFor();
  expect(await shown(tab).getByText('This is a demonstration').count()).toBe(1);
  await registerNewAccount('Grace Hopper');
  const next = await openInspector();
  await tab.close();
  await shown(next).getByText('Hello, Grace Hopper').first().waitFor();
});

test('contract §6 no secrets: sends the account identifier and the store’s actions to the messenger’s tab and never to the inspector’s', async () => {
  const tab = await inspect();
  const [messengerFrames, inspectorFrames] = [framesOf(page), framesOf(tab)];
  await Promise.all([page.reload(), tab.reload()]);
  await conversationOf(page).getByRole('article').first().waitFor();
  await waitForFirstStep(tab);
  // Every window of the messenger is notified of a new account at once.
  await logOut();
  await registerNewAccount('Grace Hopper');
  await expect.poll(() => inspectorFrames.join('\n'), POLLING).toContain('The session has ended.');
  await closeInspector();
  const accounts = () => [...messengerFrames.join('\n').matchAll(/"account",\[\[1\],"(?<id>[^"]+)"/g)];
  const idsOf = () => [...new Set(accounts().map(({ groups }) => groups?.id ?? ''))];
  // The debugger reports frames later than what they show.
  await expect.poll(() => idsOf().length, POLLING).toBe(2);
  const ids = idsOf();
  expect(ids.filter((id) => id.length < 10 || inspectorFrames.join('\n').includes(id))).toEqual([]);
  expect(messengerFrames.join('\n')).toContain(SYNC_ACTION);
  expect(inspectorFrames.join('\n')).not.toContain(SYNC_ACTION);
});

test('contract §4 another page: the inspector’s page gets none of the messenger’s objects, and main ignores its requests', async () => {
  // Keeps the bridge of the tab: its script can send what the preload does not offer.
  await tabs.addInitScript(() => {
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function keep(this: WebSocket, data) {
      Reflect.set(window, 'bridge', this);
      return send.call(this, data);
    };
  });
  const tab = await inspect();
  await tab.reload();
  await waitForFirstStep(tab);
  const objects = ['parley', 'parleyTools', 'parleySync', 'parleyInspect'];
  expect(await tab.evaluate((names) => names.filter((name) => name in window), objects)).toEqual([
    'parleyInspect',
  ]);
  const message = { category: 'text', text: 'from the inspector', blob: null };
  const requests = [
    `["send","logout",${stringify([])}]`,
    `["send","message",${stringify([message])}]`,
    `["invoke",1001,"${SYNC_STATE}",${stringify([])}]`,
    `["invoke",1002,"encode",${stringify(['x'])}]`,
  ];
  const refused = await tab.evaluate(
    (frames) =>
      new Promise<string>((resolve) => {
        const bridge: WebSocket = Reflect.get(window, 'bridge');
        let received = '';
        bridge.addEventListener('message', ({ data }) => {
          received += String(data);
          if (received.split('"refusal"').length === 3) resolve(received);
        });
        for (const frame of frames) bridge.send(frame);
      }),
    requests,
  );
  expect(refused).toContain('not a window');
  expect(refused).toContain('refused');
  await sendMessage(page, 'from the messenger');
  await conversationOf(page).getByText('You said: from the messenger').waitFor();
  expect(await conversationOf(page).getByText('from the inspector').count()).toBe(0);
});
