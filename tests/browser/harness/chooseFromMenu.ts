import type { Page } from 'playwright-core';

/** Opens the window's menu and chooses an entry. */
export async function chooseFromMenu(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}
