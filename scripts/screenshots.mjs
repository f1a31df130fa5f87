/**
 * Draws the README's pictures: starts the messenger on a fresh data folder, converses with the built-in platform and writes
 * docs/images/*.png. `npm run screenshots`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const ROOT = resolve(import.meta.dirname, '..');
const IMAGES = join(ROOT, 'docs/images');
const dataDir = mkdtempSync(join(tmpdir(), 'parley-'));

const parley = spawn(process.execPath, [join(ROOT, 'out/start/start.js')], {
  env: { ...process.env, PARLEY_HOST: 'web', PARLEY_PORT: '0', PARLEY_OPEN: '0', PARLEY_DATA_DIR: dataDir },
  stdio: ['ignore', 'pipe', 'ignore'],
});
const [ready] = await once(parley.stdout, 'data');
const browser = await chromium.launch({
  executablePath: process.env.PARLEY_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
});
const page = await browser.newPage({ viewport: { width: 760, height: 860 }, reducedMotion: 'reduce' });

async function shoot(name) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(IMAGES, `${name}-${colorScheme}.png`) });
  }
}

/** Types a text, and waits until the answer's last item is there. */
async function say(text, answer) {
  await page.keyboard.type(text);
  await page.getByRole('textbox', { name: 'Message' }).press('Enter');
  await page
    .getByRole('article')
    .filter({ has: page.locator(answer) })
    .last()
    .waitFor();
}

mkdirSync(IMAGES, { recursive: true });
await page.goto(ready.toString().trim().split(' ').at(-1));
await page.getByLabel('Email').waitFor();
await shoot('login');
await page.getByLabel('Email').fill('ada@example.org');
await page.getByLabel('Password').fill('walk2sea!');
await page.getByLabel('Name').fill('Ada Lovelace');
await page.getByLabel('Name').press('Enter');
await page.getByRole('article').first().waitFor();
await say('Good morning! Can you show me something?', 'text=You said');
await say('several', '[data-category="file"]');
await page.keyboard.type('That will do nicely');
await shoot('conversation');

await browser.close();
parley.kill('SIGTERM');
await once(parley, 'exit');
rmSync(dataDir, { recursive: true });
