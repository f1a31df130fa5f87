import { expect, test } from 'vitest';
import { deliverAnswer } from '#tests/builders/deliverAnswer.ts';
import { sampleTokens } from './testing/sampleTokens.ts';

test.each([
  [100, 0],
  [100, 40],
  [5000, 99],
])(
  'spec §4.4 item 4: keeps the client’s queue at one update, at %i tokens a second, %i ms after a tick',
  (tokensPerSecond, phaseMs) => {
    expect(deliverAnswer({ tokens: sampleTokens(1000), tokensPerSecond, phaseMs }).deepest).toBe(1);
  },
);
