import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type TestContext, expect, it, onTestFinished } from 'vitest';
import { STUB_PATHS } from '#platform/endpoint/testing/createScripts.ts';
import { startEndpointStub } from '#platform/endpoint/testing/startEndpointStub.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { axeViolations } from './harness/axeViolations.ts';
import { chooseFromMenu } from './harness/chooseFromMenu.ts';
import { readWindowState } from './harness/readWindowState.ts';
import { overflowingElements } from './harness/resize.ts';
import { sendMessage } from './harness/sendMessage.ts';
import { signUp } from './harness/signUp.ts';
import { startParleyFor } from './harness/startParleyFor.ts';
import { workerBrowser } from './harness/workerBrowser.ts';

const KEY = 'sk-right-key-of-ada-1843';
const WRONG = 'sk-wrong-key-of-ada-1842';

const dialogIn = (page: Page) => page.getByRole('dialog', { name: 'Assistant' });
const statusIn = (page: Page) => dialogIn(page).getByRole('status');
const press = (page: Page, name: string) => dialogIn(page).getByRole('button', { name, exact: true }).click();

/** Creates a data folder that the test's programs share. */
function folderForTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-assistant-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts an endpoint that needs the key. */
const startEndpoint = () => startOpenEndpoint({ key: KEY });

async function startOpenEndpoint(options: Parameters<typeof startEndpointStub>[0] = {}) {
  const stub = await startEndpointStub({ models: [{ id: 'small' }, { id: 'large' }], ...options });
  onTestFinished(() => stub.stop());
  return stub;
}

/** Starts the messenger and opens its window, 420 pixels wide. */
async function open(context: TestContext, dataDir: string, env: Readonly<Record<string, string>> = {}) {
  const parley = await startParleyFor(context, { dataDir, env: { PARLEY_CAPTURE: '1', ...env } });
  const browser = await (
    await workerBrowser()
  ).newContext({
    viewport: { width: 420, height: 860 },
    reducedMotion: 'reduce',
  });
  context.onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(parley.url);
  return { parley, page };
}

async function openDialog(page: Page): Promise<void> {
  await chooseFromMenu(page, 'Settings…');
  await page.getByRole('button', { name: 'Choose the assistant…' }).click();
  await dialogIn(page).waitFor();
}

/** Returns the texts of the files in a folder that contain a text, by path. */
const filesWith = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => {
    const whole = join(folder, path);
    return statSync(whole).isFile() && readFileSync(whole, 'latin1').includes(text);
  });

