import type { Browser, Page } from 'playwright-core';
import type { Progress } from '../base/benchmark.ts';
import { findMissingStrips, markRows, missingShare, recordFrames } from './paintedFrames.ts';
import { type Gesture, heldKey, scrollBarDrag, wheel } from './scrolling.ts';

/** A person turns a wheel by 1,000 to 4,000 pixels a second; a touchpad is faster. */
const GESTURES: readonly Gesture[] = [
  wheel('wheel, up, 1,200 px/s', -1200),
  wheel('wheel, up, 4,000 px/s', -4000),
  wheel('touchpad, up, 12,000 px/s', -12_000),
  wheel('touchpad, down, 12,000 px/s', 12_000),
  heldKey('PageUp'),
  heldKey('PageDown'),
  scrollBarDrag,
];

/** The painted frames of a gesture. */
export interface Scrolling {
  readonly conversation: string;
  readonly name: string;
  readonly frames: number;
  /** The share of the frames with a missing strip, 0 to 1. */
  readonly missing: number;
  /** The height of the largest missing strip, in CSS pixels. */
  readonly largest: number;
}

interface Setting {
  readonly browser: Browser;
  readonly page: Page;
  /** What is scrolled, for the table. */
  readonly conversation: string;
  readonly progress: Progress;
}

/** Scrolls the conversation in each way, from its newest message. */
export async function measureScrolling({
  browser,
  page,
  conversation,
  progress,
}: Setting): Promise<readonly Scrolling[]> {
  const column = await markRows(page);
  const results: Scrolling[] = [];
  for (const { name, run } of GESTURES) {
    progress(`${conversation}: ${name}`);
    const frames = await recordFrames(page, () => run(page));
    const strips = await findMissingStrips(browser, frames, column);
    const [missing, largest] = [missingShare(strips), Math.max(...strips)];
    results.push({ conversation, name, frames: frames.length, missing, largest });
  }
  return results;
}
