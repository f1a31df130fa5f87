import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { launchChromium } from '#tests/browser/harness/chromium.ts';
import { startPlatform } from '#tests/builders/startPlatform.ts';
import { callAtRate } from '../../soak/harness/frames.ts';
import {
  type Benchmark,
  type BenchmarkResult,
  type Progress,
  withTemporaryFolder,
} from '../base/benchmark.ts';
import { type Setting, manyMessages, shortMessage, startConnected } from './startConnected.ts';
import { takeKeyDelays, waitForPaint, watchKeys } from './page.ts';

const MESSAGES = 100_000;
const UPDATES_PER_SECOND = 10;
const KEYS = 200;

/** Typing in a long conversation that receives updates. The platform runs in this process, the messenger and the browser in their own. */
export const typingBenchmark: Benchmark = {
  title: `Typing with ${MESSAGES.toLocaleString('en-GB')} messages and ${UPDATES_PER_SECOND} updates a second: from a key to its paint`,
  run: (progress) =>
    withTemporaryFolder(async (dataDir) => {
      const platform = await startPlatform();
      const browser = await launchChromium();
      try {
        const page = await browser.newPage();
        await watchKeys(page);
        return toResult(await measureKeys({ platform, page, dataDir }, progress));
      } finally {
        await browser.close();
        await platform.stop();
      }
    }),
};

/** Returns the delays of keys from the press to the paint, in milliseconds: without updates, and with them. */
async function measureKeys(setting: Setting, progress: Progress) {
  const { parley, socket } = await startConnected(setting);
  const { page } = setting;
  try {
    progress('a conversation of 100,000 messages');
    socket.sendText(manyMessages(MESSAGES));
    await waitForPaint(page, `m${MESSAGES}`);
    await page.getByRole('button', { name: 'Write a message' }).click();
    progress('typing without updates');
    await typeKeys(page, KEYS);
    const quiet = await typeKeys(page, KEYS);
    progress('typing with updates');
    let sent = MESSAGES;
    const stop = callAtRate(UPDATES_PER_SECOND, () => socket.send(nextUpdate(++sent)));
    const busy = await typeKeys(page, KEYS);
    stop();
    return { quiet, busy };
  } finally {
    await parley.stop();
  }
}

/** Messages and their texts in turn, as an answer that is streamed. */
const nextUpdate = (number: number): object =>
  number % 4 === 0 ? shortMessage(number) : { text: `the answer grows ${'word '.repeat(number % 40)}` };

/** Returns the delay below which a part of the sorted delays are. */
const at = (delays: readonly number[], part: number) =>
  delays[Math.ceil(delays.length * part) - 1] ?? Number.NaN;

function toResult({ quiet, busy }: { readonly quiet: number[]; readonly busy: number[] }): BenchmarkResult {
  const row = (what: string, delays: readonly number[]) => ({
    what,
    'p50, ms': at(delays, 0.5),
    'p95, ms': at(delays, 0.95),
    'most, ms': at(delays, 1),
  });
  return {
    rows: [row('without updates', quiet), row('with updates', busy)],
    targets: [
      { name: 'from a key to its paint, median, ms', measured: at(busy, 0.5), bound: 'at most', limit: 16 },
    ],
  };
}

/** The delays until the next key vary, so that keys are pressed at any moment of a frame. */
const keyPause = (key: number) => 80 + ((key * 37) % 41);

/** Types keys into the open text box of a page with `watchKeys`; returns the delays to their paint in milliseconds, the shortest first. */
export async function typeKeys(page: Page, keys: number): Promise<number[]> {
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.fill('');
  await takeKeyDelays(page, 0);
  for (let key = 0; key < keys; key++) {
    await page.keyboard.press('a');
    await setTimeout(keyPause(key));
  }
  const delays = await takeKeyDelays(page, keys);
  return delays.toSorted((a, b) => a - b);
}
