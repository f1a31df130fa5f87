import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { ScriptedPlatform } from '#tests/builders/startPlatform.ts';
import type { PlatformSocket } from '#tests/builders/platformSocket.ts';
import { median } from '../base/measure.ts';
import { scrollToFirst, waitForPaint } from '../transport/page.ts';
import { startConnected } from '../transport/startConnected.ts';
import { typeKeys } from '../transport/typeKeys.ts';
import { takeAppendDelay } from './appends.ts';
import { variedMessage, variedSnapshot } from './variedMessages.ts';

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
