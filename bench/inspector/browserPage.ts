import { readFile } from 'node:fs/promises';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, type Page, chromium } from 'playwright-core';
import { z } from 'zod';
import { CHROMIUM, QUIET } from '#tests/browser/harness/chromium.ts';
import { withTemporaryFolder } from '../base/benchmark.ts';

// Functions that run in the page cannot use anything outside them.
/* oxlint-disable unicorn/consistent-function-scoping */

/** The size of the page, in CSS pixels. */
const VIEWPORT = { width: 1440, height: 900 };
const LOAD_MS = 120_000;
const FRAME_MS = 1000 / 60;

/** Matches the page when it has read the whole capture. */
const WHOLE = '[data-phase="ready"]:not(:has(.reading)) [data-drawn="0"]';

/** Waits until the page has read the whole capture, at its first step. */
const waitForWhole = (page: Page): Promise<void> => page.locator(WHOLE).waitFor({ timeout: LOAD_MS });

/** The times of an opening, in milliseconds. */
interface Opening {
  /** Until the first step is drawn, and the person can move among the steps that have been read. */
  readonly first: number;
  /** Until the whole capture has been read. */
  readonly whole: number;
}

/** Opens the inspector in a new browser context. */
export async function measureOpening(browser: Browser, invitation: string): Promise<Opening> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  const start = performance.now();
  await page.goto(invitation);
  await page.locator('[data-phase="ready"] [data-drawn="0"]').waitFor({ timeout: LOAD_MS });
  const first = performance.now() - start;
  await waitForWhole(page);
  const whole = performance.now() - start;
  await context.close();
  return { first, whole };
}

/** Measures how long the histories of the first value that each step changes take, from a click on it until the whole list is shown, in milliseconds. */
export async function measureHistories(page: Page, steps: readonly number[]): Promise<number[]> {
  const times: number[] = [];
  for (const step of steps) {
    await page.evaluate((to) => void (location.hash = `#step=${to}`), step);
    await page.locator(`[data-drawn="${step}"]`).waitFor();
    times.push(
      await page.evaluate(async () => {
        const start = performance.now();
        document.querySelector<HTMLElement>('.path-button')?.click();
        const isShown = () => document.querySelector('.history [aria-busy="false"]') !== null;
        await new Promise<void>((resolve) => {
          const watcher = new MutationObserver(() => {
            if (!isShown()) return;
            watcher.disconnect();
            resolve();
          });
          watcher.observe(document, { subtree: true, childList: true, attributes: true });
        });
        return performance.now() - start;
      }),
    );
  }
  return times;
}

/** The times of a jump, in milliseconds since the address changed. */
interface Jump {
  /** Until the step is in the page's elements: the work, without the wait for a frame. */
  readonly work: number;
  /** Until the step is painted, in the next frame. */
  readonly painted: number;
}

/** When jumps begin: at all times of a frame in equal shares, as a person's input does, or at its beginning. */
type JumpStart = 'any time' | 'beginning of a frame';

/** Jumps to steps by the address of the page, from an idle page. `scrub` measures jumps in quick succession. */
export const measureJumps = (page: Page, steps: readonly number[], start: JumpStart): Promise<Jump[]> =>
  page.evaluate(
    async ({ targets, frameMs }) => {
      const frame = () => new Promise((resolve) => void requestAnimationFrame(resolve));
      const wait = (ms: number) => new Promise((resolve) => void setTimeout(resolve, ms));
      const position = document.querySelector('[data-drawn]');
      if (position === null) throw new Error('the inspector’s page shows no step');
      const drawing = (step: number) =>
        new Promise<number>((resolve) => {
          const observer = new MutationObserver(() => {
            if (position.getAttribute('data-drawn') !== String(step)) return;
            observer.disconnect();
            resolve(performance.now());
          });
          observer.observe(position, { attributeFilter: ['data-drawn'] });
        });
      const jumps: Jump[] = [];
      for (const [index, step] of targets.entries()) {
        // The rows of the list are drawn in the frames after a jump.
        for (let rest = 0; rest < 4; rest++) await frame();
        // Multiples of the golden ratio are spread evenly over the frame.
        if (frameMs > 0) await wait(((index * 0.618_034) % 1) * frameMs);
        const drawn = drawing(step);
        const begin = performance.now();
        location.hash = `#step=${step}`;
        const work = (await drawn) - begin;
        await frame();
        await wait(0);
        jumps.push({ work, painted: performance.now() - begin });
      }
      return jumps;
    },
    { targets: steps, frameMs: start === 'any time' ? FRAME_MS : 0 },
  );

