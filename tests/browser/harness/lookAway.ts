import type { Page } from 'playwright-core';

/**
 * Looks at another tab of the same browser; what it gives looks back. Playwright lets every page believe that it has the
 * focus: that is taken from this one.
 */
export async function lookAway(page: Page): Promise<() => Promise<void>> {
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
