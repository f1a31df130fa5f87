import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { type Browser, type Page, chromium } from 'playwright-core';
import { z } from 'zod';
import { CHROMIUM, QUIET } from '#tests/browser/harness/chromium.ts';
import { withTemporaryFolder } from '../base/withTemporaryFolder.ts';
import { type Span, VIEWPORT, waitForWhole } from './browserPage.ts';

/** A page that opened without a debugger. */
interface UndisturbedPage {
  readonly browser: Browser;
  readonly page: Page;
  /** When the debugger was attached: tasks of this span do not count. */
  readonly attaching: Span;
}

const LISTENING = /^DevTools listening on ws:\/\/(?<host>[^/]+)\//;
const targetSchema = z.object({ id: z.string(), url: z.string() });
/** The end of the inspector's address when nothing has changed for a moment: its first step has been drawn, and the capture has been read. */
const READY = '#step=0';
const LOAD_MS = 120_000;

/**
 * Opens the inspector in a running browser, and attaches Playwright only when the page is ready. With a debugger, V8
 * computes the stack of each `Error`, and React creates some while it loads: this alone blocks the page for 30 ms.
 */
export const withUndisturbedPage = <T>(
  invitation: string,
  use: (page: UndisturbedPage) => Promise<T>,
): Promise<T> =>
  withTemporaryFolder(async (folder) => {
    const child = spawn(
      CHROMIUM,
      [...QUIET, '--headless', '--remote-debugging-port=0', `--user-data-dir=${folder}`, 'about:blank'],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const ended = once(child, 'exit');
    try {
      const host = await readHost(child);
      // The first page is not measured: the browser is still busy with its start.
      const first = await open(host, invitation);
      await fetch(`http://${host}/json/close/${first}`);
      await open(host, new URL(invitation).origin);

      const from = Date.now();
      const browser = await chromium.connectOverCDP(`http://${host}`);
      const pages = browser.contexts().flatMap((context) => context.pages());
      const page = pages.find((one) => one.url().endsWith(READY));
      if (page === undefined) throw new Error('the inspector’s page has closed');
      await page.setViewportSize(VIEWPORT);
      // The first query adds Playwright's script to the page.
      await waitForWhole(page);
      return await use({ page, browser, attaching: { from, to: Date.now() } });
    } finally {
      child.kill();
      await ended;
    }
  });

/** Opens a page and waits until it is ready. Returns its id. */
async function open(host: string, url: string): Promise<string> {
  const answer = await fetch(`http://${host}/json/new?${encodeURIComponent(url)}`, { method: 'PUT' });
  const { id } = targetSchema.parse(await answer.json());
  const latest = performance.now() + LOAD_MS;
  while (!(await findAddress(host, id)).endsWith(READY)) {
    if (performance.now() > latest) throw new Error('the inspector’s page did not open');
    await setTimeout(100);
  }
  return id;
}

/** Reads the address of the browser's debugger from its stderr. */
async function readHost({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error('the browser’s stderr must be a pipe');
  for await (const line of createInterface(stderr)) {
    const host = LISTENING.exec(line)?.groups?.['host'];
    if (host === undefined) continue;
    stderr.resume();
    return host;
  }
  throw new Error('the browser ended before its debugger was ready');
}

async function findAddress(host: string, id: string): Promise<string> {
  const answer = await fetch(`http://${host}/json/list`);
  const targets = z.array(targetSchema).parse(await answer.json());
  return targets.find((target) => target.id === id)?.url ?? '';
}
