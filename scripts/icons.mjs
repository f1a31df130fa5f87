/**
 * Draws the PNG icons from their SVG sources, in Chromium: `node scripts/icons.mjs`.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const FOLDER = resolve(import.meta.dirname, '../src/main/window/assets');
const SIZE = 32;

const browser = await chromium.launch({
  executablePath: process.env.PARLEY_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
});
const page = await browser.newPage({ viewport: { width: SIZE, height: SIZE } });
for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.svg'))) {
  const svg = readFileSync(join(FOLDER, name)).toString('base64');
  await page.setContent(
    `<style>*{margin:0}img{display:block;width:${SIZE}px}</style><img src="data:image/svg+xml;base64,${svg}">`,
  );
  const png = await page.screenshot({ omitBackground: true });
  writeFileSync(join(FOLDER, name.replace('.svg', '.png')), png);
}
await browser.close();
