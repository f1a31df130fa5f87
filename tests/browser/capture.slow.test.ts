import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parleyTool } from '#replay/parley/parleyTool.ts';
import { replayTool } from '#replay/replayTool.ts';
import { chooseFromMenu } from './harness/chooseFromMenu.ts';
import { setUpBrowser } from './harness/workerBrowser.ts';
import { type RunningParley, startParley } from './harness/startParley.ts';
import { sendMessage, sendMessageAndSkipWait } from './harness/sendMessage.ts';
import { connected, conversationOf, signUp } from './harness/signUp.ts';

/** Compares what the window showed with a replay of the session’s capture. */

const browser = setUpBrowser();
let page: Page;
let dataDir: string;
let parley: RunningParley;

/** Starts the messenger with recording on, and registers; resolves when the greeting is shown. */
async function start(): Promise<void> {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-'));
  parley = await startParley({ dataDir, env: { PARLEY_CAPTURE: '1' } });
  page = await browser().newPage();
  await page.goto(parley.url);
  await signUp(page);
}

async function stop(): Promise<void> {
  await page.close();
  await parley.stop();
  await rm(dataDir, { recursive: true, force: true });
}

const captures = () => readdirSync(join(dataDir, 'captures')).map((name) => join(dataDir, 'captures', name));

const runSchema = z.object({
  frames: z.object({ rejected: z.literal(0) }),
  conversation: z.object({
    person: z.string(),
    messages: z.array(z.object({ id: z.string(), content: z.array(z.object({ text: z.string() })) })),
  }),
});

/** Returns the result of `parley-replay run` for a capture. */
async function replayed(file: string) {
  let out = '';
  let err = '';
  const output = {
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
    isOutColored: false,
    isErrTerminal: false,
  };
  const status = await replayTool(['run', file, '--json', '--with', 'conversation'], output, parleyTool);
  expect({ status, err: err.replaceAll(/warning: .*\n/g, '') }).toEqual({ status: 0, err: '' });
  const { conversation } = runSchema.parse(JSON.parse(out));
  const texts = conversation.messages.map(({ id, content }) => [id, ...content.map(({ text }) => text)]);
  return { person: conversation.person, texts, warnings: err };
}

/** Returns what the window shows: the id of each message and the texts of its items. */
const shown = () =>
  conversationOf(page)
    .getByRole('article')
    .evaluateAll((articles) =>
      articles.map((article) => [
        article.dataset.messageId,
        ...Array.from(article.querySelectorAll('[data-category]'), (item) => item.textContent),
      ]),
    );

/** Returns the lines of the log that say that recording is paused. */
const pausedLines = () =>
  parley.printed.stderr.split('\n').filter((line) => line.includes('recording is paused'));

const answered = (words: string) =>
  conversationOf(page).locator('[data-modifier="ai"]').getByText(words, { exact: true }).waitFor();

/** Leaves out the first message: its HTML is shown rendered, so its text cannot be compared. */
const laterTexts = (texts: readonly (readonly (string | undefined)[])[]) => texts.slice(1);

describe('a session with PARLEY_CAPTURE=1', () => {
  beforeAll(start);
  afterAll(stop);

  it('contract §2 PARLEY_CAPTURE: after a saved session and a sign-out, both captures replay to what the window showed', async () => {
    await sendMessage(page, 'hello there');
    await answered('You said: hello there');
    await sendMessage(page, 'rename Ada King');
    await answered('From now on you are Ada King.');
    await connected(page);
    await sendMessageAndSkipWait(page, 'drop');
    await page.locator('main[data-connection="disconnected"]').waitFor();
    await page.locator('main[data-connection="connected"]').waitFor();
    await sendMessage(page, 'back again');
    await answered('You said: back again');
    const last = await shown();

    await chooseFromMenu(page, 'Save this session');
    const saved = (await page.locator('.note code').textContent()) ?? '';
    const [note, view] = await Promise.all(
      ['.note', '.conversation'].map((one) => page.locator(one).boundingBox()),
    );
    expect((note?.y ?? 0) + (note?.height ?? 0)).toBe(view?.y);
    expect(captures()).toContain(saved);
    expect(await page.getByRole('status').count()).toBe(0);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.locator('main[data-view="login"]').waitFor();

    const recorded = captures().find((file) => file !== saved) ?? '';
    await expect.poll(() => readFileSync(recorded, 'utf8')).toContain('session/ended');
    for (const file of [recorded, saved]) {
      const { person, texts, warnings } = await replayed(file);
      expect(warnings).toBe('');
      expect(person).toBe('Ada King');
      expect(texts.map(([id]) => id)).toEqual(last.map(([id]) => id));
      expect(laterTexts(texts)).toEqual(laterTexts(last));
    }
  });

  it('shows one notice when captures cannot be written, and continues the session', async () => {
    await rm(join(dataDir, 'captures'), { recursive: true });
    writeFileSync(join(dataDir, 'captures'), '');
    await signUp(page, { email: 'second@example.org' });
    await page.getByText('Recording is paused: a file is in the place').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await sendMessage(page, 'on we go');
    await answered('You said: on we go');
    expect(await page.getByText('Recording is paused').count()).toBe(0);
    await expect.poll(pausedLines).toHaveLength(1);
  });
});

describe('a session whose process ends', () => {
  beforeEach(start);
  afterEach(stop);

  it('quits within 2 s of SIGTERM and leaves a complete capture', async () => {
    await sendMessage(page, 'just before the end');
    await answered('You said: just before the end');
    const last = await shown();
    const before = performance.now();
    expect(await parley.stop()).toBe(0);
    expect(performance.now() - before).toBeLessThan(2000);
    const file = captures()[0] ?? '';
    expect(readFileSync(file, 'utf8')).toMatch(/"session\/ended"\}\}\n$/);
    const { texts, warnings } = await replayed(file);
    expect(laterTexts(texts)).toEqual(laterTexts(last));
    expect(warnings).toBe('');
  });

  it('leaves a capture that replays after SIGKILL, even with a truncated last line', async () => {
    await sendMessage(page, 'before the kill');
    await answered('You said: before the kill');
    const last = await shown();
    const file = captures()[0] ?? '';
    await expect.poll(() => readFileSync(file, 'utf8')).toContain('You said: before the kill');
    await parley.kill();
    expect(laterTexts((await replayed(file)).texts)).toEqual(laterTexts(last));
    const whole = readFileSync(file);
    writeFileSync(file, Buffer.concat([whole, Buffer.from('{"t":99999,"type":"recv","da')]));
    const truncated = await replayed(file);
    expect(laterTexts(truncated.texts)).toEqual(laterTexts(last));
    expect(truncated.warnings).toMatch(/^warning: .*:\d+: is not JSON; the recorder was stopped/);
  });
});
