import { launchChromium } from '#tests/browser/harness/chromium.ts';
import { startPlatform } from '#tests/builders/startPlatform.ts';
import type { Messenger } from '../../soak/harness/startMessenger.ts';
import {
  type Benchmark,
  type BenchmarkResult,
  type Progress,
  type Row,
  type Target,
  withTemporaryFolder,
} from '../base/benchmark.ts';
import {
  type Setting as StartSetting,
  manyFiles,
  manyMessages,
  start,
  startConnected,
} from './startConnected.ts';
import { scrollToFirst, takeLongestTask, waitForPaint, watchTasks } from './page.ts';

const MESSAGES = 100_000;
const FILES = 225;
const MB = 1024 * 1024;

/** Long conversations from the platform to the screen. The platform runs in this process, the messenger and the browser in their own. */
export const transportBenchmark: Benchmark = {
  title: 'Long conversations: from the platform to the screen, and the memory of main',
  run: (progress) =>
    withTemporaryFolder(async (dataDir) => {
      const platform = await startPlatform();
      const browser = await launchChromium();
      try {
        const page = await browser.newPage();
        await watchTasks(page);
        const live = await measureLiveSnapshot({ platform, page, dataDir, progress });
        const files = await measureFiles({ platform, page, dataDir, progress });
        return resultOf(live, files);
      } finally {
        await browser.close();
        await platform.stop();
      }
    }),
};

interface Setting extends StartSetting {
  readonly progress: Progress;
}

/** Times are in milliseconds from the platform's send. */
interface Live {
  readonly bytes: number;
  readonly newest: number;
  readonly first: number;
  readonly longest: number;
}

/** Sends a snapshot to an open window with an empty conversation. */
async function measureLiveSnapshot({ progress, ...setting }: Setting): Promise<Live> {
  progress('a live snapshot of 100,000 messages');
  const text = manyMessages(MESSAGES);
  const { page } = setting;
  const { parley, socket } = await startConnected(setting);
  try {
    await takeLongestTask(page);
    const sent = Date.now();
    socket.sendText(text);
    const newest = await waitForPaint(page, `m${MESSAGES}`);
    const first = await scrollToFirst(page, 'm1');
    const longest = await takeLongestTask(page);
    return { bytes: Buffer.byteLength(text), newest: newest - sent, first: first - sent, longest };
  } finally {
    await parley.stop();
  }
}

interface Files {
  readonly bytes: number;
  /** From the start of the program to the newest message on the screen. */
  readonly opened: number;
  /** From the platform's send to the newest message on the screen. */
  readonly newest: number;
  readonly longest: number;
  readonly settled: Memory;
  /** From the navigation to the newest message on the screen. */
  readonly reloaded: number;
  readonly afterReload: Memory;
}

/** Starts the messenger with a stored account; the platform's snapshot contains 300 MB of files. */
async function measureFiles({ platform, page, dataDir, progress }: Setting): Promise<Files> {
  progress('a conversation of 300 MB, after a restart');
  const text = manyFiles(FILES);
  const started = Date.now();
  const parley = await start(platform, dataDir);
  try {
    const socket = await platform.sockets.next();
    const sent = Date.now();
    socket.sendText(text);
    await page.goto(parley.url);
    const newest = await waitForPaint(page, `m${FILES}`);
    const settled = await settledMemory(parley);
    const longest = await takeLongestTask(page);
    progress('the page is reloaded');
    const navigated = Date.now();
    await page.goto(new URL(parley.url).origin);
    const again = await waitForPaint(page, `m${FILES}`);
    return {
      bytes: Buffer.byteLength(text),
      opened: newest - started,
      newest: newest - sent,
      longest,
      settled,
      reloaded: again - navigated,
      afterReload: await settledMemory(parley),
    };
  } finally {
    // An orderly end would wait for the debugger, which has read its memory.
    await parley.kill();
  }
}

/** Main's memory in MB. */
interface Memory {
  /** Heap and buffers in use after a garbage collection. */
  readonly held: number;
  /** Resident after it. */
  readonly resident: number;
  /** The peak of resident memory. */
  readonly peak: number;
}

async function settledMemory(parley: Messenger): Promise<Memory> {
  const { held } = await parley.settledMemory();
  return { held, ...parley.memory() };
}

const row = (what: string, value: number, unit: string): Row => ({ what, value, unit });
const atMost = (name: string, measured: number, limit: number): Target => ({
  name,
  measured,
  bound: 'at most',
  limit,
});

function resultOf(live: Live, files: Files): BenchmarkResult {
  const { settled, afterReload } = files;
  return {
    rows: [
      row('live snapshot of 100,000 messages', live.bytes / MB, 'MB'),
      row('its newest message painted, from the send', live.newest, 'ms'),
      row('its first message painted, after a scroll to it', live.first, 'ms'),
      row('longest task of the window', live.longest, 'ms'),
      row('conversation of files', files.bytes / MB, 'MB'),
      row('its newest message painted, from the start of the program', files.opened, 'ms'),
      row('its newest message painted, from the send', files.newest, 'ms'),
      row('longest task of the window', files.longest, 'ms'),
      row('main, resident after GC', settled.resident, 'MB'),
      row('main, heap and external memory in use after GC', settled.held, 'MB'),
      row('main, resident at its peak', settled.peak, 'MB'),
      row('reload of the page, to its newest message', files.reloaded, 'ms'),
      row('main, resident after the reload and GC', afterReload.resident, 'MB'),
      row('main, in use after the reload and GC', afterReload.held, 'MB'),
    ],
    targets: [
      atMost('a live snapshot of 100,000 messages, newest message painted, ms', live.newest, 1500),
      atMost('longest task of the window, ms', Math.max(live.longest, files.longest), 200),
      atMost('a conversation of 300 MB open after a restart, ms', files.opened, 10_000),
      atMost('main’s memory in use after GC, of the conversation', (settled.held * MB) / files.bytes, 1.5),
      atMost(
        'main’s resident memory after GC, of the conversation',
        (settled.resident * MB) / files.bytes,
        1.5,
      ),
      atMost('main’s memory in use after a reload, of that before', afterReload.held / settled.held, 1.05),
    ],
  };
}
