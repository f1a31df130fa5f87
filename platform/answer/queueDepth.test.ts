import { expect, test } from 'vitest';
import { deliverAnswer } from '#tests/builders/deliverAnswer.ts';
import { interruptAnswer } from '#tests/builders/interruptAnswer.ts';
import { FRAME_INTERVAL_MS } from './createPace.ts';
import { sampleTokens } from './testing/sampleTokens.ts';

test.each([
  [100, 40],
  [5000, 99],
  [20, 33],
])(
  'spec §4.4 item 4, contract §9 pace: keeps the client’s queue at one update, at %i tokens a second, %i ms after a tick',
  (tokensPerSecond, phaseMs) => {
    const { deepest, shortest } = deliverAnswer({ tokens: sampleTokens(500), tokensPerSecond, phaseMs });
    expect(deepest).toBe(1);
    // Times are added.
    expect(shortest).toBeGreaterThanOrEqual(FRAME_INTERVAL_MS - 1e-6);
  },
);

test.each([
  [0, 300],
  [99, 320],
])(
  'contract §9 stop: a question in the middle of an answer is shown within half a second, %i ms after a tick, after %i tokens',
  async (phaseMs, count) => {
    const tokens = sampleTokens(count);
    const shown = await interruptAnswer({ tokens, tokensPerSecond: 200, phaseMs });
    expect(shown.stopped).toMatchObject({ context: 'stub · stopped', content: [{ text: tokens.join('') }] });
    expect(shown.before).toBeLessThanOrEqual(3);
    // The rest of the answer and its label, before or after the update that waited already; then the question.
    expect(shown.deepest).toBeLessThanOrEqual(3);
    expect(shown.questionMs).toBeLessThanOrEqual(400);
    expect(shown.answerMs - shown.questionMs).toBeLessThanOrEqual(100);
  },
);

test.each([25, 100])(
  'keeps the client’s queue at two updates when frames are up to %i ms late',
  (jitterMs) => {
    const tokens = sampleTokens(500);
    expect(
      deliverAnswer({ tokens, tokensPerSecond: 200, phaseMs: 50, jitterMs }).deepest,
    ).toBeLessThanOrEqual(2);
  },
);
