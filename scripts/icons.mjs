/**
 * Renders the PNG icons from their SVG sources in Chromium: `node scripts/icons.mjs`. The program's icon has every size that
 * systems need; the tray's has one, which macOS shows at half its size.
 */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const SOURCES = resolve(import.meta.dirname, '../src');
const APP = join(SOURCES, 'assets');
const TRAY = join(SOURCES, 'main/desktop/assets');
const APP_SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024];
const TRAY_SIZE = 32;

const browser = await chromium.launch({
  executablePath: process.env.PARLEY_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
});
const page = await browser.newPage();

async function draw(source, target, size) {
  const svg = readFileSync(source).toString('base64');
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(
    `<style>*{margin:0}img{display:block;width:${size}px}</style><img src="data:image/svg+xml;base64,${svg}">`,
  );
  await page.locator('img').evaluate((image) => image.decode());
  writeFileSync(target, await page.screenshot({ omitBackground: true }));
}

mkdirSync(join(APP, 'icons'), { recursive: true });
for (const size of APP_SIZES) await draw(join(APP, 'parley.svg'), join(APP, 'icons', `${size}.png`), size);
for (const name of readdirSync(TRAY).filter((file) => file.endsWith('.svg'))) {
  await draw(join(TRAY, name), join(TRAY, name.replace('.svg', '.png')), TRAY_SIZE);
}
await browser.close();
