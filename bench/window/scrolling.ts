import type { CDPSession, Page } from 'playwright-core';
import { callAtRate } from '../../soak/harness/callAtRate.ts';

/** The size of the page, in CSS pixels. */
export const VIEWPORT = { width: 1440, height: 900 };
const GESTURE_MS = 4000;
const WHEEL_RATE = 60;
/** The repeat rate of a key that is held, as most systems have it. */
const KEY_RATE = 30;

/** A way in which a person scrolls. */
export interface Gesture {
  readonly name: string;
  /** Scrolls for {@link GESTURE_MS}. */
  run(page: Page): Promise<void>;
}

const wait = (page: Page, ms: number) => page.waitForTimeout(ms);

/** Sends an input event at a rate, without waiting for its effect: a device does not wait either. */
async function repeat(page: Page, perSecond: number, send: (session: CDPSession) => Promise<unknown>) {
  const session = await page.context().newCDPSession(page);
  const pending: Promise<unknown>[] = [];
  const stop = callAtRate(perSecond, () => void pending.push(send(session)));
  await wait(page, GESTURE_MS);
  stop();
  await Promise.all(pending);
  await session.detach();
}

/** Returns the wheel (or a touchpad) at a speed in pixels a second; positive is down. */
export const wheel = (name: string, speed: number): Gesture => ({
  name,
  run: (page) =>
    repeat(page, WHEEL_RATE, (session) =>
      session.send('Input.dispatchMouseEvent', {
        type: 'mouseWheel',
        x: VIEWPORT.width / 2,
        y: VIEWPORT.height / 2,
        deltaX: 0,
        deltaY: speed / WHEEL_RATE,
      }),
    ),
});

/** Returns a paging key that is held. */
export const heldKey = (key: 'PageUp' | 'PageDown'): Gesture => ({
  name: `${key} held`,
  async run(page) {
    await page.getByRole('log').focus();
    const keyEvent = {
      key,
      code: key,
      windowsVirtualKeyCode: key === 'PageUp' ? 33 : 34,
    };
    await repeat(page, KEY_RATE, (session) =>
      session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', autoRepeat: true, ...keyEvent }),
    );
    await page.keyboard.up(key);
  },
});

/** Drags the scroll bar from the newest message to the middle of the conversation, and back. */
export const scrollBarDrag: Gesture = {
  name: 'the scroll bar dragged up and down',
  async run(page) {
    const log = page.getByRole('log');
    await log.press('End');
    const box = await log.boundingBox();
    if (box === null) throw new Error('the window shows no conversation');
    const x = box.x + box.width - 6;
    // Below the thumb is a button of the scroll bar.
    const bottom = box.y + box.height - 24;
    await page.mouse.move(x, bottom);
    await page.mouse.down();
    const start = performance.now();
    for (let past = 0; past < GESTURE_MS; past = performance.now() - start) {
      const way = 1 - Math.abs(1 - (2 * past) / GESTURE_MS);
      await page.mouse.move(x, bottom - (box.height / 2) * way);
      await wait(page, 8);
    }
    await page.mouse.up();
  },
};
