import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parleyTool } from '#replay/parley/parleyTool.ts';
import { replayTool } from '#replay/replayTool.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { folderFor } from './harness/folderFor.ts';
import { signUp, conversationOf } from './harness/signUp.ts';
import { startParleyFor } from './harness/startParleyFor.ts';
import { setUpBrowser } from './harness/workerBrowser.ts';

const browser = setUpBrowser();

async function runReplayTool(...args: readonly string[]) {
  let out = '';
  const output = {
    out: (text: string) => void (out += text),
    err: () => undefined,
    isOutColored: false,
    isErrTerminal: false,
  };
  const status = await replayTool(args, output, parleyTool);
  return { status, out };
}

const TEXT = `Explain this report: “Grüße” 👋\n\n${'A line of the report.\n'.repeat(30)}`;
const NAME = 'Explain this report Grüße A line of the.txt';

const sentMessage: unknown = expect.objectContaining({
  modifier: 'client',
  content: [expect.objectContaining({ category: 'file', text: NAME })],
});

it('shows a long text that was sent as a file as a link to it, and replays its recorded acts', async (test) => {
  const dataDir = folderFor(test);
  const parley = await startParleyFor(test, { dataDir, env: { PARLEY_CAPTURE: '1' } });
  const page = await browser().newPage();
  test.onTestFinished(() => page.close());
  await page.goto(parley.url);
  await signUp(page);
  await page.getByRole('button', { name: 'Write a message' }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill(TEXT);
  await page.keyboard.press('Alt+Enter');
  const link = conversationOf(page).locator('[data-modifier="client"]').getByRole('link', { name: NAME });
  await link.waitFor();
  const download = page.waitForEvent('download');
  await link.click();
  expect((await download).suggestedFilename()).toBe(NAME);
  expect(readFileSync(await (await download).path(), 'utf8')).toBe(TEXT);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.locator('main[data-view="login"]').waitFor();
  const [name = ''] = readdirSync(join(dataDir, 'captures'));
  const file = join(dataDir, 'captures', name);
  await expect.poll(() => readFileSync(file, 'utf8'), POLLING).toContain('"session/ended"');
  const recorded = readFileSync(file, 'utf8').match(/(?<="type":")(?:textBox|file|message)\/\w+/gu);
  expect(recorded).toEqual([
    'textBox/opened',
    'textBox/edited',
    'textBox/sent',
    'file/offered',
    'message/requested',
    'message/sent',
    'file/sent',
  ]);
  const { status, out } = await runReplayTool('run', file, '--json', '--with', 'conversation,state');
  expect(status).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    conversation: { messages: expect.arrayContaining([sentMessage]) },
  });
});

it('shows the first lines of a long text file, and all of it with Show all', async (test) => {
  const parley = await startParleyFor(test, {});
  const page = await browser().newPage();
  test.onTestFinished(() => page.close());
  await page.goto(parley.url);
  await signUp(page);
  // Longer than a blob that the window has from the beginning.
  const buffer = Buffer.from(`The first line.\n${'A line of it.\n'.repeat(2000)}The last line.`);
  await page.locator('input[type="file"]').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer });
  const file = conversationOf(page).locator('[data-modifier="client"] [data-category="file"]');
  await file.getByText('The first line.').waitFor();
  expect(await file.getByText('The last line.').count()).toBe(0);
  await file.getByRole('button', { name: 'Show all' }).click();
  await file.getByText('The last line.').waitFor();
});
