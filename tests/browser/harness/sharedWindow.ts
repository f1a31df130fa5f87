import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterEach } from 'vitest';
import type { Update } from '#shared/protocol/update.ts';
import { type RendererWindow, setUpRenderer } from './renderer.ts';

/** Has another person than the tests' snapshots, which are therefore not announced, as the first one of a window. */
const NAMELESS: Update = { kind: 'snapshot', frame: { person: '', messages: [] } };

/**
 * Returns functions for the window that the tests of a file share, because a load costs more than most tests. Call it in a test file. After a test
 * that failed, it is a new one.
 */
export function setUpSharedWindow(browser?: () => Promise<Browser>) {
  const load = setUpRenderer(browser);
  let shared: RendererWindow | undefined;
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') shared = undefined;
  });
  return {
    /** Loads a window for one test. */
    open(options?: BrowserContextOptions): Promise<RendererWindow> {
      shared = undefined;
      return load(options);
    },
    /** Returns the window as the test before left it; only its lists of calls and problems are empty. */
    async keptWindow(options?: BrowserContextOptions): Promise<RendererWindow> {
      if (shared !== undefined) forgetCalls(shared);
      return (shared ??= await load(options));
    },
    /** Returns the window signed in, connected and without messages. */
    async sharedWindow(): Promise<RendererWindow> {
      const isNew = shared === undefined;
      const window = (shared ??= await load());
      await window.signedIn(NAMELESS);
      await window.page.getByRole('article').first().waitFor({ state: 'detached' });
      // The calls and problems of a load count.
      if (!isNew) forgetCalls(window);
      return window;
    },
  };
}

function forgetCalls({ calls, problems }: RendererWindow): void {
  calls.length = 0;
  problems.length = 0;
}
