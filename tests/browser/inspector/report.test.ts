import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { runTool, temporaryFolder } from '#replay/testing/files.ts';
import { setUpBrowser } from '../harness/workerBrowser.ts';

/** Opens a report as its recipient does: from disk, on a machine without a network. */

const browser = setUpBrowser();

const HEADER = '{"format":"parley-capture","version":1,"startedAt":"2026-11-20T09:00:00.000Z","app":"0.1.0"}';
const HOSTILE = '</script><script>alert(1)</script><!--<script>';
const html = '<p>Shown to Grace</p><img src="https://example.org/pixel.png" alt=""><script>alert(3)</script>';

const recv = (t: number, frame: object) => JSON.stringify({ t, type: 'recv', data: JSON.stringify(frame) });
const item = (fields: object) => ({ category: 'text', text: null, html: null, blob: null, ...fields });

const ANSWER = `${HOSTILE} for **Grace**: $x^2$\n\n\`\`\`js\nconst x = 1;\n\`\`\``;

const CAPTURE = [
  HEADER,
  '{"t":0,"type":"open"}',
  recv(1, { person: 'Grace Hopper', messages: [] }),
  recv(2, { modifier: 'ai', content: [item({ text: HOSTILE })] }),
  recv(3, { modifier: 'ai', content: [item({ category: 'html', text: HOSTILE, html })] }),
  recv(4, { category: 'html', html: '<frameset>' }),
  recv(5, item({ text: ANSWER, format: 'markdown' })),
  recv(5, { category: 'html', html: '<br>'.repeat(10_000) }),
  recv(6, { [HOSTILE]: HOSTILE, text: 'the frigate leaves at nine' }),
  '',
].join('\n');

async function report(...options: readonly string[]) {
  const at = await temporaryFolder();
  const capture = at(`Grace ${'</script>'.replace('/', '∕')}.parley.jsonl`);
  await writeFile(capture, CAPTURE);
  const path = at('report.html');
  const { status, err } = await runTool('report', capture, '-o', path, ...options);
  expect({ status, err }).toEqual({ status: 0, err: '' });
  return path;
}

/** Opens a file in an offline browser; collects errors and unexpected requests. */
async function openOffline(path: string, hash = '') {
  const context = await browser().newContext({ offline: true });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('dialog', async (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    if (!/^(?:file|blob|data):/.test(request.url())) problems.push(`request: ${request.url()}`);
  });
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      throw new Error(`policy: ${violatedDirective} ${blockedURI}`);
    });
  });
  await page.goto(pathToFileURL(path).href + hash);
  await page.getByRole('heading', { name: 'Conversation' }).waitFor();
  return { page, problems };
}

const steps = (page: Page) => page.getByRole('grid', { name: 'Steps' });
const conversation = (page: Page) => page.getByRole('log', { name: 'Conversation' });

test('shows the session from disk without a network, and runs no script of a frame', async () => {
  const { page, problems } = await openOffline(await report('--step', '999'));
  await conversation(page).getByRole('article').nth(1).waitFor();
  expect(await conversation(page).getByRole('article').first().textContent()).toContain(HOSTILE);
  await conversation(page).getByText('Shown to Grace').waitFor();
  await conversation(page).getByText('This page is too large to show.').waitFor();
  const answer = conversation(page).locator('.answer');
  await answer.locator('strong', { hasText: 'Grace' }).waitFor();
  await answer.locator('math msup').waitFor();
  await answer.locator('.code-keyword', { hasText: 'const' }).waitFor();
  await steps(page).getByRole('row').filter({ hasText: 'received' }).nth(1).click();
  expect(await page.getByRole('button', { name: 'Save as a capture' }).count()).toBe(1);
  // There is no host that could write a file.
  expect(await page.getByRole('button', { name: 'Make a test of this' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Raw' }).click();
  const frame = page.getByRole('region', { name: 'Frame', exact: true });
  await expect.poll(() => frame.textContent()).toContain(HOSTILE);
  expect(await page.locator('script').count()).toBe(4);
  expect(problems).toEqual([]);
});

test('opens before the first step, or at the step of a link', async () => {
  const path = await report();
  const { page } = await openOffline(path);
  await expect
    .poll(() => page.getByRole('region', { name: 'Time travel' }).textContent())
    .toMatch(/Step 0 of/);
  const linked = await openOffline(path, '#step=3');
  const region = linked.page.getByRole('region', { name: 'Time travel' });
  await expect.poll(() => region.textContent()).toMatch(/Step 3 of/);
});

test('blocks foreign scripts, connections and frames by the report’s own policy', async () => {
  const { page } = await openOffline(await report());
  await page.evaluate(() => {
    const violated: string[] = [];
    Object.assign(window, { violated });
    document.addEventListener('securitypolicyviolation', (event) => {
      event.stopPropagation();
      violated.push(event.effectiveDirective);
    });
    const script = document.createElement('script');
    script.append('window.injected = true');
    const elsewhere = { rel: 'preload', as: 'script', href: 'https://example.org/a.js' };
    const link = Object.assign(document.createElement('link'), elsewhere);
    const frame = document.createElement('iframe');
    frame.src = 'https://example.org/';
    document.body.append(script, link, frame);
    fetch('https://example.org/').catch(() => violated.push('fetch failed'));
  });
  const violated = () => page.evaluate(() => [...Reflect.get(window, 'violated')].map(String).toSorted());
  await expect
    .poll(violated)
    .toEqual(['connect-src', 'fetch failed', 'frame-src', 'require-trusted-types-for', 'script-src-elem']);
  expect(await page.evaluate(() => Reflect.has(window, 'injected'))).toBe(false);
});

test('opens after redaction and contains no text of the session', async () => {
  const path = await report('--redact', '--step', '999');
  const { page, problems } = await openOffline(path);
  await conversation(page).getByRole('article').nth(1).waitFor();
  await expect.poll(() => conversation(page).textContent()).toMatch(/text-\d/);
  const personal = /Grace|Hopper|frigate|alert\(/;
  expect(await page.locator('#root').textContent()).not.toMatch(personal);
  expect(await page.title()).not.toMatch(personal);
  expect(await readFile(path, 'utf8')).not.toMatch(/Grace|Hopper|frigate/);
  expect(problems).toEqual([]);
});
