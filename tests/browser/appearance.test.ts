import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { AVATAR, EVENING } from '#platform/pictures.ts';
import { FILE_SAMPLE, HTML_SAMPLE } from '#platform/samples.ts';
import { type RendererWindow, setUpRenderer } from './harness/renderer.ts';
import { message, messages, snapshot, text } from './harness/updates.ts';

const open = setUpRenderer();
const AXE = createRequire(import.meta.url).resolve('axe-core');

/** What axe-core holds to be serious or critical, each as its rule and the elements. */
async function faults(page: Page): Promise<string[]> {
  // As the test's own, not as the page's script, which the policy would forbid.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await readAxe());
  const { violations } = await page.evaluate(() => window.axe.run());
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

const VIEWS: Readonly<Record<string, (window: RendererWindow) => Promise<void>>> = {};
