import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { type TestContext, expect, it } from 'vitest';
import { type EndpointStub, startEndpointStub } from '#platform/endpoint/testing/startEndpointStub.ts';
import { chunksOf, failure } from '#platform/endpoint/testing/stubReply.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { dropFile } from './harness/dropFile.ts';
import { folderFor } from './harness/folderFor.ts';
import { sendMessage } from './harness/sendMessage.ts';
import { connected, conversationOf, signUp } from './harness/signUp.ts';
import type { RunningParley } from './harness/startParley.ts';
import { startParleyFor } from './harness/startParleyFor.ts';
import { setUpBrowser } from './harness/workerBrowser.ts';

/** Tests a conversation with an OpenAI-compatible endpoint: the complete product, and a stub of the endpoint. */
const browser = setUpBrowser();

const CLI = join(import.meta.dirname, '../../out/replay/cli.js');

/** Runs the replay tool. Rejects when its exit status is not 0. */
const replay = (args: readonly string[]) => promisify(execFile)(process.execPath, [CLI, ...args]);

const KEY = 'sk-of-the-tests-only';

/** An image whose bytes are ASCII. */
const GIF = 'GIF89a\x01\0\x01\0\0\0\0;';

const MARKDOWN = [
  'Here is the code that you wanted:',
  '',
  '```ts',
  'export const answer = 42;',
  '```',
  '',
  'And a table:',
  '',
  '| town | trains |',
  '| --- | --- |',
  '| Bath | 12 |',
  '| York | 31 |',
  '',
  'That is all.',
].join('\n');

const articles = (page: Page) => conversationOf(page).getByRole('article');
const newest = (page: Page) => articles(page).last();
/** Resolves when the newest message has this in its label. */
async function ended(page: Page, label: string): Promise<void> {
  await expect.poll(() => newest(page).locator('.label').innerText(), POLLING).toContain(label);
}

interface Signed {
  readonly page: Page;
  readonly stub: EndpointStub;
  readonly parley: RunningParley;
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Starts the stub, the messenger and a page, and registers a person. */
async function signedUp(test: TestContext, more: Readonly<Record<string, string>> = {}): Promise<Signed> {
  const stub = await startEndpointStub({ key: KEY });
  test.onTestFinished(() => stub.stop());
  const dataDir = folderFor(test);
  const env = { PARLEY_ASSISTANT_URL: stub.url, PARLEY_ASSISTANT_KEY: KEY, ...more };
  const parley = await startParleyFor(test, { dataDir, env });
  const page = await (await browser().newContext({ reducedMotion: 'reduce' })).newPage();
  test.onTestFinished(() => page.context().close());
  await page.goto(parley.url);
  await signUp(page);
  await connected(page);
  return { page, stub, parley, dataDir, env };
}

it('answers with the demonstration when no endpoint is set', async (test) => {
  const parley = await startParleyFor(test, { dataDir: folderFor(test) });
  const page = await browser().newPage();
  test.onTestFinished(() => page.close());
  await page.goto(parley.url);
  await signUp(page);
  await connected(page);
  await sendMessage(page, 'Is anyone there?');
  await newest(page).getByText('You said: Is anyone there?').waitFor();
  expect(await page.getByRole('button', { name: 'Again' }).count()).toBe(0);
});

it('shows a streamed answer with code and a table, while the endpoint receives the question', async (test) => {
  const { page, stub } = await signedUp(test);
  stub.next({ steps: chunksOf(MARKDOWN), everyMs: 5 });
  await sendMessage(page, 'Code and a table, please.');
  const answer = newest(page);
  await answer.getByText('That is all.').waitFor();
  await page.getByRole('button', { name: 'Again' }).waitFor();
  const code = answer.locator('pre code');
  await expect.poll(() => code.innerText(), POLLING).toContain('export const answer = 42;');
  await expect.poll(() => answer.getByRole('cell', { name: 'York' }).count(), POLLING).toBe(1);
  const categories = () =>
    answer
      .locator('[data-category]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-category')));
  await expect.poll(categories, POLLING).toEqual(['text']);
  const { json } = await stub.request(0);
  expect(json).toMatchObject({ stream: true, model: 'stub-model' });
  expect(JSON.stringify(json)).toContain('Code and a table, please.');
});

it('sends a dropped picture to the endpoint, and shows both', async (test) => {
  const { page, stub } = await signedUp(test);
  stub.next({ steps: ['A small red dot.'] });
  await dropFile(page, { name: 'dot.gif', type: 'image/gif', content: GIF });
  await newest(page).getByText('A small red dot.').waitFor();
  expect(JSON.stringify((await stub.request(0)).json)).toContain('data:image/gif;base64,');
});

