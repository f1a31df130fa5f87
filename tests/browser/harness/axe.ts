import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, ImpactValue } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');

/**
 * What axe-core holds to be wrong, in the light and then in the dark: each rule, and the elements that break it.
 * @param impacts how grave it has to be.
 */
export async function axeFaults(page: Page, impacts: readonly ImpactValue[]): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Through the debugger: the page's policy would forbid a script.
    const { violations } = await page.evaluate<AxeResults>(`${axe}; axe.run()`);
    const grave = violations.filter(({ impact = null }) => impacts.includes(impact));
    const words = grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    faults.push(...words.map((fault) => `in the ${colorScheme}: ${fault}`));
  }
  return faults;
}
