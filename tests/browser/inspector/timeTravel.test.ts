import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { POLLING } from '#tests/builders/polling.ts';
import { captureNamed, setUpInspector } from './harness/inspector.ts';

const open = setUpInspector();

const notice = (page: Page) => page.getByRole('contentinfo').getByRole('status');

async function lookFor(page: Page, kind: string, text: string): Promise<void> {
  await page.getByLabel('What to look for').selectOption(kind);
  await page.getByLabel('Look for', { exact: true }).fill(text);
}

/** Adds the entered search as a breakpoint, which is checked in the worker. */
async function addBreakpoint(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: 'Break', exact: true }).click();
  await page.locator('.breakpoints summary').getByText(label, { exact: true }).waitFor();
}

/** Stops the page’s clock until the test advances it. */
const holdClock = async (page: Page) => {
  await page.clock.install({ time: 0 });
  // A time that the clock, which runs until then, has not reached on a slow machine.
  await page.clock.pauseAt(3_600_000);
};

/** Returns the number of the selected step, which may not be drawn yet. */
const selected = async (page: Page) =>
  Number(await page.getByRole('slider', { name: 'Step' }).getAttribute('aria-valuenow'));

describe('stepping through a session', () => {
  it('starts before the first step, and moves by buttons and by keys', async () => {
    const { page, at, problems } = await open({ capture: captureNamed('recorded-reconnect') });
    await at(0);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    expect(await button('Previous step').isDisabled()).toBe(true);
    await button('Next step').click();
    await at(1);
    await button('Last step').click();
    await at(22);
    expect(await button('Next step').isDisabled()).toBe(true);
    await button('Previous step').click();
    await at(21);
    await button('Before the first step').click();
    await at(0);
    const ways = [
      ['ArrowRight', 1],
      ['Shift+ArrowRight', 11],
      ['ArrowLeft', 10],
      ['Shift+ArrowLeft', 0],
      ['End', 22],
      ['Home', 0],
      ['e', 11],
    ] as const;
    for (const [key, step] of ways) {
      await page.keyboard.press(key);
      await at(step);
    }
    expect(problems).toEqual([]);
  });
});

describe('playing', () => {
  it('plays 100 times as fast and stops at the end', async () => {
    const { page, at, step } = await open({
      capture: captureNamed('recorded-reconnect'),
      prepare: holdClock,
    });
    await page.getByRole('button', { name: '100×' }).click();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await expect
      .poll(async () => {
        await page.clock.runFor(20);
        return step();
      }, POLLING)
      .toBe(22);
    await at(22);
    await expect
      .poll(async () => {
        await page.clock.runFor(20);
        return page.getByRole('button', { name: 'Play', exact: true }).count();
      }, POLLING)
      .toBe(1);
  });

  it('pauses at the current step with the space bar', async () => {
    const { page, at } = await open({
      capture: captureNamed('recorded-reconnect'),
      prepare: holdClock,
    });
    await page.keyboard.press('2');
    await page.keyboard.press(' ');
    await expect
      .poll(async () => {
        await page.clock.runFor(20);
        return selected(page);
      }, POLLING)
      .toBeGreaterThan(4);
    await page.keyboard.press(' ');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    const stopped = await selected(page);
    await at(stopped);
    await page.clock.runFor(1000);
    expect(await selected(page)).toBe(stopped);
    await at(stopped);
  });

  it('stops at a breakpoint where a field changes, and says so', async () => {
    const { page, at, step } = await open({
      capture: captureNamed('recorded-reconnect'),
      prepare: holdClock,
    });
    await lookFor(page, 'Field changes', 'messages.length');
    await addBreakpoint(page, '1 break');
    await page.getByRole('button', { name: '100×' }).click();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await expect
      .poll(async () => {
        await page.clock.runFor(20);
        return step();
      }, POLLING)
      .toBe(3);
    await at(3);
    await expect
      .poll(() => notice(page).textContent(), POLLING)
      .toBe('Stopped at step 3: messages.length changed.');
  });

  it('stops at each of several breakpoints in both directions, until they are turned off or deleted', async () => {
    const { page, at, go, problems } = await open({ capture: captureNamed('recorded-reconnect') });
    await page.keyboard.press('3');
    for (const [condition, label] of [
      ["connection == 'disconnected'", '1 break'],
      ['messages.some(m => m.content.some(c => c.text.contains("after")))', '2 breaks'],
    ] as const) {
      await lookFor(page, 'State is', condition);
      await addBreakpoint(page, label);
    }
    await go(22);
    await page.getByRole('button', { name: 'Play backward' }).click();
    await at(19);
    await page.keyboard.press('Shift+ArrowLeft');
    await at(11);
    await page.keyboard.press('Shift+ArrowRight');
    await at(19);
    const list = page.getByRole('list', { name: 'Breakpoints' });
    await page.getByText('2 breaks').click();
    await list.getByRole('checkbox').first().uncheck();
    await page.locator('.breakpoints summary').focus();
    await page.keyboard.press('Shift+ArrowLeft');
    await at(9);
    await page.getByText('2 breaks, 1 on').waitFor();
    for (const left of [1, 0]) {
      await list.getByRole('button').first().click();
      await expect.poll(() => list.getByRole('button').count(), POLLING).toBe(left);
    }
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('go-to');
    expect(await list.count()).toBe(0);
    expect(problems).toEqual([]);
  });
});

