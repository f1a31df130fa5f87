import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, ImpactValue } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules that depend on the color scheme; the others find the same in both. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Returns the violations only: the whole result is a megabyte. */
const run = (page: Page, options: object) =>
  page.evaluate<AxeResults['violations']>(
    `axe.run(${JSON.stringify({ ...options, resultTypes: ['violations'] })}).then(({ violations }) => violations)`,
  );

/**
 * Checks a page with axe-core: every rule in light colors, the rules about colors in dark ones too. Returns each broken rule with the
 * elements that break it.
 * @param impacts the impacts that count.
 */
export async function axeFaults(page: Page, impacts: readonly ImpactValue[]): Promise<string[]> {
  // Through the debugger: the page's policy forbids a script element.
  await page.evaluate(`${axe}; undefined`);
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await run(page, {});
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await run(page, { runOnly: COLOR_RULES });
  const faults = (scheme: string, violations: AxeResults['violations']) =>
    violations
      .filter(({ impact = null }) => impacts.includes(impact))
      .map(({ id, nodes }) => `${scheme}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  return [...faults('light', light), ...faults('dark', dark)];
}
