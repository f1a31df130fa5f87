import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { type Browser, type Page, chromium } from 'playwright-core';
import { z } from 'zod';
import { CHROMIUM, QUIET } from '#tests/browser/harness/chromium.ts';
import { inFolder } from '../base/withTemporaryFolder.ts';
import { type Span, VIEWPORT } from './browserPage.ts';

/** A page that no debugger was attached to while it opened. */
export interface Undisturbed {
  readonly browser: Browser;
  readonly page: Page;
  /** When the debugger came: what the page did then was not its own. Milliseconds since 1970. */
  readonly attaching: Span;
}

const LISTENING = /^DevTools listening on ws:\/\/(?<host>[^/]+)\//;
const targetSchema = z.object({ id: z.string(), url: z.string() });
/** The inspector's address follows its steps: this one is there once the first has been drawn. */
const READY = '#step=0';
const LOAD_MS = 120_000;

/**
 * Opens the inspector as a person does, in a browser that has been running for a while, and looks into its page only
 * once it is there: with a debugger at it, as Playwright is, V8 works out where each `Error` was made, and React makes
 * some as it is loaded: that alone blocks the page for 30 ms.
 */
export const lookUndisturbed = <T>(
  invitation: string,
  look: (undisturbed: Undisturbed) => Promise<T>,
): Promise<T> =>
  inFolder(async (folder) => {
    const child = spawn(
      CHROMIUM,
      [...QUIET, '--headless', '--remote-debugging-port=0', `--user-data-dir=${folder}`, 'about:blank'],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const gone = once(child, 'exit');
    try {
      const host = await hostOf(child);
      // The first one is for the browser, which is still busy with its own start.
      const first = await open(host, invitation);
      await fetch(`http://${host}/json/close/${first}`);
      await open(host, new URL(invitation).origin);

      const from = Date.now();
      const browser = await chromium.connectOverCDP(`http://${host}`);
      const pages = browser.contexts().flatMap((context) => context.pages());
      const page = pages.find((one) => one.url().endsWith(READY));
      if (page === undefined) throw new Error('the inspector’s page is gone');
      await page.setViewportSize(VIEWPORT);
      // With the first look Playwright's own script comes into the page.
      await page.locator('[data-drawn="0"]').boundingBox();
      return await look({ page, browser, attaching: { from, to: Date.now() } });
    } finally {
      child.kill();
      await gone;
    }
  });

/** Opens a page and waits until it is ready; gives its id. */
async function open(host: string, url: string): Promise<string> {
  const answer = await fetch(`http://${host}/json/new?${encodeURIComponent(url)}`, { method: 'PUT' });
  const { id } = targetSchema.parse(await answer.json());
  const latest = performance.now() + LOAD_MS;
  while (!(await addressOf(host, id)).endsWith(READY)) {
    if (performance.now() > latest) throw new Error('the inspector’s page did not open');
    await setTimeout(100);
  }
  return id;
}

/** Where the browser answers for its pages, once it does. */
async function hostOf({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error('the browser’s stderr must be a pipe');
  for await (const line of createInterface(stderr)) {
    const host = LISTENING.exec(line)?.groups?.['host'];
    if (host === undefined) continue;
    stderr.resume();
    return host;
  }
  throw new Error('the browser ended before it could be asked');
}

async function addressOf(host: string, id: string): Promise<string> {
  const answer = await fetch(`http://${host}/json/list`);
  const targets = z.array(targetSchema).parse(await answer.json());
  return targets.find((target) => target.id === id)?.url ?? '';
}