describe('searching for a step', () => {
  it('finds the next and the previous step by a condition on the state', async () => {
    const { page, at, go, problems } = await open({ capture: captureNamed('recorded-reconnect') });
    await lookFor(page, 'State is', 'messages.length == 3');
    await page.getByRole('button', { name: 'Find after' }).click();
    await at(10);
    await go(22);
    await page.getByRole('button', { name: 'Find before' }).click();
    await at(10);
    expect(problems).toEqual([]);
  });

  it('finds steps by the text of their frame, and says when there are no more', async () => {
    const { page, at } = await open({ capture: captureNamed('recorded-reconnect') });
    await lookFor(page, 'Frame has', 'after the cut');
    await page.keyboard.press('Enter');
    await at(16);
    for (const step of [18, 20]) {
      await page.keyboard.press('Enter');
      await at(step);
    }
    await page.keyboard.press('Enter');
    await expect
      .poll(() => notice(page).textContent(), POLLING)
      .toBe('No step after this one meets after the cut.');
  });

  it('finds an update, a time or a message from any step', async () => {
    const { page, at, problems } = await open({ capture: captureNamed('streamed-text') });
    const ways = [
      ['Update', '5', 20],
      ['Time', '1.100', 12],
      ['Message', 'm-1', 8],
    ] as const;
    for (const [kind, text, step] of ways) {
      await lookFor(page, kind, text);
      await page.getByRole('button', { name: 'Go', exact: true }).click();
      await at(step);
    }
    expect(problems).toEqual([]);
  });

  it('shows under the field why an expression cannot be used, until it is edited, and runs nothing', async () => {
    const { page, at, problems } = await open({ capture: captureNamed('streamed-text') });
    await lookFor(page, 'State is', 'fetch("x")');
    const field = page.getByLabel('Look for', { exact: true });
    for (const way of ['Enter', 'Break']) {
      if (way === 'Enter') await page.keyboard.press(way);
      else await page.getByRole('button', { name: way }).click();
      await expect
        .poll(() => field.getAttribute('aria-invalid').then((value) => value === 'true'), POLLING)
        .toBe(true);
      const error = page.getByText('An expression can call only contains, matches and some.');
      const [above, below] = await Promise.all([field.boundingBox(), error.boundingBox()]);
      expect(below?.y).toBeGreaterThan((above?.y ?? Infinity) + (above?.height ?? 0));
      await field.fill(`fetch("${way}")`);
      await error.waitFor({ state: 'detached' });
    }
    expect(await page.locator('.breakpoints').count()).toBe(0);
    await at(0);
    expect(problems).toEqual([]);
  });
});
