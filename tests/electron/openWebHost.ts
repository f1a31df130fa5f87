import { join } from 'node:path';
import { launchHeadlessShell } from '../browser/harness/chromium.ts';
import { startParley } from '../browser/harness/startParley.ts';
import type { CheckedHost } from './check.ts';
import { ROOT } from './root.ts';

/** Starts the messenger in the web host, with a page in Chromium. */
export async function openWebHost(): Promise<CheckedHost> {
  const browser = await launchHeadlessShell();
  const parley = await startParley({ program: join(ROOT, 'out/start/start.js') });
  const page = await browser.newPage();
  await page.goto(parley.url);
  return {
    name: 'the web host',
    electron: null,
    page,
    async close() {
      await browser.close();
      await parley.stop();
    },
  };
}
