import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { platformEnvironment } from '#tests/builders/startPlatform.ts';
import { version } from '../../package.json';
import { folderFor } from './harness/folderFor.ts';
import { bringTabToFront } from './harness/bringTabToFront.ts';
import { chooseFromMenu } from './harness/chooseFromMenu.ts';
import { CREDENTIALS } from './harness/login.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { sendMessage } from './harness/sendMessage.ts';
import { conversationOf } from './harness/signUp.ts';
import { connect, nextSocket, setUpScripted } from './harness/setUpScripted.ts';
import { startParleyFor } from './harness/startParleyFor.ts';
import { setUpBrowser } from './harness/workerBrowser.ts';
import { message, text } from './harness/message.ts';

// The parts of the program outside the conversation: menu, settings, about, diagnostics, unread messages, tray and sleep.

/** Simulates sleep of the machine on SIGUSR2: only the time of day advances, by 3 s. */
const SLEEP = `
const { now } = Date;
let slept = 0;
Date.now = () => now() + slept;
process.on('SIGUSR2', () => (slept += 3000));
`;

const scripted = setUpScripted({
  isComplete: true,
  env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(SLEEP)}` },
});
/** For pages that need neither the clipboard nor tabs: they cost a quarter there. */
const shell = setUpBrowser();

const menuButton = (page: Page) => page.getByRole('button', { name: 'Menu', exact: true });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');

const settingsOf = (page: Page) => page.getByRole('dialog', { name: 'Settings' });

describe('the menu', () => {
  it('opens, moves, finds an entry by its letter, closes and chooses by keyboard', async () => {
    const { page } = await scripted().signedIn();
    await menuButton(page).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page), POLLING).toMatch(/^Find…/u);
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => focused(page), POLLING).toBe('About Parley');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    expect(await focused(page)).toMatch(/^Find…/u);
    await page.keyboard.press('c');
    expect(await focused(page)).toBe('Copy diagnostics');
    expect(await page.getByRole('textbox', { name: 'Message' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('menu').count()).toBe(0);
    expect(await menuButton(page).evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('ArrowDown');
    await page.locator('[role="menuitem"]:focus').waitFor();
    await page.keyboard.press('s');
    expect(await focused(page)).toMatch(/^Save this session/u);
    await page.keyboard.press('s');
    await page.keyboard.press('Space');
    await settingsOf(page).waitFor();
    await page.keyboard.press('Escape');
    await settingsOf(page).waitFor({ state: 'detached' });
    await expect.poll(() => menuButton(page).evaluate((one) => one === document.activeElement)).toBe(true);
  });

  it('has only the entries that need no session while signed out, and closes on a click elsewhere', async () => {
    const page = await scripted().openSignedOut();
    await menuButton(page).click();
    const entries = page.getByRole('menuitem');
    await expect
      .poll(() => entries.allTextContents(), POLLING)
      .toEqual(['Settings…', 'Copy diagnostics', 'Delete my data…', 'About Parley']);
    await page.getByLabel('Email').click();
    await expect.poll(() => entries.count(), POLLING).toBe(0);
  });

  it('reconnects after the platform closed with a reason', async () => {
    const { platform, signedIn } = scripted();
    const { page, socket } = await signedIn();
    socket.close(4000, 'maintenance');
    await page.getByRole('button', { name: 'Reconnect' }).waitFor();
    const next = nextSocket(platform);
    await chooseFromMenu(page, 'Reconnect');
    await connect(page, await next());
    expect(await page.getByRole('button', { name: 'Reconnect' }).count()).toBe(0);
  });
});

describe('the settings', () => {
  it('apply at once, are stored in the data folder and survive a restart', async (test) => {
    const { platform } = scripted();
    const dataDir = folderFor(test);
    const page = await shell().newPage({ colorScheme: 'light', reducedMotion: 'reduce' });
    test.onTestFinished(() => page.close());
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const start = () => startParleyFor(test, { dataDir, env: platformEnvironment(platform) });

    let parley = await start();
    await page.goto(parley.url);
    // The form takes the focus when it appears, which closes the menu.
    await page.getByLabel('Email').waitFor();
    await chooseFromMenu(page, 'Settings…');
    const light = await background();
    await settingsOf(page).getByText(join(dataDir, 'captures')).waitFor();
    await settingsOf(page).getByRole('radio', { name: 'Dark' }).click();
    await settingsOf(page).getByRole('switch', { name: 'Voice' }).click();
    await expect.poll(background, POLLING).not.toBe(light);
    const kept = () => JSON.parse(readFileSync(join(dataDir, 'preferences.json'), 'utf8')) as unknown;
    await settingsOf(page).getByText('0 recorded (0 B), 0 saved (0 B).').waitFor();
    await settingsOf(page).getByLabel('Keep recordings for').selectOption('7 days');
    await settingsOf(page).getByLabel('Keep recordings up to').selectOption('No limit');
    await expect
      .poll(kept, POLLING)
      .toEqual({ theme: 'dark', audio: true, captureDays: 7, captureMegabytes: null });
    await settingsOf(page).getByRole('button', { name: 'Close' }).click();
    await parley.stop();

    parley = await start();
    await page.goto(parley.url);
    await page.getByLabel('Email').waitFor();
    await expect.poll(background, POLLING).not.toBe(light);
    await chooseFromMenu(page, 'Settings…');
    expect(await settingsOf(page).getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
    expect(await settingsOf(page).getByRole('switch', { name: 'Voice' }).isChecked()).toBe(true);
    expect(await settingsOf(page).getByLabel('Keep recordings for').inputValue()).toBe('7');
  });
});

describe('about', () => {
  it('shows the versions of Parley and of its runtime', async () => {
    const { browser, signedIn } = scripted();
    const { page } = await signedIn();
    await chooseFromMenu(page, 'About Parley');
    const facts = page.getByRole('dialog', { name: 'About Parley' }).getByRole('definition');
    const [major] = browser.version().split('.');
    await facts.first().waitFor();
    expect(await facts.allTextContents()).toEqual([
      version,
      'web host',
      expect.stringMatching(new RegExp(`^${major}\\.`)),
      process.versions.node,
      'MIT',
    ]);
    await page.keyboard.press('Escape');
  });
});

describe('the diagnostics', () => {
  it('are copied to the clipboard without the account, the address, the email or messages', async () => {
    const { platform, parley, openSignedIn } = scripted();
    const { page, socket } = await openSignedIn('account-of-mine');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    socket.send({ person: 'Ada Lovelace', messages: [message('m-1', [text('a secret of hers')])] });
    await conversationOf(page).getByText('a secret of hers').waitFor();
    await sendMessage(page, 'my own words');
    await socket.frames.next();
    await chooseFromMenu(page, 'Copy diagnostics');
    await page.getByText('The diagnostics are on the clipboard.').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`Parley: ${version}\nHost: web host\n`);
    expect(copied).toContain('Connection: connected\n');
    expect(copied).toContain('Messages: 1\n');
    expect(copied).toContain('session launched');
    const secrets = [
      'account-of-mine',
      'Lovelace',
      'secret',
      'my own words',
      'm-1',
      platform.apiUrl,
      parley.dataDir,
    ];
    for (const secret of [...secrets, ...Object.values(CREDENTIALS)]) expect(copied).not.toContain(secret);
    await page.getByRole('button', { name: 'Dismiss' }).click();
  });

  it('shows a notice when the browser refuses the clipboard', async () => {
    const { open } = scripted();
    const page = await open();
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('Write permission denied.'));
    });
    await chooseFromMenu(page, 'Copy diagnostics');
    const note = page.getByText('The diagnostics could not be copied');
    await expect.poll(() => note.isVisible(), POLLING).toBe(true);
  });
});

describe('unread messages', () => {
  it('are counted in the title while another tab is in front', async () => {
    const { page, socket } = await scripted().signedIn();
    const returnToPage = await bringTabToFront(page);
    socket.send(message('a', [text('one')]));
    socket.send(message('b', [text('mine')], { modifier: 'client' }));
    socket.send(message('c', [text('two')], { modifier: 'admin' }));
    await expect.poll(() => page.title(), POLLING).toBe('(2) Parley: connected');
    await returnToPage();
    await expect.poll(() => page.title(), POLLING).toBe('Parley: connected');
    socket.send(message('d', [text('three')]));
    await conversationOf(page).getByText('three').waitFor();
    expect(await page.title()).toBe('Parley: connected');
  });

  it('change the icon until they are read', async () => {
    const { page, socket } = await scripted().signedIn();
    const icon = () => page.locator('link[rel=icon]').last().getAttribute('href');
    const before = await icon();
    const returnToPage = await bringTabToFront(page);
    socket.send(message('a', [text('one')]));
    await expect.poll(icon, POLLING).not.toBe(before);
    await returnToPage();
    await expect.poll(icon, POLLING).toBe(before);
  });

  it('contract §3 web host: the session continues in the tray while the window is closed; the reopened window shows everything as read', async () => {
    const { platform, signedIn } = scripted();
    const { page, socket } = await signedIn();
    const before = platform.upgrades.all.length;
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('dialog', { name: 'This window is closed.' }).waitFor();
    socket.send(message('a', [text('while closed')]));
    await expect.poll(() => page.title(), POLLING).toBe('(1) Parley: connected');
    await page.getByRole('button', { name: 'Open again' }).click();
    await conversationOf(page).getByText('while closed').waitFor();
    await expect.poll(() => page.title(), POLLING).toBe('Parley: connected');
    expect(platform.upgrades.all.length).toBe(before);
  });

  it('contract §3 web host: a click on a notification opens the closed window again', async () => {
    const { page, socket } = await scripted().signedIn();
    socket.send(message('a', [text('Come here.')], { context: 'Mr Watson' }));
    await conversationOf(page).getByText('Come here.').waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('dialog', { name: 'This window is closed.' }).waitFor();
    socket.send({ ring: true });
    await page.getByRole('button', { name: 'Mr Watson Come here.', exact: true }).click();
    await expect.poll(() => page.getByRole('dialog').count(), POLLING).toBe(0);
    expect(await conversationOf(page).getByText('Come here.').isVisible()).toBe(true);
  });
});

describe('sleep of the machine', () => {
  it('replaces a dead connection within 2 s of waking up', async () => {
    const { platform, parley, signedIn } = scripted();
    const { socket } = await signedIn();
    socket.answerPings(false);
    const afterwards = nextSocket(platform);
    const resumedAt = performance.now();
    parley.process.kill('SIGUSR2');
    await afterwards();
    expect(performance.now() - resumedAt).toBeLessThan(2000);
  });
});
