import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
import { launchHeadlessShell } from '../browser/harness/chromium.ts';

/** A program of a project that runs until it is stopped. */
export interface Running {
  /** The first line that it printed. */
  readonly line: string;
  /** Ends it by SIGTERM. */
  stop(): Promise<void>;
}

/** Starts a program and waits for its first line. @throws {Error} when it ends before. */
export async function start(cwd: string, argv: readonly string[]): Promise<Running> {
  const [command = '', ...args] = argv;
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const first = once(createInterface(child.stdout), 'line').then(([line]) => String(line));
  const line = await Promise.race([first, ended.then(() => undefined)]);
  if (line === undefined) throw new Error(`${argv.join(' ')} ended`);
  return {
    line,
    async stop() {
      child.kill();
      await ended;
    },
  };
}

/** Opens an address in a browser for as long as it is used. */
export async function withPage<Result>(url: string, use: (page: Page) => Promise<Result>): Promise<Result> {
  const browser = await launchHeadlessShell();
  try {
    const page = await browser.newPage();
    await page.goto(url);
    return await use(page);
  } finally {
    await browser.close();
  }
}
