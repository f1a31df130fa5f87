import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { type TestContext, afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '#hostauth/api/client.ts';
import { runTool } from '#hostauth/testing/accountChanges.ts';
import { hostauthProgram } from '#tests/builders/hostauthProgram.ts';
import { isRoot, withHostAccounts, withPamService } from '#tests/builders/withHostAccounts.ts';
import { folderFor } from './harness/folderFor.ts';
import { sendMessage } from './harness/sendMessage.ts';
import { connected, conversationOf } from './harness/signUp.ts';
import { skipFormPause } from './harness/skipFormPause.ts';
import { startParleyFor } from './harness/startParleyFor.ts';
import { type ServingProgram, startProgram } from './harness/startProgram.ts';
import { setUpBrowser } from './harness/workerBrowser.ts';

/**
 * The three programs of this repository on a shared machine, with real users and real PAM: hostauth checks the password, the
 * platform has the conversation, and the messenger in a browser shows it.
 */
const PLATFORM = resolve(import.meta.dirname, '../../out/platform/platform.js');
/** Fits the rules of the form (spec §2.1). */
const PASSWORD = 'engine1843!';
/** Within this time, a change of a user ends the user's sign-in. */
const ENDED_MS = 10_000;

const status = (page: Page) => page.getByRole('status');
const addressOf = (username: string) => `${username}@${hostname()}`;

async function submit(page: Page, email: string, name = ''): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByLabel('Name').fill(name);
  await skipFormPause(page);
  await page.getByLabel('Name').press('Enter');
}

async function signIn(page: Page, username: string): Promise<void> {
  await submit(page, addressOf(username));
  await connected(page);
}

async function talk(page: Page, words: string): Promise<void> {
  await sendMessage(page, words);
  await conversationOf(page).getByText(`You said: ${words}`).waitFor();
}

/** Changes something; resolves with the time until the window shows that it was signed out, in milliseconds. */
async function timeToSignOut(page: Page, change: () => unknown): Promise<number> {
  const start = performance.now();
  await change();
  await page.getByRole('alertdialog').getByText('unauthorized', { exact: true }).waitFor();
  const ms = performance.now() - start;
  await page.getByRole('button', { name: 'OK' }).click();
  await page.locator('main[data-view="login"]').waitFor();
  return ms;
}

describe.runIf(isRoot)('a shared machine', () => {
  const browser = setUpBrowser();
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

  /** Opens the messenger's form in a page of its own. */
  async function openMessenger(context: TestContext, env: Readonly<Record<string, string>>, dataDir: string) {
    const parley = await startParleyFor(context, { dataDir, env });
    const page = await browser().newPage();
    context.onTestFinished(() => page.close());
    await page.goto(parley.url);
    return { page, parley };
  }

  /** Starts the platform as a program, and the messenger. */
  async function openForm(context: TestContext) {
    const folder = folderFor(context);
    const argv = [PLATFORM, '--port', '0', '--data-dir', join(folder, 'platform')];
    const platform = await startProgram([...argv, '--hostauth', hostauth.url]);
    context.onTestFinished(() => platform.stop());
    const env = { PARLEY_API_URL: platform.url, PARLEY_PLATFORM_URL: platform.url.replace('http:', 'ws:') };
    return { ...(await openMessenger(context, env, join(folder, 'messenger'))), platform };
  }

  it('signs a user in, who talks, is signed out within 10 s of the lock, and finds the conversation after it', async (context) => {
    const { page, platform, parley } = await openForm(context);
    const { username } = accounts.create({ password: PASSWORD });
    await signIn(page, username);
    await talk(page, 'the first words');
    expect(await timeToSignOut(page, () => runTool(['usermod', '--lock', username]))).toBeLessThan(ENDED_MS);
    await submit(page, addressOf(username));
    await status(page).getByText('Wrong email or password.').waitFor();
    runTool(['usermod', '--unlock', username]);
    await signIn(page, username);
    await conversationOf(page).getByText('You said: the first words').waitFor();
    for (const log of [platform.log(), parley.printed.stderr, hostauth.log()])
      expect(log).not.toContain(PASSWORD);
    expect(platform.log()).not.toContain(username);
  });

  it('signs a user out within 10 s who gets another password, is deleted, or whose session an administrator ends', async (context) => {
    const { page } = await openForm(context);
    const { username } = accounts.create({ password: PASSWORD });
    await signIn(page, username);
    const change = () => runTool(['chpasswd'], `${username}:${PASSWORD}\n`);
    expect(await timeToSignOut(page, change)).toBeLessThan(ENDED_MS);
    const client = createClient({ baseUrl: hostauth.url });
    const { token } = await client.signIn(accounts.create({ groups: [administrators] }));
    await signIn(page, username);
    const endSessions = () => client.endSessions(token, username);
    expect(await timeToSignOut(page, endSessions)).toBeLessThan(ENDED_MS);
    await signIn(page, username);
    expect(await timeToSignOut(page, () => runTool(['userdel', username]))).toBeLessThan(ENDED_MS);
  });

  it('refuses a registration, until an administrator creates the user, also in the platform of `npm start`', async (context) => {
    const env = { PARLEY_PLATFORM_HOSTAUTH: hostauth.url };
    const { page } = await openMessenger(context, env, folderFor(context));
    const username = accounts.name();
    await submit(page, addressOf(username), 'Ada Lovelace');
    await status(page).getByText('Ask an administrator to create one.').waitFor();
    const client = createClient({ baseUrl: hostauth.url });
    const { token } = await client.signIn(accounts.create({ groups: [administrators] }));
    await client.createUser({ username, password: PASSWORD }, token);
    await signIn(page, username);
    await talk(page, 'hello');
    expect(await conversationOf(page).getByRole('article').count()).toBe(3);
  });
});
