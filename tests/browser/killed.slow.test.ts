import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { startPlatform, platformEnvironment } from '#tests/builders/startPlatform.ts';
import { folderFor } from './harness/folderFor.ts';
import { login } from './harness/login.ts';
import { startParleyFor } from './harness/startParleyFor.ts';
import { setUpBrowser } from './harness/workerBrowser.ts';

const browser = setUpBrowser();

const view = (page: Page, name: string) => page.locator(`main[data-view="${name}"]`).waitFor();

it('spec §5 item 3: keeps the old or the new account file and starts again when it is killed at any time during sign-in or sign-out', async (test) => {
  const platform = await startPlatform();
  test.onTestFinished(() => platform.stop());
  const dataDir = folderFor(test);
  const file = join(dataDir, 'account.json');
  const page = await browser().newPage();
  for (let moment = 0; moment < 5; moment++) {
    const parley = await startParleyFor(test, { dataDir, env: platformEnvironment(platform) });
    await page.goto(parley.url);
    await view(page, existsSync(file) ? 'conversation' : 'login');
    platform.auth.answer({ body: `kept-${moment}` });
    if (existsSync(file)) await page.getByRole('button', { name: 'Log out' }).click();
    else await login(page);
    // A round trip takes a few milliseconds.
    for (let roundTrip = 0; roundTrip < Math.floor(moment / 2); roundTrip++) await platform.roundTrip();
    await parley.kill();
    if (!existsSync(file)) continue;
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
    expect(stored).toEqual({ version: 1, platform: platform.platformUrl, account: expect.any(String) });
    expect(stored).toHaveProperty('account', expect.stringMatching(/^kept-\d$/u));
  }
  const parley = await startParleyFor(test, { dataDir, env: platformEnvironment(platform) });
  await page.goto(parley.url);
  await view(page, existsSync(file) ? 'conversation' : 'login');
  expect(await parley.stop()).toBe(0);
});
