import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { expect, it } from 'vitest';
import { startPlatform, platformEnvironment } from '#tests/builders/startPlatform.ts';
import { axeViolations } from './harness/axeViolations.ts';
import { launchHeadlessShell } from './harness/chromium.ts';
import { folderFor } from './harness/folderFor.ts';
import { login } from './harness/login.ts';
import { conversationOf } from './harness/signUp.ts';
import { connect, nextSocket } from './harness/setUpScripted.ts';
import { startParley } from './harness/startParley.ts';
import { message, messages, snapshot, text } from './harness/message.ts';

/** Injects a real fault: the program kills itself at the first frame with this text. */
const KILLER = 'this frame kills';
const FAULT = `
const { parse } = JSON;
JSON.parse = (text, ...rest) => {
  if (String(text).includes('${KILLER}')) process.kill(process.pid, 'SIGKILL');
  return parse(text, ...rest);
};`;
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(FAULT)}`;

async function openPage(browser: Browser, url: string) {
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  await page.goto(url);
  return page;
}

it('offers a session instead of launching it at the third start, after it killed the program at two starts', async (context) => {
  const dataDir = folderFor(context);
  const platform = await startPlatform();
  const browser = await launchHeadlessShell();
  context.onTestFinished(async () => {
    await browser.close();
    await platform.stop();
  });
  const start = async (env: Record<string, string> = { NODE_OPTIONS }) => {
    const next = nextSocket(platform);
    const parley = await startParley({ dataDir, env: { ...platformEnvironment(platform), ...env } });
    context.onTestFinished(() => void parley.stop());
    return { parley, next };
  };
  /** Sends a snapshot and the fatal frame; resolves when the program has exited. */
  const crash = async ({ parley, next }: Awaited<ReturnType<typeof start>>) => {
    const ended = once(parley.process, 'exit');
    const socket = await next();
    socket.send(snapshot(...messages(2)).frame);
    socket.send(message('killer', [text(KILLER)]));
    expect(await ended).toEqual([null, 'SIGKILL']);
  };

  const first = await start();
  const signIn = await openPage(browser, first.parley.url);
  platform.auth.answer({ body: 'account-1' });
  await signIn.locator('main[data-view="login"]').waitFor();
  await login(signIn);
  const socket = await first.next();
  await connect(signIn, socket);
  await first.parley.stop();

  await crash(await start());
  await crash(await start());
  const third = await start();
  const page = await openPage(browser, third.parley.url);
  const heading = page.getByRole('heading', {
    name: 'Parley stopped twice while it opened your conversation',
  });
  await heading.waitFor();
  await expect.poll(() => heading.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await axeViolations(page, ['serious', 'critical'])).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('This session is saved in').waitFor();
  await page.getByRole('button', { name: 'Save what was received' }).waitFor({ state: 'detached' });
  const [saved = ''] = readdirSync(join(dataDir, 'captures'));
  const capture = readFileSync(join(dataDir, 'captures', saved), 'utf8');
  expect(capture).toContain('message 2');
  expect(capture).toContain(KILLER);
  await page.reload();
  await heading.waitFor();

  const crashing = crash(third);
  await page.getByRole('button', { name: 'Try again' }).click();
  await crashing;

  const fourth = await start({});
  const next = nextSocket(platform);
  const again = await openPage(browser, fourth.parley.url);
  await again.getByRole('button', { name: 'Try again' }).click();
  (await next()).send(snapshot(...messages(2)).frame);
  await conversationOf(again).getByText('message 2', { exact: true }).waitFor();
  await fourth.parley.stop();

  const fifth = await start();
  await crash(fifth);
  await crash(await start());
  const last = await start();
  const signOut = await openPage(browser, last.parley.url);
  await signOut.getByRole('button', { name: 'Sign out' }).click();
  await signOut.locator('main[data-view="login"]').waitFor();
  await expect.poll(() => readdirSync(dataDir)).not.toContain('failed-start.parley.jsonl');
});
