import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { ScriptedPlatform } from '#tests/builders/startPlatform.ts';
import type { PlatformSocket } from '#tests/builders/platformSocket.ts';
import type { ContentItem, Message } from '#shared/protocol/update.ts';
import { median } from '../base/benchmark.ts';
import { scrollToFirst, waitForPaint } from '../transport/page.ts';
import { startConnected } from '../transport/startConnected.ts';
import { typeKeys } from '../transport/typingBenchmark.ts';

const APPENDS = 31;
const KEYS = 101;

/** What a window needs for one conversation; times in milliseconds. */
export interface Size {
  readonly messages: number;
  /** From the platform's send to the newest message painted, in an open window. */
  readonly live: number;
  /** From the reload of the window to the newest message painted. */
  readonly load: number;
  /** From a message's arrival in the window to its paint, median. */
  readonly append: number;
  /** From a key to its paint, median. */
  readonly key: number;
}

interface Setting {
  readonly platform: ScriptedPlatform;
  readonly page: Page;
  readonly dataDir: string;
  readonly messages: number;
  /** Called with the whole conversation in the window, at its newest message. */
  readonly whenWhole?: () => Promise<void>;
}

/** Measures one conversation, in a messenger of its own. */
export async function measureSize({ messages, whenWhole, ...setting }: Setting): Promise<Size> {
  const { page } = setting;
  const { parley, socket } = await startConnected(setting);
  try {
    const text = variedSnapshot(messages);
    const sent = Date.now();
    socket.sendText(text);
    const live = (await waitForPaint(page, `m${messages}`)) - sent;
    const navigated = Date.now();
    await page.goto(new URL(parley.url).origin);
    const load = (await waitForPaint(page, `m${messages}`)) - navigated;
    // The older messages follow in parts.
    await scrollToFirst(page, 'm1');
    await page.keyboard.press('End');
    await waitForPaint(page, `m${messages}`);
    const append = median(await appendMessages(page, socket, messages));
    await page.getByRole('button', { name: 'Write a message' }).click();
    const key = median(await typeKeys(page, KEYS));
    await page.keyboard.press('Escape');
    await whenWhole?.();
    return { messages, live, load, append, key };
  } finally {
    await parley.stop();
  }
}

/** Appends messages, one after another; returns the delays from their arrival in the window to their paint. */
async function appendMessages(page: Page, socket: PlatformSocket, from: number): Promise<number[]> {
  const delays: number[] = [];
  for (let number = from + 1; number <= from + APPENDS; number++) {
    const delay = takeAppendDelay(page, `m${number}`);
    socket.send(variedMessage(number));
    delays.push(await delay);
    await setTimeout(50);
  }
  return delays;
}

const LINE = 'the platform sends one frame for each update and the messenger folds them in order';
const LIST =
  '<p>What is left to do:</p><ul><li>read the <b>log</b></li><li>write the <code>test</code></li></ul>';

const item = (index: number): ContentItem =>
  index % 8 === 0
    ? { category: 'html', text: null, html: LIST, blob: null }
    : {
        category: 'text',
        text: `${index}: ${`${LINE}\n`.repeat(1 + ((index * 7) % 10))}`.trimEnd(),
        html: null,
        blob: null,
      };

/** Returns a message of one to ten lines, whose height a list cannot know before it is drawn; each eighth message is markup. */
const variedMessage = (index: number): Message => ({
  id: `m${index}`,
  modifier: index % 2 === 0 ? 'client' : 'ai',
  content: [item(index)],
  context: index % 2 === 0 ? 'Ada' : 'Parley',
  avatar: '',
  seen: true,
});

/** Returns the text of a snapshot of messages, numbered from 1. */
const variedSnapshot = (count: number): string =>
  JSON.stringify({
    person: 'Ada Lovelace',
    messages: Array.from({ length: count }, (_, at) => variedMessage(at + 1)),
  });

// Functions that run in the page cannot use anything outside them.
/* oxlint-disable unicorn/consistent-function-scoping */

declare global {
  interface Window {
    /** When the window last received something from main, in the time of `performance.now`. */
    receivedAt: number;
  }
}

/** Records when each document of the page receives something from main. */
export async function watchArrivals(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const Native = window.WebSocket;
    window.WebSocket = class extends Native {
      constructor(...options: ConstructorParameters<typeof Native>) {
        super(...options);
        this.addEventListener('message', ({ timeStamp }) => {
          window.receivedAt = timeStamp;
        });
      }
    };
  });
}

/** Waits until a message is painted; returns how long it took from its arrival, in milliseconds. */
const takeAppendDelay = (page: Page, id: string): Promise<number> =>
  page.evaluate(async (wanted) => {
    const isThere = () => document.querySelector(`[data-message-id="${wanted}"]`) !== null;
    while (!isThere()) await new Promise((resolve) => void requestAnimationFrame(resolve));
    const { receivedAt } = window;
    return new Promise<number>((resolve) => {
      const painted = new MessageChannel();
      // The message arrives after the frame that this callback precedes.
      painted.port1.addEventListener('message', ({ timeStamp }) => resolve(timeStamp - receivedAt));
      painted.port1.start();
      painted.port2.postMessage(null);
    });
  }, id);
