import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, onTestFinished } from 'vitest';
import { openCapture } from '#replay/inspector/serve/openCapture.ts';
import { readPageFiles } from '#replay/inspector/serve/appPage.ts';
import { startInspector } from '#replay/inspector/serve/startInspector.ts';
import { parleyApp } from '#replay/parley/parleyApp.ts';
import { workerBrowser } from './chromium.ts';

const CAPTURES = resolve(import.meta.dirname, '../../captures');

/** Returns the path of a capture of the corpus. */
export const captureNamed = (name: string): string => join(CAPTURES, `${name}.parley.jsonl`);

interface Options {
  readonly capture: string;
  readonly step?: number;
  /** The folder that receives tests made in the page. */
  readonly cwd?: string;
  readonly other?: Parameters<typeof startInspector>[0]['other'];
}

/** A page that has read the whole capture. */
const READ = '[data-phase="ready"]:not(:has(.reading))';

let shared: ReturnType<typeof newPage> | undefined;

/** Returns a function that opens the inspector. The tests of a worker share a page, which is quicker, until one of them fails. */
export function setUpInspector() {
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') shared = undefined;
  });
  return async (options: Options) => {
    // Another test file may have closed the browser's pages.
    if ((await shared)?.page.isClosed()) shared = undefined;
    const { page, problems } = await (shared ??= newPage());
    onTestFinished(() => void problems.splice(0));
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(await serve(options));
    await page.locator(READ).waitFor();
    return { page, problems, ...steps(page) };
  };
}

async function newPage() {
  const browser = await workerBrowser();
  const page = await browser.newPage({ reducedMotion: 'reduce' });
  /** The page's errors and what its policy blocked, in the current test. */
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  return { page, problems };
}

let pageFiles: ReturnType<typeof readPageFiles> | undefined;

/** Serves an inspector until the end of the test; returns its address. */
export async function serve({ capture, step, other, cwd = process.cwd() }: Options): Promise<string> {
  const inspector = await startInspector({
    files: await (pageFiles ??= readPageFiles()),
    app: parleyApp,
    capture: await openCapture(capture),
    ...(step !== undefined && { start: { step } }),
    ...(other && { other }),
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
