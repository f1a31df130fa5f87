import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPlatform } from '#platform/startPlatform.ts';
import { replayTool } from '#replay/replayTool.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { copyDataFolder } from '#tests/builders/copyDataFolder.ts';
import { axeViolations } from './harness/axeViolations.ts';
import { setUpBrowser } from './harness/workerBrowser.ts';
import { type RunningParley, startParley } from './harness/startParley.ts';
import { sendMessage } from './harness/sendMessage.ts';
import { conversationOf } from './harness/signUp.ts';

/** What the data folder of version 0.1.0 contains (tests/fixtures/README.md). */
const ADA = { email: 'ada@example.org', password: 'walk2sea!' };
const ACCOUNT = '8ia2DtPahBcWjUpunjsQQRLb_P7uCPWg';
const CAPTURES = [
  '2026-11-21T18-16-19.896Z.parley.jsonl',
  '2026-11-21T18-16-24.090Z-2.parley.jsonl',
  '2026-11-21T18-16-24.090Z.parley.jsonl',
];

/** Records the different frames of a page's first second: its colour scheme, and whether every logo is drawn. Only its source is sent. */
function recordFrames(): void {
  const frames: string[] = [];
  Object.assign(window, { frames });
  const record = () => {
    const logos = [...document.querySelectorAll<HTMLImageElement>('img.mark')];
    const isDrawn = logos.length > 0 && logos.every((logo) => logo.complete && logo.naturalWidth > 0);
    const frame = `${getComputedStyle(document.documentElement).colorScheme} ${isDrawn ? 'with the logo' : 'without a logo'}`;
    if (document.body !== null && !frames.includes(frame)) frames.push(frame);
    if (performance.now() < 1000) requestAnimationFrame(record);
  };
  requestAnimationFrame(record);
}

describe('a data folder of version 0.1.0', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-'));
  const at = (...names: string[]) => join(dataDir, ...names);
  const browser = setUpBrowser();
  let parley: RunningParley;
  let page: Page;

  beforeAll(async () => {
    copyDataFolder('0.1.0', dataDir);
    const env = { PARLEY_CAPTURE: '1' };
    parley = await startParley({ dataDir, env });
    page = await browser().newPage({ colorScheme: 'light' });
    await page.addInitScript(recordFrames);
    await page.goto(parley.url);
  });
  afterAll(async () => {
    await page.close();
    await parley.stop();
    rmSync(dataDir, { recursive: true });
  });

  it('keeps the person signed in and shows the conversation', async () => {
    const conversation = conversationOf(page);
    await conversation.getByText('The engine weaves algebraic patterns.', { exact: true }).waitFor();
    await conversation.getByText('From now on you are Ada King.').waitFor();
    expect(await page.locator('main').getAttribute('data-view')).toBe('conversation');
    await conversation.getByRole('link', { name: 'notes.txt' }).waitFor();
    await sendMessage(page, 'after the upgrade');
    await conversation.getByText('You said: after the upgrade').waitFor();
  });

  it('keeps the preferences', async () => {
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
    expect(await page.evaluate((): unknown => Reflect.get(window, 'frames'))).toEqual(['dark with the logo']);
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Settings…' }).click();
    expect(await page.getByRole('switch', { name: 'Voice' }).isChecked()).toBe(true);
    await page.keyboard.press('Escape');
  });

  it('replaces the stale instance file and keeps every other file usable', () => {
    const holder = JSON.parse(readFileSync(at('instance.json'), 'utf8')) as unknown;
    expect(holder).toMatchObject({ pid: parley.process.pid });
    expect(readdirSync(dataDir).filter((name) => name.includes('corrupt'))).toEqual([]);
    expect(readFileSync(at('logs', 'parley.log'), 'utf8')).toMatch(
      /^\{"level":30,"time":"2026-11-21T18:16:19/,
    );
  });

  it.each(CAPTURES)('replays its capture %s', async (name) => {
    let out = '';
    const output = {
      out: (text: string) => void (out += text),
      err: () => {},
      isOutColored: false,
      isErrTerminal: false,
    };
    expect(await replayTool(['run', at('captures', name), '--json', '--with', 'conversation'], output)).toBe(
      0,
    );
    expect(out).toContain('You said: The engine weaves algebraic patterns.');
  });

  it('deletes the data on request and leaves nothing readable in the folder or the browser', async () => {
    const messageId =
      (await conversationOf(page).getByRole('article').last().getAttribute('data-message-id')) ?? '';
    const secrets = ['after the upgrade', 'algebraic', 'Lovelace', 'Ada King', ADA.email, ACCOUNT, messageId];
    await expect.poll(() => secretsIn(dataDir, secrets), POLLING).toEqual(secrets);
    await page.keyboard.type('not sent');
    await page.getByRole('button', { name: 'Menu', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.locator('[role="menuitem"]:focus').waitFor();
    await page.keyboard.press('d');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete my data' });
    await dialog.getByText(dataDir, { exact: true }).waitFor();
    expect(await axeViolations(page, ['serious', 'critical'])).toEqual([]);
    await page.keyboard.press('Space');
    expect(await dialog.getByRole('checkbox').isChecked()).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Your data was deleted.').waitFor();
    await page.locator('main[data-view="login"]').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('system');

    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    for (const secret of [...secrets, 'not sent']) expect(stored).not.toContain(secret);
    expect(secretsIn(dataDir, [...secrets, 'not sent'])).toEqual([]);
    expect(await parley.stop()).toBe(0);
    expect(secretsIn(dataDir, [...secrets, 'not sent'])).toEqual([]);
    expect(readdirSync(dataDir)).toEqual(['logs']);
  });
});

/** Returns the secrets that occur in a file of the folder or in its name. */
function secretsIn(folder: string, secrets: readonly string[]): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const texts = files.map(
    ({ parentPath, name }) => `${name}\n${readFileSync(join(parentPath, name), 'utf8')}`,
  );
  return secrets.filter((secret) => texts.some((text) => text.includes(secret)));
}

it('starts the platform alone on a data folder of version 0.1.0, with its accounts', async (test) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-'));
  copyDataFolder('0.1.0', dataDir);
  const platform = await startPlatform({
    dataFile: join(dataDir, 'platform.sqlite'),
    port: 0,
    logger: pino({ enabled: false }),
  });
  test.onTestFinished(async () => {
    await platform.close();
    rmSync(dataDir, { recursive: true });
  });
  const answer = await fetch(`${platform.apiUrl}/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...ADA, name: '' }),
  });
  expect(await answer.text()).toBe(ACCOUNT);
});
