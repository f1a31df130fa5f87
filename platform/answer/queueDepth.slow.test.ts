import { expect, test } from 'vitest';
import { deliverAnswer } from '#tests/builders/deliverAnswer.ts';
import { FRAME_INTERVAL_MS } from './createPace.ts';
import { sampleTokens } from './testing/sampleTokens.ts';

const tokens = sampleTokens(10_000);
/** The error of adding times. */
const ROUNDING_MS = 1e-6;

test.each([20, 50, 200, 1000, 100_000])(
  'keeps the client’s queue at one update through 10,000 tokens, at %i tokens a second and any phase',
  { timeout: 120_000 },
  (tokensPerSecond) => {
    for (const phaseMs of [0, 1, 33, 50, 99]) {
      const { deepest, shortest } = deliverAnswer({ tokens, tokensPerSecond, phaseMs });
      expect(deepest).toBe(1);
      expect(shortest).toBeGreaterThanOrEqual(FRAME_INTERVAL_MS - ROUNDING_MS);
    }
  },
);

test.each([25, 50, 100])(
  'keeps the client’s queue at two updates through 10,000 tokens when frames are up to %i ms late',
  { timeout: 120_000 },
  (jitterMs) => {
    for (const tokensPerSecond of [50, 200, 1000])
      for (const phaseMs of [0, 50])
        expect(deliverAnswer({ tokens, tokensPerSecond, phaseMs, jitterMs }).deepest).toBeLessThanOrEqual(2);
  },
);
