import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, ImpactValue } from 'axe-core';
import type { Page } from 'playwright-core';
import { nextFrame } from './layout.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules to run in each scheme, by default all: the schemes differ only in their colours. */
const SCHEMES = [
  ['light', {}],
  ['dark', { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }],
] as const;

/** Returns axe-core's violations of these impacts in the light and then in the dark scheme: each rule, and its elements. */
export async function axeViolations(page: Page, impacts: readonly ImpactValue[]): Promise<string[]> {
  const faults: string[] = [];
  // Runs through the debugger, because the page's policy blocks a script.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(`${axe}; undefined`);
  for (const [colorScheme, rules] of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    // What is too wide becomes reachable for the keyboard in the frame after its change.
    await nextFrame(page);
    // Returns only the violations, without selectors: the complete result has a megabyte.
    const options = JSON.stringify({ ...rules, resultTypes: ['violations'], selectors: false });
    const violations = await page.evaluate<AxeResults['violations']>(
      `axe.run(${options}).then(({ violations }) => violations)`,
    );
    const grave = violations.filter(({ impact = null }) => impacts.includes(impact));
    const words = grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    faults.push(...words.map((fault) => `in the ${colorScheme}: ${fault}`));
  }
  return faults;
}
