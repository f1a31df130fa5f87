import type { Page } from 'playwright-core';

/** Opens the window's menu and chooses an entry. */
export async function chooseFromMenu(page: Page, entry: string): Promise<void> {
  // The form takes the focus when it appears, which closes the menu.
  await page.locator('main:not([data-view="splash"])').waitFor();
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}