it('collapses reasoning that an endpoint sends as text, once its end arrives, and records what replays to the same', async (test) => {
  const { page, stub, parley, dataDir } = await signedUp(test, { PARLEY_CAPTURE: '1' });
  stub.next({ steps: ['They ask for the time.', { hold: true }, '\n</think>\n\nIt is noon.'] });
  await sendMessage(page, 'What time is it?');
  const reasoning = newest(page).getByText('They ask for the time.');
  await reasoning.waitFor();
  stub.release();
  await newest(page).getByText('It is noon.').waitFor();
  await reasoning.waitFor({ state: 'hidden' });
  await newest(page).getByText('Reasoning').click();
  await reasoning.waitFor();
  expect(await newest(page).innerText()).not.toContain('think>');
  expect(await articles(page).filter({ hasText: 'They ask for the time.' }).count()).toBe(1);
  expect(await parley.stop()).toBe(0);
  const captures = readdirSync(join(dataDir, 'captures')).map((name) => join(dataDir, 'captures', name));
  for (const args of [['verify', '--update'], ['verify']]) await replay([...args, ...captures]);
});

it('stops an answer with the button, keeps the answer so far, and continues and repeats it', async (test) => {
  const { page, stub } = await signedUp(test);
  stub.next({ steps: ['One, two, ', { hold: true }, 'three'], end: 'stall' });
  await sendMessage(page, 'Count to ten.');
  await newest(page).getByText('One, two,').waitFor();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('button', { name: 'Continue' }).waitFor();
  const stopped = articles(page).filter({ hasText: 'One, two,' });
  await expect.poll(() => stopped.innerText(), POLLING).toContain('· stopped');
  stub.next({ steps: ['three, four.'] });
  await page.getByRole('button', { name: 'Continue' }).click();
  await newest(page).getByText('three, four.').waitFor();
  stub.next({ steps: ['One to ten.'] });
  await page.getByRole('button', { name: 'Again' }).click();
  await newest(page).getByText('One to ten.').waitFor();
  expect(await stopped.innerText()).toContain('One, two,');
});

it('stops a model that has not answered yet with the button', async (test) => {
  const { page, stub } = await signedUp(test);
  stub.next({ steps: [{ hold: true }], end: 'stall' });
  await sendMessage(page, 'Think about it.');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await newest(page).getByText('The answer was stopped before it began.').waitFor();
  await newest(page).getByRole('button', { name: 'Again' }).click();
  await newest(page).getByText('Hello, Ada.').waitFor();
  await expect.poll(() => articles(page).count(), POLLING).toBe(4);
});

it('says in the conversation that the endpoint is gone, and answers the next message when it is back', async (test) => {
  const { page, stub } = await signedUp(test);
  stub.next(failure(500, 'The model crashed.'));
  await sendMessage(page, 'Hello?');
  await newest(page).getByRole('button', { name: 'Again' }).waitFor();
  expect(await newest(page).innerText()).not.toContain(KEY);
  await stub.stop();
  await sendMessage(page, 'Still there?');
  await newest(page).getByText('No server answers at').waitFor();
  const back = await startEndpointStub({ key: KEY, port: stub.port });
  test.onTestFinished(() => back.stop());
  back.next({ steps: ['I am back.'] });
  await sendMessage(page, 'And now?');
  await newest(page).getByText('I am back.').waitFor();
});

it('shows the same answer in two windows, cuts it off at a restart, and continues it after that', async (test) => {
  const { page, stub, parley, dataDir, env } = await signedUp(test, { PARLEY_CAPTURE: '1' });
  const second = await page.context().newPage();
  await second.goto(page.url());
  await connected(second);
  stub.next({ steps: ['The first half', { hold: true }], end: 'stall' });
  await sendMessage(page, 'Tell me all.');
  for (const window of [page, second]) await newest(window).getByText('The first half').waitFor();
  const stopping = performance.now();
  expect(await parley.stop()).toBe(0);
  expect(performance.now() - stopping).toBeLessThan(2000);
  const again = await startParleyFor(test, { dataDir, env });
  await page.goto(again.url);
  await connected(page);
  await newest(page).getByText('The first half').waitFor();
  await ended(page, '· cut off');
  stub.next({ steps: ['and the second half.'] });
  await page.getByRole('button', { name: 'Continue' }).click();
  await newest(page).getByText('and the second half.').waitFor();
  expect(await again.stop()).toBe(0);
  expect(readFileSync(join(dataDir, 'logs', 'parley.log'), 'utf8')).not.toMatch(/first half|Tell me all/u);
  const captures = readdirSync(join(dataDir, 'captures')).map((name) => join(dataDir, 'captures', name));
  expect(captures).toHaveLength(2);
  expect(captures.map((path) => readFileSync(path, 'utf8')).join('')).not.toContain(KEY);
  for (const args of [['verify', '--update'], ['verify'], ['verify', '--engine', 'fold']])
    await replay([...args, ...captures]);
  for (const path of captures) await replay(['redact', path, '-o', `${path}.redacted.parley.jsonl`]);
  await replay(['verify', '--update', ...captures.map((path) => `${path}.redacted.parley.jsonl`)]);
});
