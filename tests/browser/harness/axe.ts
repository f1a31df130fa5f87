import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, ImpactValue } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Of all that it finds, a megabyte, only what is wrong leaves the page. */
const RUN = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)`;

/**
 * What axe-core holds to be wrong, in the light and then in the dark: each rule, and the elements that break it.
 * @param impacts how grave it has to be.
 */
export async function axeFaults(page: Page, impacts: readonly ImpactValue[]): Promise<string[]> {
  const faults: string[] = [];
  // Through the debugger: the page's policy would forbid a script.
  await page.evaluate(`${axe}; undefined`);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const violations = await page.evaluate<AxeResults['violations']>(RUN);
    const grave = violations.filter(({ impact = null }) => impacts.includes(impact));
    const words = grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    faults.push(...words.map((fault) => `in the ${colorScheme}: ${fault}`));
  }
  return faults;
}
