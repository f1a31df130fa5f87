import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, onTestFinished } from 'vitest';
import { openCapture } from '#replay/inspector/serve/openCapture.ts';
import { readPageFiles } from '#replay/inspector/serve/appPage.ts';
import { startInspector } from '#replay/inspector/serve/startInspector.ts';
import { parleyApp } from '#replay/parley/parleyApp.ts';
import { workerBrowser } from './chromium.ts';
import { dropCapture } from './giveFiles.ts';

const CAPTURES = resolve(import.meta.dirname, '../../captures');

/** Returns the path of a capture of the corpus. */
export const captureNamed = (name: string): string => join(CAPTURES, `${name}.parley.jsonl`);

interface Options {
  readonly capture: string;
  readonly step?: number;
  /** The folder that receives tests made in the page. */
  readonly cwd?: string;
}

/** A page that tests use, one after the other. */
interface SharedPage {
  readonly page: Page;
  /** The errors of the inspector that is open now. */
  problems: string[];
  /** The inspector is loaded, so that it can open another capture. */
  isLoaded: boolean;
}

/** A page that has read the whole capture. */
const READ = '[data-phase="ready"]:not(:has(.reading))';

const VIEWPORT = { width: 1440, height: 900 };

let shared: Promise<SharedPage> | undefined;

/** Returns a function that opens the inspector. The tests of a worker share a page, which is quicker, until one of them fails. */
export function setUpInspector() {
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') shared = undefined;
  });
  return async (options: Options) => {
    // Another test file may have closed the browser's pages.
    if ((await shared)?.page.isClosed()) shared = undefined;
    const opened = await (shared ??= newPage());
    const { page } = opened;
    await page.setViewportSize(VIEWPORT);
    /** The page's errors and what its policy blocked. */
    const problems: string[] = [];
    opened.problems = problems;
    // Nothing but a step and a folder depends on the address or its server.
    if (opened.isLoaded && options.step === undefined && options.cwd === undefined)
      await openInLoadedPage(page, options.capture);
    else {
      await page.goto(await serve(options));
      await page.locator(READ).waitFor();
    }
    opened.isLoaded = true;
    return { page, problems, ...steps(page) };
  };
}

/** Opens a capture in the page as a person does; resolves when the page shows all of it. */
async function openInLoadedPage(page: Page, capture: string): Promise<void> {
  // Closes a dialog, which another capture does not close.
  await page.keyboard.press('Escape');
  // Another capture renders the workspace again, without the mark.
  await page.locator('.workspace').evaluateAll((all) => all.forEach((one) => one.classList.add('previous')));
  await dropCapture(page, basename(capture), await readFile(capture));
  await page.locator(`${READ} .workspace:not(.previous)`).waitFor();
}

async function newPage(): Promise<SharedPage> {
  const browser = await workerBrowser();
  const context = await browser.newContext({ viewport: VIEWPORT, reducedMotion: 'reduce' });
  const opened: SharedPage = { page: await context.newPage(), problems: [], isLoaded: false };
  opened.page.on('pageerror', (error) => opened.problems.push(String(error)));
  opened.page.on('console', (message) => {
    if (message.type() === 'error') opened.problems.push(message.text());
  });
  return opened;
}

let pageFiles: ReturnType<typeof readPageFiles> | undefined;

async function serve({ capture, step, cwd = process.cwd() }: Options): Promise<string> {
  const inspector = await startInspector({
    files: await (pageFiles ??= readPageFiles()),
    app: parleyApp,
    capture: await openCapture(capture),
    ...(step !== undefined && { start: { step } }),
    cwd,
    port: 0,
  });
  onTestFinished(() => inspector.stop());
  return inspector.invitation();
}

/** The number of addresses that tests entered. */
let links = 0;

function steps(page: Page) {
  /** Waits until this step is rendered. */
  const at = (wanted: number) => page.locator(`.inspector [data-drawn="${wanted}"]`).waitFor();
  /** Goes to a step and waits until it is rendered. */
  const go = async (wanted: number) => {
    // A different address each time: the page may not have written its own address yet.
    await page.evaluate((hash) => {
      location.hash = hash;
    }, `#step=${wanted}&link=${++links}`);
    await at(wanted);
  };
  return { at, go };
}
