import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { folderFor } from './browser/harness/folderFor.ts';
import { login } from './browser/harness/login.ts';
import { message, messages, snapshot, text } from './browser/harness/message.ts';
import { connect, nextSocket } from './browser/harness/setUpScripted.ts';
import { startParleyFor } from './browser/harness/startParleyFor.ts';
import { workerBrowser } from './browser/harness/workerBrowser.ts';
import { POLLING } from './builders/polling.ts';
import { platformEnvironment, startPlatform } from './builders/startPlatform.ts';

/** Tests starts of the built messenger after other starts, as a person in a browser sees them. */
const view = (page: Page, name: string) => page.locator(`main[data-view="${name}"]`).waitFor();

describe('the built messenger with a scripted platform', () => {
  let page: Page;
  let platform: Awaited<ReturnType<typeof startPlatform>>;
  beforeAll(async () => {
    page = await (await (await workerBrowser()).newContext({ reducedMotion: 'reduce' })).newPage();
    platform = await startPlatform();
  });
  afterAll(async () => {
    await page.context().close();
    await platform.stop();
  });

  it('offers a session instead of launching it at the third start, after it killed the program at two starts', async (test) => {
    const dataDir = folderFor(test);
    const killer = 'this frame kills';
    // Injects a real fault: the program kills itself at the first frame with this text.
    const fault = `const { parse } = JSON;
      JSON.parse = (text, ...rest) => {
        if (String(text).includes('${killer}')) process.kill(process.pid, 'SIGKILL');
        return parse(text, ...rest);
      };`;
    const faulty = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}` };
    const start = async (env: Readonly<Record<string, string>> = faulty) => {
      const next = nextSocket(platform);
      const parley = await startParleyFor(test, {
        dataDir,
        env: { ...platformEnvironment(platform), ...env },
      });
      return { parley, next };
    };
    /** Sends a snapshot and the fatal frame; resolves when the program has exited. */
    const crash = async ({ parley, next }: Awaited<ReturnType<typeof start>>) => {
      const ended = once(parley.process, 'exit');
      const socket = await next();
      socket.send(snapshot(...messages(2)).frame);
      socket.send(message('killer', [text(killer)]));
      expect(await ended).toEqual([null, 'SIGKILL']);
    };
    const first = await start();
    await page.goto(first.parley.url);
    platform.auth.answer({ body: 'account-1' });
    await view(page, 'login');
    await login(page);
    await connect(page, await first.next());
    await first.parley.stop();
    for (let count = 0; count < 2; count++) await crash(await start());
    const third = await start();
    await page.goto(third.parley.url);
    const heading = page.getByRole('heading', {
      name: 'Parley stopped twice while it opened your conversation',
    });
    await heading.waitFor();
    for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
    await page.getByText('This session is saved in').waitFor();
    const [saved = ''] = readdirSync(join(dataDir, 'captures'));
    expect(readFileSync(join(dataDir, 'captures', saved), 'utf8')).toContain(killer);
    const next = nextSocket(platform);
    const crashing = crash({ ...third, next });
    await page.getByRole('button', { name: 'Try again' }).click();
    await crashing;
    const fourth = await start({});
    await page.goto(fourth.parley.url);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await view(page, 'login');
    await vi.waitUntil(() => !readdirSync(dataDir).includes('failed-start.parley.jsonl'), POLLING);
    expect(readdirSync(dataDir)).not.toContain('account.json');
  });
});