it('connects an assistant: a wrong key in words, the right one stored, in use after a restart, and nowhere else', async (context) => {
  const [dataDir, stub] = [folderForTest(), await startEndpoint()];
  const { parley, page } = await open(context, dataDir);
  await signUp(page);
  await openDialog(page);
  const dialog = dialogIn(page);
  await dialog.getByLabel('Address').fill(stub.url);
  await dialog.getByLabel('Key', { exact: true }).fill(WRONG);
  await press(page, 'Test');
  await expect.poll(() => statusIn(page).textContent(), POLLING).toMatch(/does not accept the key/);
  expect(await axeViolations(page, ['serious', 'critical'])).toEqual([]);
  expect(await overflowingElements(page, 'dialog')).toEqual([]);

  await dialog.getByLabel('Key', { exact: true }).fill(KEY);
  await press(page, 'Test');
  await statusIn(page).getByText('The server answers with the model small. It offers 2 models.').waitFor();
  const models = dialog.locator('datalist option');
  await expect.poll(() => models.allTextContents(), POLLING).toEqual(['small', 'large']);
  await dialog.getByLabel('Model').fill('large');
  await press(page, 'Save');
  await page.getByText('Your choice of the assistant is saved.').waitFor();
  await dialog.waitFor({ state: 'detached' });
  expect(JSON.stringify(await readWindowState(page))).not.toContain('sk-');
  expect(await parley.stop()).toBe(0);

  const { parley: next, page: again } = await open(context, dataDir);
  await openDialog(again);
  const shown = dialogIn(again);
  expect(await shown.getByLabel('Address').inputValue()).toBe(stub.url);
  expect(await shown.getByLabel('Model').inputValue()).toBe('large');
  expect(await shown.getByLabel('Key', { exact: true }).inputValue()).toBe('');
  await shown.getByText('A key is stored and is not shown.').waitFor();
  const before = stub.requests.length;
  await press(again, 'Test');
  await statusIn(again).getByText('The server answers with the model large.').waitFor();
  expect(stub.requests.slice(before).every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(
    true,
  );
  expect(await again.content()).not.toContain(KEY);
  expect(await next.stop()).toBe(0);

  // The web host has no encryption: the key is in the file that stores it, and in no other.
  expect(filesWith(dataDir, KEY)).toEqual(['assistant.json']);
  expect(filesWith(dataDir, WRONG)).toEqual([]);
  expect(statSync(join(dataDir, 'assistant.json')).mode & 0o777).toBe(0o600);
  expect(filesWith(dataDir, 'assistant/saved')).toHaveLength(1);
  for (const { printed } of [parley, next])
    for (const key of [KEY, WRONG]) expect(printed.stdout + printed.stderr).not.toContain(key);
});

it('says what is wrong with the address, keeps the key from another server, and selects the demonstration', async (context) => {
  const [dataDir, stub, other] = [folderForTest(), await startEndpoint(), await startEndpoint()];
  const { page } = await open(context, dataDir);
  await openDialog(page);
  const dialog = dialogIn(page);
  const [address, key] = [dialog.getByLabel('Address'), dialog.getByLabel('Key', { exact: true })];
  await address.fill('ollama');
  await address.press('Enter');
  await statusIn(page).getByText('The address must begin with http:// or https://').waitFor();
  await expect.poll(() => address.evaluate((one) => one === document.activeElement), POLLING).toBe(true);
  expect(await address.getAttribute('aria-invalid')).toBe('true');
  const [described = ''] = (await address.getAttribute('aria-describedby'))?.split(' ') ?? [];
  expect(await statusIn(page).getAttribute('id')).toBe(described);
  await address.fill('http://127.0.0.1:1/v1');
  await press(page, 'Test');
  await statusIn(page).getByText('No server answers at').waitFor();

  await address.fill(stub.url);
  await key.fill(KEY);
  await press(page, 'Save');
  await dialog.waitFor({ state: 'detached' });
  await openDialog(page);
  await address.fill(other.url);
  await press(page, 'Test');
  await statusIn(page).getByText('The stored key belongs to another server.').waitFor();
  await expect.poll(() => key.evaluate((one) => one === document.activeElement), POLLING).toBe(true);
  expect(other.requests).toEqual([]);
  await press(page, 'Use the demonstration');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => readdirSync(dataDir), POLLING).not.toContain('assistant.json');
});

it('ends a test that the person cancels', async (context) => {
  const stub = await startEndpoint();
  stub.always({ steps: [], end: 'stall' }, STUB_PATHS.models);
  const { page } = await open(context, folderForTest());
  await openDialog(page);
  await dialogIn(page).getByLabel('Address').fill(stub.url);
  await dialogIn(page).getByLabel('Key', { exact: true }).fill(KEY);
  await press(page, 'Test');
  const { isComplete } = await stub.request(0, STUB_PATHS.models);
  await statusIn(page).getByText('Testing…').waitFor();
  expect(await dialogIn(page).locator('form').getAttribute('aria-busy')).toBe('true');
  await press(page, 'Cancel test');
  await expect.poll(() => statusIn(page).textContent(), POLLING).toBe('The test was cancelled.');
  expect(await isComplete).toBe(false);
});

