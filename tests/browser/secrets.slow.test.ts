import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { POLLING } from '#tests/builders/polling.ts';
import { folderFor } from './harness/folderFor.ts';
import { CREDENTIALS, login } from './harness/login.ts';
import { sendMessage, sendMessageAndSkipWait } from './harness/sendMessage.ts';
import { connected, conversationOf, signUp } from './harness/signUp.ts';
import { startParleyFor } from './harness/startParleyFor.ts';
import { setUpBrowser } from './harness/workerBrowser.ts';

const browser = setUpBrowser();

it('contract §1 secrets, §2 data folder: logs and prints no secret in a complete session; folders have mode 0700, files 0600', async (test) => {
  const dataDir = join(folderFor(test), 'data');
  const parley = await startParleyFor(test, { dataDir });
  const page = await browser().newPage();
  await page.goto(parley.url);
  await login(page);
  await expect.poll(() => page.getByRole('status').textContent(), POLLING).not.toMatch(/^Log in/u);
  await signUp(page, { email: CREDENTIALS.email, password: CREDENTIALS.password });
  await sendMessage(page, 'plover-egg');
  await conversationOf(page).locator('[data-modifier="ai"]').getByText('plover-egg').waitFor();
  await connected(page);
  await sendMessageAndSkipWait(page, 'drop');
  for (const status of ['disconnected', 'connected']) {
    await page.locator(`main[data-connection="${status}"]`).waitFor();
  }
  const { account } = accountSchema.parse(JSON.parse(readFileSync(join(dataDir, 'account.json'), 'utf8')));
  for (const [path, mode] of modesUnder(dataDir)) expect([path, mode]).toEqual([path, modeFor(path)]);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.locator('main[data-view="login"]').waitFor();
  expect(await parley.stop()).toBe(0);

  const { stdout, stderr } = parley.printed;
  const logs = readdirSync(join(dataDir, 'logs')).map((name) =>
    readFileSync(join(dataDir, 'logs', name), 'utf8'),
  );
  const all = [stdout, stderr, ...logs].join('\n');
  expect(all).toContain('signed out');
  for (const secret of [CREDENTIALS.password, CREDENTIALS.email, account, 'plover', 'Lovelace']) {
    expect(all).not.toContain(secret);
  }
});

const accountSchema = z.object({ account: z.string().min(8) });

/** Returns the modes of a folder and of everything in it. */
function modesUnder(dataDir: string): [path: string, mode: string][] {
  const paths = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
  return ['.', ...paths].flatMap((path) => {
    // The program may have removed a temporary file.
    const stats = statSync(join(dataDir, path), { throwIfNoEntry: false });
    return stats === undefined ? [] : [[path, (stats.mode % 0o1000).toString(8)]];
  });
}

const FOLDERS = new Set(['.', 'logs', 'platform.sqlite.lock']);
const modeFor = (path: string) => (FOLDERS.has(path) ? '700' : '600');
