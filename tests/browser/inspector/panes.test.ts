import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HOSTILE_MARKUP, HUGE_MARKUP, STRANGE_MARKUP } from '#tests/builders/hostileMarkup.ts';
import { folderFor } from '../harness/folderFor.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { poisonPage } from '../harness/poisonPage.ts';
import { captureNamed, setUpInspector } from './harness/inspector.ts';

const open = setUpInspector();

const frame = (page: Page) => page.getByRole('region', { name: 'Frame text' });
const differences = (page: Page) => page.getByRole('region', { name: 'Differences' });
const paths = (page: Page) => differences(page).locator('.path').allTextContents();

const HEADER = '{"format":"parley-capture","version":1,"startedAt":"2026-11-20T09:00:00.000Z","app":"0.1.0"}';

describe('the wire', () => {
  it('formats a frame with all digits of a number beyond JavaScript’s safe integers, and shows it raw as received', async (test) => {
    const capture = join(folderFor(test), 'big.parley.jsonl');
    const data = '{"person":"Ada","messages":[],"big":12345678901234567890.10}';
    writeFileSync(capture, `${HEADER}\n${JSON.stringify({ t: 1, type: 'recv', data })}\n`);
    const { page, go } = await open({ capture });
    await go(1);
    await expect
      .poll(() => frame(page).locator('.json-line').allTextContents(), POLLING)
      .toEqual(['{', '"person": "Ada",', '"messages": [],', '"big": 12345678901234567890.10', '}']);
    await page.getByRole('button', { name: 'Raw' }).click();
    expect(await frame(page).textContent()).toBe(data);
    const facts = page.getByRole('region', { name: 'Frame', exact: true }).locator('.facts');
    expect(await facts.innerText()).toMatch(/received\s+60 B\s+record 1/);
  });

  it('distinguishes a sent frame, a binary frame, an empty frame and no frame', async () => {
    const { page, go } = await open({ capture: captureNamed('rejected-frames') });
    await frame(page).getByText('Nothing is on the wire before the first step.').waitFor();
    await go(3);
    await page.getByText('binary, as base64').waitFor();
    expect(await frame(page).textContent()).toBe('AAEC/w==');
    await go(4);
    await frame(page).getByText('An empty frame.').waitFor();
    await go(1);
    await page.getByText('not on the wire').waitFor();
  });

  it('shows the direction of a sent frame', async () => {
    const { page, go, problems } = await open({ capture: captureNamed('recorded-reconnect') });
    await go(5);
    await page.getByText('↑ sent').waitFor();
    expect(problems).toEqual([]);
  });
});

describe('the differences', () => {
  it('show the path and both values between a step and the previous one', async () => {
    const { page, go } = await open({ capture: captureNamed('streamed-text') });
    await go(20);
    const change = differences(page).locator('.change').first();
    expect(await change.locator('.path').innerText()).toMatch(/^messages\[1\]\.content\[0\]\.text/);
    expect(await change.locator('.appended').innerText()).toBe('It does');
    expect(await change.locator('ins').textContent()).toBe(' does');
    expect(await page.locator('[data-step="20"] .summary').textContent()).toBe('… does');
    await page.getByText('update 5: text').waitFor();
  });

  it('compare later steps with a pinned step until the previous step is chosen again', async () => {
    const { page, go, problems } = await open({ capture: captureNamed('streamed-text') });
    await go(16);
    await page.getByRole('button', { name: 'Pin this step to compare with' }).click();
    await go(51);
    await differences(page).locator('.appended').waitFor();
    await page.getByText('Step 16 → 51').waitFor();
    await go(12);
    await page.getByText('Step 16 → 12').waitFor();
    await page.getByLabel('Compare with', { exact: true }).selectOption('since the step before');
    await page.getByText('Step 11 → 12').waitFor();
    expect(problems).toEqual([]);
  });

  it('omit the counts unless they are wanted, also in another capture, and have the height that they need', async () => {
    const { page, go } = await open({ capture: captureNamed('two-windows') });
    const counts = page.getByRole('checkbox', { name: 'Counts' });
    await go(2);
    const pane = page.getByRole('region', { name: 'State', exact: true });
    const height = async () => (await pane.boundingBox())?.height ?? 0;
    const before = await height();
    await counts.check();
    await open({ capture: captureNamed('streamed-text') });
    expect(await counts.isChecked()).toBe(true);
    await go(8);
    await expect.poll(() => paths(page), POLLING).toContain('counts.applied changed');
    await counts.uncheck();
    await expect.poll(() => paths(page), POLLING).not.toContain('counts.applied changed');
    await page.getByRole('button', { name: 'Pin this step to compare with' }).click();
    await go(55);
    const list = differences(page);
    const isScrolled = () => list.evaluate((box) => box.scrollHeight > box.clientHeight);
    await expect.poll(isScrolled, POLLING).toBe(false);
    expect(await height()).toBeGreaterThanOrEqual(before);
  });

  it('say so when nothing changed', async () => {
    const { page, go } = await open({ capture: captureNamed('streamed-text') });
    await differences(page).getByText('Before the first step there is nothing to compare.').waitFor();
    await go(8);
    await expect.poll(() => paths(page), POLLING).toContain('messages[0] added');
  });
});

