import type { Browser, Page } from 'playwright-core';
import type { Progress } from '../base/benchmark.ts';
import { findMissingStrips, markRows, missingShare, recordFrames } from './paintedFrames.ts';
import { type Gesture, heldKey, scrollBarDrag, wheel } from './scrolling.ts';

/** A gesture, and whether the target applies to it. */
interface Measured {
  readonly gesture: Gesture;
  readonly hasTarget: boolean;
}

/** A person turns a wheel by 1,000 to 4,000 pixels a second; a touchpad is faster. */
const GESTURES: readonly Measured[] = [
  { gesture: wheel('wheel, up, 1,200 px/s', -1200), hasTarget: true },
  { gesture: wheel('wheel, up, 4,000 px/s', -4000), hasTarget: true },
  { gesture: wheel('touchpad, up, 12,000 px/s', -12_000), hasTarget: true },
  { gesture: wheel('touchpad, down, 12,000 px/s', 12_000), hasTarget: true },
  { gesture: heldKey('PageUp'), hasTarget: true },
  { gesture: heldKey('PageDown'), hasTarget: true },
  { gesture: scrollBarDrag, hasTarget: false },
];

/** The painted frames of a gesture. */
export interface Scrolling {
  readonly name: string;
  readonly hasTarget: boolean;
  readonly frames: number;
  /** The share of the frames with a missing strip, 0 to 1. */
  readonly missing: number;
  /** The height of the largest missing strip, in CSS pixels. */
  readonly largest: number;
}

/** Scrolls the conversation in each way, from its newest message. */
export async function measureScrolling(
  browser: Browser,
  page: Page,
  progress: Progress,
): Promise<readonly Scrolling[]> {
  const column = await markRows(page);
  const results: Scrolling[] = [];
  for (const { gesture, hasTarget } of GESTURES) {
    progress(`scrolling: ${gesture.name}`);
    const frames = await recordFrames(page, () => gesture.run(page));
    const strips = await findMissingStrips(browser, frames, column);
    const [missing, largest] = [missingShare(strips), Math.max(...strips)];
    results.push({ name: gesture.name, hasTarget, frames: frames.length, missing, largest });
  }
  return results;
}
