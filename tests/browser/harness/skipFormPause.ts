import type { Page } from 'playwright-core';
import { FORM_DEBOUNCE_MS } from '#shared/limits.ts';

/** Moves the page's monotonic clock on, so that the form sends or checks on the next Enter instead of 2000 ms after its last input. */
export const skipFormPause = (page: Page): Promise<void> =>
  page.evaluate((ms) => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + ms;
  }, FORM_DEBOUNCE_MS);
