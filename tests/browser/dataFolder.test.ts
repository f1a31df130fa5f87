import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { POLLING } from '#tests/builders/polling.ts';
import { axeViolations } from './harness/axeViolations.ts';
import { setUpBrowser } from './harness/workerBrowser.ts';
import { type RunningParley, startParley } from './harness/startParley.ts';
import { sendMessage } from './harness/sendMessage.ts';
import { conversationOf, signUp } from './harness/signUp.ts';

const accountSchema = z.object({ account: z.string() });

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

describe('a data folder whose program was killed', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-'));
  const at = (...names: string[]) => join(dataDir, ...names);
  const env = { PARLEY_CAPTURE: '1' };
  const browser = setUpBrowser();
  let parley: RunningParley;
  let page: Page;

  /** Signs up, converses and chooses, and kills the program. */
  async function useAndKill(): Promise<void> {
    const killed = await startParley({ dataDir, env });
    const first = await browser().newPage();
    await first.goto(killed.url);
    await signUp(first);
    await sendMessage(first, 'The engine weaves algebraic patterns.');
    await conversationOf(first).getByText('You said: The engine weaves algebraic patterns.').waitFor();
    await vi.waitUntil(() => existsSync(at('account.json')), POLLING);
    await killed.kill();
    await first.close();
    writeFileSync(at('preferences.json'), '{"theme":"dark","audio":true}');
  }

  beforeAll(async () => {
    await useAndKill();
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
    expect(await page.locator('main').getAttribute('data-view')).toBe('conversation');
    await sendMessage(page, 'after the restart');
    await conversation.getByText('You said: after the restart').waitFor();
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
  });

  it('deletes the data on request and leaves nothing readable in the folder or the browser', async () => {
    const messageId =
      (await conversationOf(page).getByRole('article').last().getAttribute('data-message-id')) ?? '';
    const { account } = accountSchema.parse(JSON.parse(readFileSync(at('account.json'), 'utf8')));
    const secrets = ['after the restart', 'algebraic', 'Lovelace', 'ada@example.org', account, messageId];
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
