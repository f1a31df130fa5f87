/**
 * Takes screenshots of the window: starts the messenger on a new data folder and converses with the built-in platform. Then
 * takes those of the inspector with a capture of the corpus.
 *
 *   npm run screenshots                  the screenshots of the README, to docs/images
 *   npm run screenshots -- --all folder  the form, conversation, menu, dialogs and a note, light and dark, at three widths
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const ROOT = resolve(import.meta.dirname, '..');
const [flag, folder] = process.argv.slice(2);
if (flag !== undefined && flag !== '--all') {
  process.stderr.write('usage: npm run screenshots [-- --all folder]\n');
  process.exit(flag === '--help' ? 0 : 2);
}
const isAll = flag === '--all';
const IMAGES = isAll ? resolve(folder ?? 'screenshots') : join(ROOT, 'docs/images');
const WIDTHS = isAll ? [480, 960, 1440] : [760];
const HEIGHT = 860;
const dataDir = mkdtempSync(join(tmpdir(), 'parley-'));

const parley = spawn(process.execPath, [join(ROOT, 'out/start/start.js')], {
  env: { ...process.env, PARLEY_HOST: 'web', PARLEY_PORT: '0', PARLEY_OPEN: '0', PARLEY_DATA_DIR: dataDir },
  stdio: ['ignore', 'pipe', 'ignore'],
});
const browser = await chromium.launch({
  executablePath: process.env.PARLEY_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
});
const page = await browser.newPage({ reducedMotion: 'reduce' });

/** Resolves with the address in a program's ready line. */
async function readyAddress({ stdout }) {
  const [ready] = await once(stdout, 'data');
  return ready.toString().trim().split(' ').at(-1);
}

async function shoot(name) {
  await page.evaluate(() => Promise.all(Array.from(document.images, (image) => image.decode())));
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      const size = isAll ? `-${width}` : '';
      await page.screenshot({ path: join(IMAGES, `${name}${size}-${colorScheme}.png`) });
    }
  }
}

/** Sends a text and waits for the last item of the answer. */
async function sendMessage(text, answer) {
  await page.keyboard.type(text);
  await page.getByRole('textbox', { name: 'Message' }).press('Enter');
  await page
    .getByRole('article')
    .filter({ has: page.locator(answer) })
    .last()
    .waitFor();
}

async function choose(entry) {
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}

/** Takes the settings of the assistant. */
async function shootAssistant() {
  await choose('Settings…');
  await page.getByRole('button', { name: 'Choose the assistant…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Assistant' });
  await dialog.waitFor();
  await shoot('assistant');
  await dialog.getByRole('button', { name: 'Close' }).click();
}

/** Takes the dialogs, the menu and the note, and closes each. */
async function shootDialogs() {
  for (const [entry, title] of [
    ['Settings…', 'Settings'],
    ['About Parley', 'About Parley'],
  ]) {
    await choose(entry);
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.waitFor();
    await shoot(title.split(' ')[0].toLowerCase());
    await dialog.getByRole('button', { name: 'Close' }).click();
  }
  await shootAssistant();
  await page.getByRole('button', { name: 'Menu' }).click();
  await shoot('menu');
  await page.keyboard.press('Escape');
  await choose('Copy diagnostics');
  await page.getByText('The diagnostics').waitFor();
  await shoot('note');
  await page.getByRole('button', { name: 'Dismiss' }).click();
}

/** Takes the inspector at a step within a streamed answer. */
async function shootInspector() {
  const capture = join(ROOT, 'tests/captures/recorded-stream.parley.jsonl');
  const options = ['open', capture, '--no-open', '--step', '59'];
  const program = spawn(process.execPath, [join(ROOT, 'out/replay/cli.js'), ...options], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const inspector = await browser.newPage({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  });
  await inspector.goto(await readyAddress(program));
  await inspector.getByText('Step 59 of').waitFor();
  await inspector.keyboard.press('ArrowRight');
  await inspector.getByRole('row', { selected: true }).waitFor();
  await inspector.getByRole('log').getByText('it grows word by word').waitFor();
  for (const colorScheme of ['light', 'dark']) {
    await inspector.emulateMedia({ colorScheme });
    await inspector.screenshot({ path: join(IMAGES, `inspector-${colorScheme}.png`) });
  }
  program.kill('SIGTERM');
  await once(program, 'exit');
}

mkdirSync(IMAGES, { recursive: true });
await page.setViewportSize({ width: WIDTHS[0], height: HEIGHT });
await page.goto(await readyAddress(parley));
await page.getByLabel('Email').waitFor();
await shoot('login');
await page.getByLabel('Email').fill('ada@example.org');
await page.getByLabel('Password').fill('walk2sea!');
await page.getByLabel('Name').fill('Ada Lovelace');
await page.getByLabel('Name').press('Enter');
await page.getByRole('article').first().waitFor();
await sendMessage('Good morning! Can you show me something?', 'text=You said');
await sendMessage('several', '[data-category="file"]');
if (isAll) await shootDialogs();
else await page.keyboard.type('That will do nicely');
await shoot('conversation');
parley.kill('SIGTERM');
await once(parley, 'exit');

if (!isAll) await shootInspector();
await browser.close();
rmSync(dataDir, { recursive: true });
