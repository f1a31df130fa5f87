import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { type TestContext, afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '#hostauth/api/client.ts';
import { hostauthProgram } from '#hostauth/testing/processState.ts';
import { runTool } from '#tests/builders/createTemporaryAccounts.ts';
import { isRoot, withHostAccounts, withPamService } from '#tests/builders/withHostAccounts.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { type ServingProgram, startParleyFor, startProgram } from './browser/harness/startParley.ts';
import { sendMessage, connected, conversationOf, submitForm } from './browser/harness/signUp.ts';
import { workerBrowser } from './browser/harness/chromium.ts';

/** The three programs of this repository on a shared machine, with real users and real PAM. */
const PLATFORM = resolve(import.meta.dirname, '../out/platform/platform.js');
/** Fits the rules of the form (spec §2.1). */
const PASSWORD = 'engine1843!';

const status = (page: Page) => page.getByRole('status');

const submit = (page: Page, username: string, name = '') =>
  submitForm(page, { email: `${username}@${hostname()}`, password: PASSWORD, name });

async function signIn(page: Page, username: string): Promise<void> {
  await submit(page, username);
  await connected(page);
}

async function talk(page: Page, words: string): Promise<void> {
  await sendMessage(page, words);
  await conversationOf(page).getByText(`You said: ${words}`).waitFor();
}

/** Opens the messenger's form in a page of its own. */
async function openMessenger(context: TestContext, env: Readonly<Record<string, string>>, dataDir: string) {
  const parley = await startParleyFor(context, { dataDir, env });
  const page = await (await workerBrowser()).newPage();
  context.onTestFinished(() => page.close());
  await page.goto(parley.url);
  return { page, parley };
}

describe.runIf(isRoot)('a shared machine', () => {
  const accounts = withHostAccounts();
  const service = withPamService();
  let hostauth: ServingProgram;
  let administrators: string;

  beforeAll(async () => {
    administrators = accounts.createGroup();
    hostauth = await startProgram([hostauthProgram('hostauth')], {
      HOSTAUTH_PORT: '0',
      HOSTAUTH_PAM_SERVICE: service.service,
      HOSTAUTH_ADMIN_GROUP: administrators,
    });
  });
  afterAll(() => hostauth?.stop());

  it('signs a user in, who talks, is signed out after a lock, and finds the conversation after it', async (context) => {
    const folder = mainFolder();
    const argv = [PLATFORM, '--port', '0', '--data-dir', join(folder, 'platform')];
    const platform = await startProgram([...argv, '--hostauth', hostauth.url]);
    context.onTestFinished(async () => void (await platform.stop()));
    const env = { PARLEY_API_URL: platform.url, PARLEY_PLATFORM_URL: platform.url.replace('http:', 'ws:') };
    const { page, parley } = await openMessenger(context, env, join(folder, 'messenger'));
    const { username } = accounts.create({ password: PASSWORD });
    await signIn(page, username);
    await talk(page, 'the first words');
    runTool(['usermod', '--lock', username]);
    await page.getByRole('alertdialog').getByText('unauthorized', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'OK' }).click();
    await page.locator('main[data-view="login"]').waitFor();
    expect(await page.getByRole('log').count()).toBe(0);
    await submit(page, username);
    await status(page).getByText('Wrong email or password.').waitFor();
    runTool(['usermod', '--unlock', username]);
    await signIn(page, username);
    await conversationOf(page).getByText('You said: the first words').waitFor();
    for (const log of [platform, parley, hostauth].map(({ printed }) => printed.stderr))
      expect(log).not.toContain(PASSWORD);
    expect(platform.printed.stderr).not.toContain(username);
  });

  it('refuses a registration, until an administrator creates the user, also in the platform of `npm start`', async (context) => {
    const env = { PARLEY_PLATFORM_HOSTAUTH: hostauth.url };
    const { page } = await openMessenger(context, env, mainFolder());
    const username = accounts.name();
    await submit(page, username, 'Ada Lovelace');
    await status(page).getByText('Ask an administrator to create one.').waitFor();
    const client = createClient({ baseUrl: hostauth.url });
    const { token } = await client.signIn(accounts.create({ groups: [administrators] }));
    await client.createUser({ username, password: PASSWORD }, token);
    await signIn(page, username);
    await talk(page, 'hello');
    expect(await conversationOf(page).getByRole('article').count()).toBe(3);
  });
});