const SCRUB_MS = 4000;

/** The result of a drag along the whole timeline. */
interface ScrubResult {
  /** The share of dropped frames, 0 to 1. */
  readonly dropped: number;
  /** The number of steps that were shown. */
  readonly shown: number;
}

/** Drags the timeline's handle from the beginning to the end, and counts the frames during this. */
export async function scrub(page: Page): Promise<ScrubResult> {
  const box = await page.getByRole('slider', { name: 'Step' }).boundingBox();
  if (box === null) throw new Error('the inspector’s page has no timeline to drag');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + 1, y);
  await page.mouse.down();
  const counting = countFrames(page);
  const start = performance.now();
  for (let past = 0; past < SCRUB_MS; past = performance.now() - start) {
    await page.mouse.move(box.x + 1 + ((box.width - 2) * past) / SCRUB_MS, y);
  }
  await page.mouse.up();
  const { frames, ms, shown } = await counting;
  return { dropped: Math.max(0, 1 - frames / (ms / FRAME_MS)), shown };
}

const countFrames = (page: Page) =>
  page.evaluate(
    (length) =>
      new Promise<{ frames: number; ms: number; shown: number }>((resolve) => {
        let shown = 0;
        const observer = new MutationObserver(() => void shown++);
        observer.observe(document.body, { subtree: true, attributeFilter: ['data-drawn'] });
        let frames = -1;
        let first = 0;
        const tick = (now: number) => {
          if (frames < 0) first = now;
          frames++;
          if (now - first < length) requestAnimationFrame(tick);
          else resolve({ frames, ms: now - first, shown });
        };
        requestAnimationFrame(tick);
      }),
    SCRUB_MS,
  );

/** A span of time, in milliseconds since 1970. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the duration of the page's longest task in milliseconds, without tasks that began in the span `except`; 0 when
 * none took over 50 ms.
 */
export const findLongestTask = (page: Page, except: Span): Promise<number> =>
  page.evaluate(
    ({ from, to }) =>
      new Promise<number>((resolve) => {
        const isCounted = (start: number) =>
          start < from - performance.timeOrigin || start > to - performance.timeOrigin;
        const observer = new PerformanceObserver((list) => {
          const tasks = list.getEntries().filter(({ startTime }) => isCounted(startTime));
          resolve(Math.max(0, ...tasks.map(({ duration }) => duration)));
        });
        observer.observe({ type: 'longtask', buffered: true });
        setTimeout(() => resolve(0), 200);
      }),
    except,
  );

/** Returns the peak of resident memory of the page's process, its worker included, in MB. */
export async function measurePageMemory(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const pages = processInfo.filter(({ type }) => type === 'renderer');
  const peaks = await Promise.all(
    pages.map(async ({ id }) => {
      const status = await readFile(`/proc/${id}/status`, 'utf8');
      return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / 1024;
    }),
  );
  return Math.max(...peaks);
}

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
const UNDISTURBED_LOAD_MS = 120_000;

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
  const latest = performance.now() + UNDISTURBED_LOAD_MS;
  while (!(await findAddress(host, id)).endsWith(READY)) {
    if (performance.now() > latest) throw new Error('the inspector’s page did not open');
    await pause(100);
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
