import { launchChromium } from '#tests/browser/harness/chromium.ts';
import { startPlatform } from '#tests/builders/startPlatform.ts';
import {
  type Benchmark,
  type BenchmarkResult,
  type Progress,
  type Row,
  type Target,
  withTemporaryFolder,
} from '../base/benchmark.ts';
import { watchKeys } from '../transport/page.ts';
import { type Size, measureSize, watchArrivals } from './measureSize.ts';
import { type Scrolling, VIEWPORT, measureScrolling } from './scrolling.ts';

const SIZES = [100, 10_000, 100_000];
const LARGEST = 100_000;
/** The sizes whose conversation is scrolled. */
const SCROLLED = new Set([10_000, 100_000]);

const format = (messages: number) => messages.toLocaleString('en-GB');

/** Without subpixel text, as on most screens of high resolution, Chromium scrolls the conversation in a thread of its own. */
const WITHOUT_SUBPIXEL_TEXT = '--disable-lcd-text';

/** The window at several lengths of its conversation, and scrolling in the long ones. */
export const windowBenchmark: Benchmark = {
  title: 'The window with 100, 10,000 and 100,000 messages, in Chromium',
  async run(progress) {
    const sizes: Size[] = [];
    const scrollings: Scrolling[] = [];
    for (const messages of SIZES) {
      progress(`${format(messages)} messages`);
      const result = await measureInBrowser({ messages, scrollsInThread: false, progress });
      sizes.push(result.size);
      scrollings.push(...result.scrollings);
    }
    const threaded = await measureInBrowser({ messages: LARGEST, scrollsInThread: true, progress });
    return toResult(sizes, [...scrollings, ...threaded.scrollings]);
  },
};

interface Setting {
  readonly messages: number;
  readonly scrollsInThread: boolean;
  readonly progress: Progress;
}

/** Measures one conversation in a browser of its own, which has scroll bars; scrolls it when it is long. */
const measureInBrowser = ({ messages, scrollsInThread, progress }: Setting) =>
  withTemporaryFolder(async (dataDir) => {
    const platform = await startPlatform();
    const args = scrollsInThread ? [WITHOUT_SUBPIXEL_TEXT] : [];
    const browser = await launchChromium({ args, ignoreDefaultArgs: ['--hide-scrollbars'] });
    try {
      const page = await browser.newPage({ viewport: VIEWPORT });
      await watchKeys(page);
      await watchArrivals(page);
      let scrollings: readonly Scrolling[] = [];
      const whenWhole = async () => {
        if (!SCROLLED.has(messages)) return;
        const conversation = `${format(messages)} messages${scrollsInThread ? ' in a thread' : ''}`;
        scrollings = await measureScrolling({ browser, page, conversation, progress });
      };
      const size = await measureSize({ platform, page, dataDir, messages, whenWhole });
      return { size, scrollings };
    } finally {
      await browser.close();
      await platform.stop();
    }
  });

const atMost = (name: string, measured: number, limit: number): Target => ({
  name,
  measured,
  bound: 'at most',
  limit,
});

function toResult(sizes: readonly Size[], scrollings: readonly Scrolling[]): BenchmarkResult {
  return {
    rows: [...sizes.flatMap(sizeRows), ...scrollings.map(scrollingRow)],
    targets: [
      ...sizes.flatMap(sizeTargets),
      ...scrollings.map(({ conversation, name, missing }) =>
        atMost(`${conversation}: frames with a missing strip, ${name}, %`, 100 * missing, 2),
      ),
    ],
  };
}

const row = (what: string, value: number, unit: string): Row => ({ what, value, unit });

const sizeRows = ({ messages, live, load, append, key }: Size): Row[] => [
  row(`${format(messages)} messages: live snapshot, until the newest is painted`, live, 'ms'),
  row(`${format(messages)} messages: load of the window, until the newest is painted`, load, 'ms'),
  row(`${format(messages)} messages: a message, from its arrival to its paint, median`, append, 'ms'),
  row(`${format(messages)} messages: a key to its paint, median`, key, 'ms'),
];

const sizeTargets = ({ messages, live, load, append, key }: Size): Target[] => [
  atMost(`${format(messages)} messages: live snapshot, ms`, live, 1500),
  atMost(`${format(messages)} messages: load, ms`, load, 1500),
  atMost(`${format(messages)} messages: a message to its paint, median, ms`, append, 33),
  atMost(`${format(messages)} messages: a key to its paint, median, ms`, key, 16),
];

const scrollingRow = ({ conversation, name, frames, missing, largest }: Scrolling): Row =>
  row(
    `${conversation}: ${name}: frames with a missing strip`,
    100 * missing,
    `% of ${frames}, the largest ${Math.round(largest)} px`,
  );
