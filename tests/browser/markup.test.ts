import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ContentItem } from '#shared/protocol/update.ts';
import { setUpRenderer } from './harness/renderer.ts';
import { appended, message, snapshot, text } from './harness/updates.ts';

/** What a message can contain, and what of the window it can take down: nothing but itself. */
const open = setUpRenderer();

const html = (markup: string): ContentItem => ({ category: 'html', html: markup });

/** A window whose page lets `String.prototype.split` and base64 of the text "poison" fail, as an unknown error of ours would. */
async function openWithPoison() {
  const window = await open();
  await window.page.evaluate(() => {
    /* oxlint-disable no-extend-native */
    const { split } = String.prototype;
    Object.defineProperty(String.prototype, 'split', {
      value(this: string, ...args: Parameters<typeof split>) {
        if (this.startsWith('poison')) throw new Error('secret words');
        return split.apply(this, args);
      },
    });
    const { test } = RegExp.prototype;
    RegExp.prototype.test = function testUnlessPoison(this: RegExp, words: string) {
      if (words.startsWith('poison')) throw new Error('secret words');
      return test.call(this, words);
    };
  });
  return window;
}

const source = (page: Page) => page.getByRole('button', { name: 'Show source' });

describe('an error while something is rendered', () => {
  it('of an item: the item says so and offers its source, everything else stays', async () => {
    const { page, signedIn, apply, troubles } = await openWithPoison();
    const broken = { category: 'audio', text: 'a sound', blob: 'poison' };
    await signedIn(
      snapshot(message('1', [text('before'), broken, text('after')]), message('2', [text('next')])),
    );
    const items = page.locator('[data-category]');
    await expect
      .poll(() => items.allTextContents())
      .toEqual(['before', 'This item cannot be shown.Show source', 'after', 'next']);
    await source(page).focus();
    await page.keyboard.press('Enter');
    const hide = page.getByRole('button', { name: 'Hide source' });
    expect(await hide.getAttribute('aria-expanded')).toBe('true');
    await page.getByText('"blob": "poison"').waitFor();
    await hide.press('Enter');
    expect(await page.getByText('"blob": "poison"').count()).toBe(0);
    expect(troubles).toEqual([expect.stringMatching(/^A part of the page cannot be shown: Error\n/u)]);
    expect(troubles.join('')).not.toContain('secret words');
    await apply(appended(message('3', [text('later')])));
    await page.getByText('later', { exact: true }).first().waitFor();
  });

  it('of an item that changes afterwards: the new one is shown', async () => {
    const { page, signedIn, apply } = await openWithPoison();
    await signedIn(snapshot(message('1', [{ category: 'audio', text: 'a sound', blob: 'poison' }])));
    await source(page).waitFor();
    await apply(snapshot(message('1', [{ category: 'audio', text: 'another sound', blob: '' }])));
    await page.getByRole('article').getByText('another sound', { exact: true }).waitFor();
    expect(await source(page).count()).toBe(0);
  });

  it('of a message: the message says so and offers its source, the others stay', async () => {
    const { page, signedIn } = await openWithPoison();
    await signedIn(
      snapshot(message('1', [text('hidden')], { avatar: 'poison' }), message('2', [text('next')])),
    );
    const articles = page.getByRole('article');
    await expect
      .poll(() => articles.allTextContents())
      .toEqual(['This message cannot be shown.Show source', 'nextParley']);
    await source(page).click();
    await page.getByText('"text": "hidden"').waitFor();
  });

  it('of the window itself: it says so and offers to reload', async () => {
    const { page, signedIn, apply, troubles } = await openWithPoison();
    await signedIn(snapshot(message('1', [text('one')])));
    await apply({ kind: 'name', frame: { name: 'poison' } });
    expect(await page.getByRole('alert').textContent()).toBe(
      'This window cannot be shown. Reload it; your conversation is kept.Reload',
    );
    expect(troubles.join('')).not.toContain('secret words');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.locator('main').waitFor();
  });
});

describe('markup without a body', () => {
  it.each(['<frameset>', '<frameset><frame src="x"></frameset><p>kept</p>', '<html><frameset><noframes>x'])(
    'shows %j and keeps the window',
    async (markup) => {
      const { page, signedIn, troubles } = await open();
      await signedIn(snapshot(message('1', [text('before'), html(markup), text('after')])));
      await page.getByText('after', { exact: true }).waitFor();
      expect(await page.locator('[data-category="html"]').textContent()).toBe(
        markup.includes('kept') ? 'kept' : '...',
      );
      expect(troubles).toEqual([]);
    },
  );
});