it('shows the settings of the environment, which can be tested and not changed', async (context) => {
  const stub = await startEndpoint();
  const { page } = await open(context, folderForTest(), {
    PARLEY_ASSISTANT_URL: stub.url,
    PARLEY_ASSISTANT_KEY: KEY,
    PARLEY_ASSISTANT_MODEL: 'large',
  });
  await openDialog(page);
  await dialogIn(page).getByText('Set by PARLEY_ASSISTANT_URL').waitFor();
  for (const label of ['Address', 'Model', 'Instructions'])
    expect(await dialogIn(page).getByLabel(label).getAttribute('readonly')).toBe('');
  expect(await dialogIn(page).getByRole('button').allTextContents()).toEqual(['Close', 'Test']);
  await press(page, 'Test');
  await statusIn(page).getByText('The server answers with the model large.').waitFor();
  expect(await page.content()).not.toContain(KEY);
});

it('shows nothing of the assistant of another platform', async (context) => {
  const { page } = await open(context, folderForTest(), {
    PARLEY_API_URL: 'http://127.0.0.1:1',
    PARLEY_PLATFORM_URL: 'ws://127.0.0.1:1',
  });
  await chooseFromMenu(page, 'Settings…');
  await page.getByRole('dialog', { name: 'Settings' }).waitFor();
  expect(await page.getByRole('heading').allTextContents()).not.toContain('Assistant');
  expect((await readWindowState(page)).assistant).toBeNull();
});

const beside = (page: Page) => page.locator('.answer-buttons .model');
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

it('says beside the text box that the demonstration answers, and connects a model', async (context) => {
  const stub = await startOpenEndpoint();
  const { page } = await open(context, folderForTest());
  await signUp(page);
  await beside(page).getByText('Demonstration').waitFor();
  await page.getByRole('article').getByRole('button', { name: 'Connect a model…' }).click();
  await dialogIn(page).getByRole('button', { name: 'Close' }).click();
  await beside(page).getByRole('button', { name: 'Connect a model…' }).click();
  await dialogIn(page).getByLabel('Address').fill(stub.url);
  await press(page, 'Save');
  await page.getByRole('button', { name: 'Model: small' }).waitFor();
  expect(await beside(page).getByText('Demonstration').count()).toBe(0);
});

it('contract §3 model: chooses one of the server’s models for the next answers, by the keyboard', async (context) => {
  const stub = await startOpenEndpoint();
  const { page } = await open(context, folderForTest(), { PARLEY_ASSISTANT_URL: stub.url });
  await signUp(page);
  const button = page.getByRole('button', { name: /^Model: / });
  await button.press('ArrowDown');
  const models = page.getByRole('menuitemradio');
  await expect.poll(() => models.allTextContents(), POLLING).toEqual(['small', 'large']);
  expect(await page.getByRole('menuitemradio', { checked: true }).allTextContents()).toEqual(['small']);
  expect(await models.first().evaluate((one) => one === document.activeElement)).toBe(true);
  expect(await axeViolations(page, ['serious', 'critical', 'moderate'])).toEqual([]);
  expect(await overflowingElements(page, '[role="menu"]')).toEqual([]);
  await page.keyboard.press('Escape');
  expect([await models.count(), await focused(page)]).toEqual([0, 'Model: small']);

  await button.press('ArrowDown');
  await models.first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await models.first().waitFor({ state: 'detached' });
  expect(await focused(page)).toBe('Model: large');
  await sendMessage(page, 'hello');
  expect((await stub.request(0)).json).toMatchObject({ model: 'large' });
  await page.getByText('Hello, Ada.').waitFor();

  await button.press('ArrowDown');
  await page.getByRole('menuitem', { name: 'Settings of the assistant…' }).click();
  expect(await dialogIn(page).getByLabel('Model').inputValue()).toBe('large');
});

it('says in the menu why there is no list of models', async (context) => {
  const stub = await startOpenEndpoint();
  const { page } = await open(context, folderForTest(), { PARLEY_ASSISTANT_URL: stub.url });
  await signUp(page);
  await page.getByRole('button', { name: 'Model: small' }).waitFor();
  await stub.stop();
  await page.getByRole('button', { name: 'Model: small' }).click();
  await page.getByRole('menuitem', { name: /^No server answers at/, disabled: true }).waitFor();
  expect(await axeViolations(page, ['serious', 'critical', 'moderate'])).toEqual([]);
  await page.getByRole('log').click();
  await page.getByRole('menu').waitFor({ state: 'detached' });
});