describe('the state', () => {
  it('expands, moves and collapses the tree by keyboard, and marks what changed', async () => {
    const { page, go } = await open({ capture: captureNamed('streamed-text') });
    await go(20);
    await page.getByRole('tab', { name: 'State', exact: true }).click();
    const tree = page.getByRole('tree', { name: 'State' });
    const item = (path: string) => tree.locator(`[data-path="${path}"]:not(:has(.more-entries))`);
    await item('messages[1]').waitFor();
    expect(await item('messages[1]').getAttribute('data-changed')).toBe('true');
    expect(await item('messages[0]').getAttribute('data-changed')).toBe('false');
    await tree.focus();
    const ways = [
      ['Down', 'messages'],
      ['Down', 'messages[0]'],
      ['Down', 'messages[1]'],
      ['Right', 'messages[1]', 'messages[1].id'],
      ['Right', 'messages[1].id'],
      ['Down', 'messages[1].modifier'],
      ['Down', 'messages[1].content'],
      ['Right', 'messages[1].content', 'messages[1].content[0]'],
      ['Right', 'messages[1].content[0]'],
      ['Right', 'messages[1].content[0]', 'messages[1].content[0].text'],
    ] as const;
    for (const [key, active, unfolded = active] of ways) {
      await page.keyboard.press(`Arrow${key}`);
      await tree.locator(`[data-active="true"][data-path="${active}"]`).waitFor();
      await item(unfolded).waitFor();
    }
    await expect.poll(() => item('messages[1].content').getAttribute('aria-expanded'), POLLING).toBe('true');
    await item('messages[1]').click();
    await expect.poll(() => item('messages[1].content').count(), POLLING).toBe(0);
  });

  it('finds keys and values, shows the place of each match, and copies its path and its value', async () => {
    const { page, go, problems } = await open({ capture: captureNamed('past-thirty-two') });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    onTestFinished(() => page.context().clearPermissions());
    await page.keyboard.press('End');
    await page.getByRole('tab', { name: 'State', exact: true }).click();
    const tree = page.getByRole('tree', { name: 'State' });
    const search = page.getByRole('searchbox', { name: 'Search keys and values' });
    const count = page.getByRole('search', { name: 'Search the state' }).getByRole('status');
    const active = tree.locator('[data-active="true"]');
    await search.fill('isWATCHED');
    await expect.poll(() => count.textContent(), POLLING).toBe('1');
    await search.press('Enter');
    await expect.poll(() => active.getAttribute('data-path'), POLLING).toBe('attention.isWatched');
    expect(await count.textContent()).toBe('1 of 1');
    expect(await tree.locator('[data-path="attention"]').getAttribute('aria-expanded')).toBe('true');
    expect(await active.getAttribute('data-found')).toBe('true');
    const colour = (path: string) =>
      tree.locator(`[data-path="${path}"]`).evaluate((row) => getComputedStyle(row).backgroundColor);
    expect(await colour('attention.isWatched')).not.toBe(await colour('attention'));
    await search.fill('modifier');
    await expect.poll(() => count.textContent(), POLLING).toMatch(/^\d\d$/);
    await page.getByRole('button', { name: 'Previous match' }).click();
    await expect.poll(() => active.getAttribute('data-path'), POLLING).toMatch(/^messages\[\d+\]\.modifier$/);
    await expect
      .poll(() => active.evaluate((row) => row.getBoundingClientRect().height > 0), POLLING)
      .toBe(true);
    const path = (await active.getAttribute('data-path')) ?? '';
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole('button', { name: 'Copy path' }).click();
    await expect.poll(copied, POLLING).toBe(path);
    await tree.focus();
    await page.keyboard.press('Control+c');
    await expect.poll(copied, POLLING).toMatch(/^"/);
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('button', { name: 'Copy JSON' }).click();
    await expect.poll(async () => (await copied()).startsWith('{\n'), POLLING).toBe(true);
    expect(await tree.locator('[data-path="connection"] .value').textContent()).toContain('{status: "');
    await search.fill('nothing has this text');
    await expect.poll(() => count.textContent(), POLLING).toBe('none');
    await go(0);
    expect(problems).toEqual([]);
  });

  it('keeps expanded nodes at the next step, with the values of that step', async () => {
    const { page, go } = await open({ capture: captureNamed('streamed-text') });
    await go(16);
    await page.getByRole('tab', { name: 'State', exact: true }).click();
    const tree = page.getByRole('tree', { name: 'State' });
    for (const path of ['messages[1]', 'messages[1].content', 'messages[1].content[0]'])
      await tree.locator(`[data-path="${path}"]`).click();
    const text = tree.locator('[data-path="messages[1].content[0].text"] .value');
    await expect.poll(() => text.innerText(), POLLING).toBe('"It"');
    await go(20);
    await expect.poll(() => text.innerText(), POLLING).toBe('"It does"');
  });
});

describe('the conversation', () => {
  it('shows the title and the text of a desktop notification at its step only, as the list does', async () => {
    const { page, go } = await open({ capture: captureNamed('recorded-notify') });
    const notification = page.getByRole('region', { name: 'Desktop notification' });
    await go(14);
    expect(await notification.getByRole('heading').textContent()).toBe('Parley');
    expect(await notification.locator('p').textContent()).toBe(
      'This is the notification that you asked for.',
    );
    expect(await page.locator('[data-step="14"] .summary').textContent()).toBe(
      'Parley: This is the notification that you asked for.',
    );
    await go(13);
    await expect.poll(() => notification.count(), POLLING).toBe(0);
  });

  it('shows the conversation of the step and outlines what changed', async () => {
    const { page, go } = await open({ capture: captureNamed('streamed-text') });
    await page.getByText('Opening your conversation…').waitFor();
    await go(20);
    const log = page.getByRole('log', { name: 'Conversation' });
    await expect
      .poll(() => log.getByRole('article').allTextContents(), POLLING)
      .toEqual(['Does it come back?Ada', 'It doesAssistant']);
    const changed = log.locator('[data-row][data-changed]');
    await expect.poll(() => changed.allTextContents(), POLLING).toEqual(['It doesAssistant']);
    expect(await changed.evaluate((row) => getComputedStyle(row).outlineStyle)).toBe('solid');
    await go(18);
    await expect.poll(() => changed.count(), POLLING).toBe(0);
  });

  it('contract §5 markup over a limit: shows the messenger’s messages for hostile markup and a frame 6,000 levels deep, and keeps working', async (test) => {
    const capture = join(folderFor(test), 'hostile.parley.jsonl');
    const markup = [
      ...STRANGE_MARKUP,
      ...HOSTILE_MARKUP,
      ...Object.values(HUGE_MARKUP).filter((text) => text.length < 100_000),
    ];
    const content = markup.map((html) => ({ category: 'html', html }));
    const deep = `{"text":${'['.repeat(6000)}${']'.repeat(6000)}}`;
    const frames = [
      JSON.stringify({ person: 'Ada', messages: [{ id: 'a', modifier: 'ai', content }] }),
      deep,
      '{"name":"Ada King"}',
    ];
    const lines = frames.map((data, index) => JSON.stringify({ t: index, type: 'recv', data }));
    writeFileSync(capture, [HEADER, ...lines, ''].join('\n'));
    const { page, go, problems } = await open({ capture, step: 999 });
    const items = page.getByRole('log', { name: 'Conversation' }).locator('[data-category="html"]');
    await expect.poll(() => items.count(), POLLING).toBe(markup.length);
    await expect
      .poll(() => items.filter({ hasText: 'This page is too large to show.' }).count(), POLLING)
      .toBe(markup.length - STRANGE_MARKUP.length - HOSTILE_MARKUP.length);
    await items.getByRole('button', { name: 'Show source' }).first().click();
    await page.locator('.source').waitFor();
    for (const step of [1, 2, 3]) await go(step);
    await page.getByRole('grid', { name: 'Steps' }).getByText('nested too deep').first().waitFor();
    await go(2);
    await page.getByText('rejected: nested too deep').waitFor();
    await page.getByRole('button', { name: 'Edit…' }).click();
    expect(await page.getByLabel('What if record 2 were this?').inputValue()).toBe(deep);
    await page.getByText('The app would reject this: nested too deep. You may still try.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByText('cannot be shown').count()).toBe(0);
    expect(await page.evaluate(() => 'wasRun' in window)).toBe(false);
    expect(problems.filter((words) => !words.includes('Content Security Policy'))).toEqual([]);
  });

  it('removes only the item whose rendering fails, and offers to reload when the page itself fails', async (test) => {
    const capture = join(folderFor(test), 'poison.parley.jsonl');
    const content = [
      { category: 'text', text: 'kept' },
      { category: 'audio', text: 'a sound', blob: 'poison' },
    ];
    const data = JSON.stringify({ person: 'Ada', messages: [{ id: 'a', modifier: 'ai', content }] });
    const lines = [data, 'poison'].map((text) => JSON.stringify({ t: 1, type: 'recv', data: text }));
    writeFileSync(capture, [HEADER, ...lines, ''].join('\n'));
    const { page, problems } = await open({
      capture,
      hash: '#step=3',
      prepare: (fresh) => fresh.addInitScript(poisonPage),
    });
    const items = page.getByRole('log', { name: 'Conversation' }).locator('.item');
    await expect
      .poll(() => items.allTextContents(), POLLING)
      .toEqual(['kept', 'This item cannot be shown.Show source']);
    await expect
      .poll(() => problems, POLLING)
      .toEqual([expect.stringMatching(/^A part of the page cannot be shown: Error\n/u)]);
    // The text of this frame is in no item.
    const goTo = (hash: string) => page.evaluate((to) => void (location.hash = to), hash);
    await goTo('#step=2');
    const failure = page.getByRole('alert');
    await failure.getByText('The inspector cannot be shown. Reload it, or open another capture.').waitFor();
    expect(problems.join('')).not.toContain('secret words');
    await goTo('#step=3');
    await failure.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => items.first().textContent(), POLLING).toBe('kept');
    expect(await failure.count()).toBe(0);
  });
});
