import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished, vi } from 'vitest';
import { openCapture } from '#replay/inspector/serve/openCapture.ts';
import { builtPage, readPageFiles } from '#replay/inspector/serve/pageFiles.ts';
import { startInspector } from '#replay/inspector/serve/startInspector.ts';
import { PATIENTLY } from '#tests/builders/patiently.ts';
import { setUpBrowser } from '../../harness/workerBrowser.ts';

const CAPTURES = resolve(import.meta.dirname, '../../../captures');

/** The path of one of the captures that are kept. */
export const captureNamed = (name: string): string => join(CAPTURES, `${name}.parley.jsonl`);

interface Wish {
  /** A path; without one, the page is a place to drop a capture. */
  readonly capture?: string;
  readonly step?: number;
  /** Where tests that are made go. */
  readonly cwd?: string;
  readonly browser?: BrowserContextOptions;
  /** Added to the address. */
  readonly hash?: string;
  /** What the page needs before it is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** An inspector in a browser, and what the tests look at in it. */
export interface OpenInspector {
  readonly page: Page;
  /** What went wrong in the page: errors, and what the policy forbade. */
  readonly troubles: string[];
  /** The number of the step that is selected and drawn. */
  step(): Promise<number>;
  /** Waits until this step is drawn. */
  at(step: number): Promise<void>;
  /** Goes to a step, and waits until it is drawn. */
  go(step: number): Promise<void>;
}

/** Takes what is done when the inspector is no longer needed. */
type AtEnd = (end: () => Promise<void>) => void;

/** In a test file: starts the browser, and gives what opens the inspector as `replay open` serves it. */
export function setUpInspector(): (wish?: Wish, atEnd?: AtEnd) => Promise<OpenInspector> {
  const browser = setUpBrowser();
  return async (wish = {}, atEnd = onTestFinished) => {
    const url = await serve(wish, atEnd);
    const page = await browser().newPage({
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
      ...wish.browser,
    });
    atEnd(() => page.close());
    const troubles = troublesOf(page);
    await wish.prepare?.(page);
    await page.goto(`${url}${wish.hash ?? ''}`);
    if (wish.capture !== undefined) await page.locator('[data-phase="ready"]').waitFor();
    return { page, troubles, ...steps(page) };
  };
}

async function serve({ capture, step, cwd = process.cwd() }: Wish, atEnd: AtEnd): Promise<string> {
  const inspector = await startInspector({
    files: await readPageFiles(builtPage()),
    capture: capture === undefined ? undefined : await openCapture(capture),
    step,
    cwd,
    port: 0,
    random: randomBytes,
  });
  atEnd(async () => void (await inspector.stop()));
  return inspector.invitation();
}

function troublesOf(page: Page): string[] {
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(message.text());
  });
  return troubles;
}

function steps(page: Page): Pick<OpenInspector, 'step' | 'at' | 'go'> {
  const drawn = page.locator('.inspector [data-drawn]');
  const step = async () => Number(await drawn.getAttribute('data-drawn'));
  const at = async (wanted: number) => {
    // Not `expect.poll`: hooks go to steps, too.
    await vi.waitFor(async () => expect(await step()).toBe(wanted), PATIENTLY);
  };
  let links = 0;
  const go = async (wanted: number) => {
    // Another address each time: the page's own may not have followed it yet.
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `#step=${wanted}&link=${++links}`);
    await at(wanted);
  };
  return { step, at, go };
}
