/**
 * Records the captures tests/captures/recorded-*.parley.jsonl of the corpus again: starts the messenger with PARLEY_CAPTURE=1 on
 * a new data folder, and controls a browser that signs in, converses with the built-in platform and logs out, once for each
 * capture.
 *
 *   node scripts/setup.mjs --chromium --build && node tests/corpus/recordCorpus.mjs [name …]
 *
 * With names, records only those captures. Then review and update their goldens.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const ROOT = resolve(import.meta.dirname, '../..');
const CORPUS = join(ROOT, 'tests/captures');

/** The steps of each session: a text to send (or a function), a text that the window shows after the complete answer, and a wait. */
const SESSIONS = {
  echo: [
    ['Good morning!', 'You said: Good morning!'],
    ['How are you — “wörter”, 日本, 😀?', 'You said: How are you — “wörter”, 日本, 😀?'],
  ],
  stream: [['stream', 'its label changes back.']],
  rename: [
    ['file', 'notes.txt'],
    ['html', 'What HTML can hold'],
    ['rename Ada King', 'From now on you are Ada King.'],
  ],
  notify: [['notify', 'This is the notification that you asked for.']],
  reconnect: [
    ['drop', 'it comes back by itself.', waitForReconnect],
    ['after the cut', 'You said: after the cut'],
  ],
  voice: [
    ['voice', 'A door bell.', waitForPlayback],
    [recordVoice, 'I have received a recording of'],
  ],
};

/** Waits until the connection is lost and open again. */
async function waitForReconnect(page) {
  await page.locator('main[data-connection="disconnected"]').waitFor();
  await page.locator('main[data-connection="connected"]').waitFor();
}

/** Waits until the received sound has been played. */
async function waitForPlayback(page) {
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
}

/** Records and sends a voice message of about one second. */
async function recordVoice(page) {
  await page.keyboard.press('Control+Enter');
  await page.getByRole('timer').getByText('14 s left').waitFor();
  await page.keyboard.press('Control+Enter');
}

async function converse(page, name, steps) {
  await page.getByLabel('Email').fill(`${name}@example.org`);
  await page.getByLabel('Password').fill('walk2sea!');
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByLabel('Name').press('Enter');
  await page.locator('main[data-view="conversation"][data-connection="connected"]').waitFor();
  for (const [words, answer, after] of steps) {
    if (typeof words === 'function') await words(page);
    else {
      await page.keyboard.type(words);
      await page.getByRole('textbox', { name: 'Message' }).press('Enter');
    }
    await page.locator('[data-modifier="ai"]').getByText(answer).last().waitFor();
    await after?.(page);
  }
  // The updates after the last text (a label, a notification) have no visible effect to wait for.
  await page.waitForTimeout(500);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.locator('main[data-view="login"]').waitFor();
}

const dataDir = mkdtempSync(join(tmpdir(), 'parley-'));
const parley = spawn(process.execPath, [join(ROOT, 'out/start/start.js')], {
  env: {
    ...process.env,
    PARLEY_HOST: 'web',
    PARLEY_PORT: '0',
    PARLEY_OPEN: '0',
    PARLEY_DATA_DIR: dataDir,
    PARLEY_CAPTURE: '1',
    PARLEY_AUDIO: '1',
  },
  stdio: ['ignore', 'pipe', 'ignore'],
});
const [ready] = await once(parley.stdout, 'data');
const browser = await chromium.launch({
  executablePath: process.env.PARLEY_CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-audio-capture=${join(ROOT, 'tests/browser/assets/voice.wav')}`,
  ],
});
const page = await browser.newPage({ reducedMotion: 'reduce', permissions: ['microphone'] });
await page.goto(ready.toString().trim().split(' ').at(-1));

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(SESSIONS);
for (const name of names) await converse(page, name, SESSIONS[name]);
await browser.close();
parley.kill('SIGTERM');
await once(parley, 'exit');

// The captures' names are their times, so they are in the order of the sessions.
mkdirSync(CORPUS, { recursive: true });
const recorded = readdirSync(join(dataDir, 'captures')).sort();
for (const [index, name] of names.entries()) {
  const to = join(CORPUS, `recorded-${name}.parley.jsonl`);
  copyFileSync(join(dataDir, 'captures', recorded[index]), to);
  process.stdout.write(`${to}: ${statSync(to).size} bytes\n`);
}
rmSync(dataDir, { recursive: true });
