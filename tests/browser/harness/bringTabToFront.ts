import type { Page } from 'playwright-core';

/**
 * Brings another tab of the same browser to the front; the returned function brings the page back. Playwright emulates the
 * focus in every page, so this turns the emulation off for the page.
 */
export async function bringTabToFront(page: Page): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setFocusEmulationEnabled', { enabled: false });
  const other = await page.context().newPage();
  await other.bringToFront();
  await page.waitForFunction(() => !document.hasFocus());
  return async () => {
    await other.close();
    await page.bringToFront();
    await session.send('Emulation.setFocusEmulationEnabled', { enabled: true });
    await session.detach();
    await page.waitForFunction(() => document.hasFocus());
  };
}
