import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { runTool } from '#replay/testing/files.ts';
import { folderFor } from '../harness/folderFor.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { type OpenInspector, captureNamed, setUpInspector } from './harness/inspector.ts';

const open = setUpInspector();

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const articles = (page: Page) => page.getByRole('log', { name: 'Conversation' }).getByRole('article');
const outcome = (page: Page) => page.locator('.outcome');

/** Selects the first step in the list that contains the text; resolves when its frame is shown. */
async function select(page: Page, text: string): Promise<void> {
  const rows = page.getByRole('grid', { name: 'Steps' }).getByRole('row').filter({ hasText: text });
  await rows.first().click();
  await expect.poll(() => rows.first().getAttribute('aria-selected'), POLLING).toBe('true');
}

async function insertAfter(page: Page, frame: object): Promise<void> {
  await button(page, 'Insert after…').click();
  await page.getByLabel(/What if this came after record/).fill(JSON.stringify(frame));
  await page.keyboard.press('Control+Enter');
  await outcome(page).waitFor();
}

const INSERTED = {
  modifier: 'ai',
  id: 'm-x',
  content: [{ category: 'text', text: 'inserted' }],
  context: 'X',
};

/** Returns the file that a click downloads. */
async function downloaded(page: Page, click: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

describe('an edited session', () => {
  it('shows another conversation after a skipped frame, and the recorded one after undo', async () => {
    const { page, go, at }: OpenInspector = await open({ capture: captureNamed('recorded-reconnect') });
    await go(9);
    await button(page, 'Skip').click();
    await expect.poll(() => button(page, 'What if').getAttribute('aria-pressed'), POLLING).toBe('true');
    await page.getByRole('tab', { name: 'What if (1)' }).click();
    await page.getByText('Record 7 is skipped').waitFor();
    await page.keyboard.press('End');
    await at(20);
    await button(page, 'As recorded').click();
    await page.keyboard.press('End');
    await at(22);
    await button(page, 'Discard the edits').click();
    await expect.poll(() => button(page, 'As recorded').count(), POLLING).toBe(0);
  });

  it('shows the new text at the step of an edited frame', async () => {
    const { page, go } = await open({ capture: captureNamed('recorded-reconnect') });
    await go(7);
    await button(page, 'Edit…').click();
    const text = page.getByLabel('What if record 6 were this?');
    expect(await text.inputValue()).toContain('"text":"drop"');
    await text.fill(
      JSON.stringify({ ...INSERTED, content: [{ category: 'text', text: 'Another question' }] }),
    );
    await button(page, 'Apply').click();
    await expect.poll(() => articles(page).last().textContent(), POLLING).toBe('Another questionX');
    expect(await outcome(page).textContent()).toBe('The conversation is another from step 8 on.');
  });

  it('changes an action, says what is wrong with one, and inserts another one', async () => {
    const { page, go } = await open({ capture: captureNamed('two-windows') });
    await go(32);
    await select(page, 'textBox/edited');
    await button(page, 'Edit…').click();
    const text = page.getByLabel(/What if record \d+ were this\?/);
    const recorded = await text.inputValue();
    expect(recorded).toContain('"type": "textBox/edited"');
    await text.fill(recorded.replace(/"text": ".*"/, '"text": 7'));
    await page.keyboard.press('Control+Enter');
    await page.getByText('is not valid at text').waitFor();
    await text.fill(recorded.replace(/"text": ".*"/, '"text": "Another text"'));
    await page.keyboard.press('Control+Enter');
    await page.getByText(/^Record \d+ is replaced by$/).waitFor();
    const draft = page.getByRole('textbox', { name: 'Message' });
    await expect.poll(() => draft.inputValue(), POLLING).toBe('Another text');
    await button(page, 'Insert after…').click();
    await page.getByRole('group', { name: 'What to insert' }).getByRole('button', { name: 'Frame' }).click();
    expect(await page.getByLabel(/What if this came after/).inputValue()).toContain('"modifier"');
    await page.getByRole('group', { name: 'What to insert' }).getByRole('button', { name: 'Action' }).click();
    await page.keyboard.press('Tab');
    await button(page, 'Apply').click();
    await page.getByText(/^After record \d+ comes$/).waitFor();
    await button(page, 'Discard the edits').click();
    await page.getByText('Skip, edit or insert a frame').waitFor();
  });

  it('inserts a frame and undoes it', async () => {
    const { page, go } = await open({ capture: captureNamed('streamed-text') });
    await go(6);
    await insertAfter(page, INSERTED);
    await expect.poll(() => articles(page).last().textContent(), POLLING).toBe('insertedX');
    await button(page, 'Undo: After record 5 comes').click();
    await expect.poll(() => articles(page).getByText('inserted').count(), POLLING).toBe(0);
    await page.getByText('Skip, edit or insert a frame').waitFor();
  });

  it('edits an inserted frame and a close on top of other edits, and undoes the last edit', async () => {
    const { page, go, problems } = await open({ capture: captureNamed('recorded-reconnect') });
    await go(9);
    await insertAfter(page, INSERTED);
    await select(page, 'inserted');
    await button(page, 'Edit…').click();
    const text = page.getByLabel('What if inserted frame 1 were this?');
    await text.fill(JSON.stringify({ ...INSERTED, content: [{ category: 'text', text: 'edited again' }] }));
    await button(page, 'Apply').click();
    await page.getByText('Inserted frame 1 is replaced by').waitFor();
    await select(page, 'connection closed, 1006');
    await button(page, 'Edit…').click();
    const form = page.getByRole('form', { name: /closed like this/ });
    expect(await form.getByLabel('Code').inputValue()).toBe('1006');
    await form.getByLabel('Code').fill('1001');
    await form.getByLabel('Reason').fill('going away');
    await button(page, 'Apply').click();
    await page.getByRole('grid', { name: 'Steps' }).getByText('connection closed, 1001').waitFor();
    await button(page, 'Undo the last edit').click();
    await page.getByRole('grid', { name: 'Steps' }).getByText('connection closed, 1006').waitFor();
    await button(page, 'Undo: After record 7 comes').click();
    await page.getByText('Skip, edit or insert a frame').waitFor();
    expect(problems).toEqual([]);
  });

  it('announces a frame inserted before all others as the first', async () => {
    const { page, at } = await open({ capture: captureNamed('streamed-text') });
    await at(0);
    await button(page, 'Insert after…').click();
    await page.getByLabel('What if this came before record 1?').press('Control+Enter');
    await expect.poll(() => button(page, 'Undo: Before record 1 comes').count(), POLLING).toBe(1);
  });

  it('shows why text is not JSON or is nested too deep before it is applied, and edits nothing on cancel', async () => {
    const { page, go, problems } = await open({ capture: captureNamed('streamed-text') });
    await go(6);
    await button(page, 'Edit…').click();
    const text = page.getByLabel('What if record 5 were this?');
    await text.fill('{"text":');
    await page.getByText('The app would reject this: not JSON').waitFor();
    const deep = `{"text":${'['.repeat(6000)}${']'.repeat(6000)}}`;
    await text.fill(deep);
    await page.getByText('The app would reject this: nested too deep').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Skip, edit or insert a frame').waitFor();
    // When it is applied anyway, it becomes a rejected frame, and can be undone like any other edit.
    await button(page, 'Insert after…').click();
    await page.getByLabel('What if this came after record 5?').fill(deep);
    await page.keyboard.press('Control+Enter');
    await outcome(page).getByText('The conversation is the same at every step.').waitFor();
    await page.getByRole('grid', { name: 'Steps' }).getByText('nested too deep').waitFor();
    await button(page, 'Undo: After record 5 comes').click();
    await page.getByText('Skip, edit or insert a frame').waitFor();
    expect(await page.locator('.notice.error').count()).toBe(0);
    expect(problems).toEqual([]);
  });
});

describe('the results of an edit', () => {
  it('saves a capture with the inserted frame at its position and every other line unchanged', async () => {
    const { page, go } = await open({ capture: captureNamed('streamed-text') });
    await go(6);
    await insertAfter(page, INSERTED);
    const { name, text } = await downloaded(page, () => button(page, 'Save as a capture').click());
    expect(name).toBe('streamed-text-what-if.parley.jsonl');
    const lines = text.trimEnd().split('\n');
    const recorded = readFileSync(captureNamed('streamed-text'), 'utf8').trimEnd().split('\n');
    expect(lines.toSpliced(6, 1)).toEqual(recorded);
    expect(JSON.parse(lines[6] ?? '')).toEqual({ t: 930, type: 'recv', data: JSON.stringify(INSERTED) });
  });

  it('makes a redacted test: its capture and golden are in the folder and pass verify', async (test) => {
    const cwd = folderFor(test);
    const { page, go } = await open({ capture: captureNamed('streamed-text'), cwd });
    await go(6);
    await insertAfter(page, INSERTED);
    await button(page, 'Make a test of this').click();
    const dialog = page.getByRole('dialog', { name: 'Make a test of this' });
    await dialog.getByLabel('Folder').fill('kept');
    await dialog.getByLabel('Name').fill('what if');
    expect(await dialog.getByLabel('Replace what is personal').isChecked()).toBe(true);
    await dialog.getByRole('button', { name: 'Write the test' }).click();
    await dialog.getByText('The test and its golden are written').waitFor();
    expect(readdirSync(join(cwd, 'kept')).sort()).toEqual(['what if.golden.json', 'what if.parley.jsonl']);
    expect(readFileSync(join(cwd, 'kept/what if.parley.jsonl'), 'utf8')).not.toMatch(/inserted|Ada/);
    const { status } = await runTool('verify', join(cwd, 'kept/what if.parley.jsonl'));
    expect(status).toBe(0);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => dialog.count()).toBe(0);
  });

  it('shows the host’s error for a name that exists and overwrites nothing', async (test) => {
    const cwd = folderFor(test);
    writeFileSync(join(cwd, 'x.parley.jsonl'), 'mine');
    const { page } = await open({ capture: captureNamed('streamed-text'), cwd });
    await button(page, 'Make a test of this').click();
    const dialog = page.getByRole('dialog', { name: 'Make a test of this' });
    await dialog.getByLabel('Folder').fill('.');
    await dialog.getByLabel('Name').fill('x');
    await dialog.getByRole('button', { name: 'Write the test' }).click();
    await expect.poll(() => dialog.getByRole('alert').textContent(), POLLING).toContain('already exists');
    expect(readFileSync(join(cwd, 'x.parley.jsonl'), 'utf8')).toBe('mine');
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
  });
});
