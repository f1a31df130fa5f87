/**
 * Takes screenshots of the window: starts the messenger on a new data folder and converses with the built-in platform. Then
 * takes those of the inspector with a capture of the corpus.
 *
 *   npm run screenshots                  the screenshots of the README, to docs/images
 *   npm run screenshots -- --all folder  the form, conversation, menu, dialogs, a note, and an answer while it streams and after it, light and dark, at
 *                                        three widths
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
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
const WIDTHS = isAll ? [420, 760, 1280] : [760];
const HEIGHT = 860;
/** The whole answer is in view. */
const ANSWER_HEIGHT = 2600;

const browser = await chromium.launch({
  executablePath: process.env.PARLEY_CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
});
const page = await browser.newPage({ reducedMotion: 'reduce' });

/** Starts a messenger on a new data folder and signs up; returns a function that stops it. */
async function startParley(env = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-'));
  const parley = spawn(process.execPath, [join(ROOT, 'out/start/start.js')], {
    env: {
      ...process.env,
      PARLEY_HOST: 'web',
      PARLEY_PORT: '0',
      PARLEY_OPEN: '0',
      PARLEY_DATA_DIR: dataDir,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await page.setViewportSize({ width: WIDTHS[0], height: HEIGHT });
  await page.goto(await readyAddress(parley));
  await page.getByLabel('Email').waitFor();
  return async () => {
    parley.kill('SIGTERM');
    await once(parley, 'exit');
    rmSync(dataDir, { recursive: true });
  };
}

async function signUp() {
  await page.getByLabel('Email').fill('ada@example.org');
  await page.getByLabel('Password').fill('walk2sea!');
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByLabel('Name').press('Enter');
  await page.getByRole('article').first().waitFor();
}

/** Resolves with the address in a program's ready line. */
async function readyAddress({ stdout }) {
  const [ready] = await once(stdout, 'data');
  return ready.toString().trim().split(' ').at(-1);
}

async function shoot(name, height = HEIGHT) {
  // What draws formulas and colours is loaded with the first one.
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => Promise.all(Array.from(document.images, (image) => image.decode())));
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height });
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

/** The moments of an answer at which it is taken, by the end of what has arrived of it: each is within a part that is not complete. */
const MOMENTS = {
  bold: '**twice',
  table: '| Venice',
  formula: String.raw`A_i \cos`,
  code: 'curl -s https',
};

/** Takes an answer with each kind of block, at moments while it streams and after it. */
async function shootAnswer() {
  const answer = readFileSync(join(ROOT, 'src/ui/markdown/testing/richAnswer.md'), 'utf8');
  const server = createServer((request, response) => {
    if (request.method === 'POST') server.emit('chat', response);
    else response.end('{"data":[{"id":"tidal-8b"}]}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}/v1`;
  const stop = await startParley({ PARLEY_ASSISTANT_URL: url });
  await signUp();
  const asked = once(server, 'chat');
  await page.keyboard.type('Explain the tides to me.');
  await page.getByRole('textbox', { name: 'Message' }).press('Enter');
  const [reply] = await asked;
  let sent = 0;
  const send = async (end, shown) => {
    const content = answer.slice(sent, end);
    reply.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
    sent = end;
    await page.getByRole('article').last().getByText(shown).last().waitFor();
  };
  for (const [name, end] of Object.entries(MOMENTS)) {
    await send(answer.indexOf(end) + end.length, end.replace(/^\W+/u, ''));
    await shoot(`answer-${name}`, ANSWER_HEIGHT);
  }
  await send(answer.length, 'Between two neaps');
  reply.end('data: [DONE]\n\n');
  await page.getByRole('article').last().getByText('writing…').waitFor({ state: 'detached' });
  await shoot('answer', ANSWER_HEIGHT);
  await stop();
  server.close();
}

mkdirSync(IMAGES, { recursive: true });
const stop = await startParley();
await shoot('login');
await signUp();
await sendMessage('Good morning! Can you show me something?', 'text=You said');
await sendMessage('several', '[data-category="file"]');
if (isAll) await shootDialogs();
else await page.keyboard.type('That will do nicely');
await shoot('conversation');
await stop();

if (isAll) await shootAnswer();
else await shootInspector();
await browser.close();
