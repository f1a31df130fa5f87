import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type TestContext, expect, it } from 'vitest';
import { startPlatform, platformEnvironment } from '#tests/builders/startPlatform.ts';
import { folderFor } from './harness/folderFor.ts';
import { login } from './harness/login.ts';
import { message, text } from './harness/message.ts';
import { sendMessage } from './harness/sendMessage.ts';
import { connect, nextSocket } from './harness/setUpScripted.ts';
import { conversationOf, signUp } from './harness/signUp.ts';
import { startParley } from './harness/startParley.ts';
import { startParleyFor } from './harness/startParleyFor.ts';
import { setUpBrowser } from './harness/workerBrowser.ts';

/** Tests the messenger after a restart. */
const browser = setUpBrowser();

const view = (page: Page, name: string) => page.locator(`main[data-view="${name}"]`).waitFor();

async function platformFor({ onTestFinished }: TestContext) {
  const platform = await startPlatform();
  onTestFinished(() => platform.stop());
  return platform;
}

it('spec §5 item 3: is still signed in and shows the same conversation with the same data folder', async () => {
  const [first, page] = await Promise.all([startParley(), browser().newPage()]);
  await page.goto(first.url);
  await signUp(page);
  await sendMessage(page, 'remember me');
  await conversationOf(page).getByText('remember me', { exact: true }).waitFor();
  // Everything that is shown is already on disk.
  first.process.kill('SIGKILL');

  const second = await startParley({ dataDir: first.dataDir });
  await page.goto(second.url);
  await conversationOf(page).getByText('remember me', { exact: true }).waitFor();
  expect(await second.stop()).toBe(0);
  expect(second.printed.stdout.trim().split('\n')).toHaveLength(1);
  await page.close();
  await first.stop();
});

it('contract §2 trailing slash, another platform, spec §3.1 row 4: is signed out at another platform and keeps the file; signs in at once when it is back, with or without a slash', async (test) => {
  const [platform, other] = await Promise.all([platformFor(test), platformFor(test)]);
  const dataDir = folderFor(test);
  const file = join(dataDir, 'account.json');
  const page = await browser().newPage();
  platform.auth.answer({ body: 'kept' });

  let parley = await startParleyFor(test, { dataDir, env: platformEnvironment(platform) });
  await page.goto(parley.url);
  await login(page);
  await view(page, 'conversation');
  await parley.stop();
  const kept = readFileSync(file, 'utf8');

  parley = await startParleyFor(test, { dataDir, env: platformEnvironment(other) });
  await page.goto(parley.url);
  await view(page, 'login');
  await parley.stop();
  expect(readFileSync(file, 'utf8')).toBe(kept);
  expect(other.upgrades.all).toEqual([]);

  const next = nextSocket(platform);
  const env = { PARLEY_API_URL: `${platform.apiUrl}/`, PARLEY_PLATFORM_URL: `${platform.platformUrl}//` };
  await startParleyFor(test, { dataDir, env });
  expect((await next()).path).toBe('/kept');
});

it('contract §2 started again: a page works again by itself after a kill and a start on the same port and folder', async (test) => {
  const platform = await platformFor(test);
  const dataDir = folderFor(test);
  const page = await (await browser().newContext()).newPage();
  const first = await startParleyFor(test, { dataDir, env: platformEnvironment(platform) });
  await page.goto(first.url);
  let next = nextSocket(platform);
  await login(page);
  await connect(page, await next());
  await page.keyboard.type('a draft');
  await first.kill();
  await page.getByRole('dialog', { name: 'Parley has stopped. Start it again with npm start.' }).waitFor();
  next = nextSocket(platform);
  const env = { ...platformEnvironment(platform), PARLEY_PORT: new URL(first.url).port };
  const second = await startParleyFor(test, { dataDir, env });
  const socket = await next();
  await connect(page, socket);
  socket.send(message('a', [text('welcome back')]));
  await conversationOf(page).getByText('welcome back', { exact: true }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('a draft');
  await second.stop();
});

it('contract §2 started again: a page of another data folder says how to get a new address, and sends no further request', async (test) => {
  const platform = await platformFor(test);
  const page = await (await browser().newContext()).newPage();
  await page.clock.install();
  const first = await startParleyFor(test, { dataDir: folderFor(test), env: platformEnvironment(platform) });
  await page.goto(first.url);
  await view(page, 'login');
  await first.kill();
  const env = { ...platformEnvironment(platform), PARLEY_PORT: new URL(first.url).port };
  const second = await startParleyFor(test, { dataDir: folderFor(test), env });
  const overlay = page.getByRole('dialog', { name: 'Parley was started again and does not know this page.' });
  await overlay.waitFor();
  expect(await overlay.textContent()).toContain('Open the address that npm start printed');
  let requests = 0;
  page.on('request', () => requests++);
  const answered = page.waitForResponse((response) => response.url().endsWith('/-/resume'));
  await overlay.getByRole('button', { name: 'Try again' }).click();
  await (await answered).finished();
  await overlay.waitFor();
  await page.clock.fastForward('10:00');
  expect(requests).toBe(1);
  const entered = await page.context().newPage();
  await entered.goto(second.url);
  await view(page, 'login');
  await second.stop();
});

it('reports in the page that it was killed; the page works again after a restart', async (test) => {
  const platform = await platformFor(test);
  const dataDir = folderFor(test);
  const page = await (await browser().newContext()).newPage();
  const first = await startParleyFor(test, { dataDir, env: platformEnvironment(platform) });
  await page.goto(first.url);
  let next = nextSocket(platform);
  await login(page);
  await connect(page, await next());
  await first.kill();
  const overlay = page.getByRole('dialog', {
    name: 'Parley has stopped. Start it again with npm start.',
  });
  await overlay.waitFor();
  expect(await overlay.textContent()).toContain('open the address that npm start prints');

  next = nextSocket(platform);
  const { port } = new URL(first.url);
  const second = await startParleyFor(test, {
    dataDir,
    env: { ...platformEnvironment(platform), PARLEY_PORT: port },
  });
  const entered = await page.context().newPage();
  await entered.goto(second.url);
  const socket = await next();
  await connect(page, socket);
  socket.send(message('a', [text('welcome back')]));
  for (const each of [page, entered]) {
    await conversationOf(each).getByText('welcome back', { exact: true }).waitFor();
  }
  await second.stop();
});
