import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { eveningPicture } from '#platform/assistant/pictures.ts';
import type { Message } from '#shared/protocol/update.ts';
import { connectionRequested, preferencesChanged } from '#shared/actions/userActions.ts';
import { clip } from '#shared/formatText.ts';
import { article, box, button, dispatchKey, isFocused, typeKeys } from './harness/elements.ts';
import { copy, copyLater, drop, selectBetween } from './harness/transfers.ts';
import { appended, html, markdown, message, messages, snapshot, text, uneven } from './harness/message.ts';
import { readWindowState } from './harness/pageAccess.ts';
import { setUpWindows } from './harness/renderer.ts';
import { resize, aboveBottom, atBottom, positionOf, scrolledUp, settled } from './harness/layout.ts';

const { open, sharedWindow } = setUpWindows();

const log = (page: Page) => page.getByRole('log');
const top = (page: Page) => log(page).evaluate((element) => Math.round(element.scrollTop));

/** Shows a conversation; resolves when its newest message is drawn at the bottom. */
async function showing(list: readonly Message[]) {
  const window = await sharedWindow();
  await window.apply(snapshot(...list));
  await window.page.locator(`[data-row="${list.length - 1}"]`).waitFor({ state: 'attached' });
  await settled(window.page);
  await atBottom(window.page);
  return window;
}

/** In the page: resolves when React has drawn what it was told and run its effects, which it does in two tasks of its own. */
async function reactIsIdle(): Promise<void> {
  for (let task = 0; task < 3; task++) {
    const { port1, port2 } = new MessageChannel();
    await new Promise((resolve) => {
      port1.addEventListener('message', resolve, { once: true });
      port1.start();
      port2.postMessage(null);
    });
  }
}

/** Returns what the focus is on: the row of a message, or a role. Only the message with the focus has a description, its own. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    const described = Array.from(document.querySelectorAll('article[aria-describedby]'));
    const words = document.getElementById(activeElement?.getAttribute('aria-describedby') ?? '');
    if (described.some((one) => one !== activeElement || !one.contains(words))) return 'described wrongly';
    const row = activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'];
    return row ?? activeElement?.getAttribute('role') ?? '';
  });

describe('the list of messages', () => {
  it('contract §3 long conversations, spec §4.4 item 4: has all of 200 messages in the document and only some of 2,000, in order, scrolls to the bottom after every update, also one that changes nothing, and goes to both ends and by pages with the keys', async () => {
    const { page, apply } = await showing(messages(200));
    const drawn = () =>
      page.getByRole('article').evaluateAll((all) => all.map((one) => one.dataset['messageId']));
    const attachment = () => log(page).evaluate((one) => getComputedStyle(one).backgroundAttachment);
    expect([(await drawn()).length, await attachment()]).toEqual([200, 'scroll']);
    await apply(snapshot(...uneven(2000)));
    await article(page, 'm2000').waitFor();
    expect((await drawn()).length).toBeLessThan(100);
    // Of two backgrounds one scrolls: the browser has to wait until the window has painted both.
    expect(await attachment()).toBe('local, scroll');
    await button(page, 'Minimize').focus();
    await page.keyboard.press('Home');
    await settled(page);
    expect([await positionOf(page), await top(page)]).toEqual([['0', expect.any(Number)], 0]);
    expect((await drawn()).slice(0, 5)).toEqual(['m1', 'm2', 'm3', 'm4', 'm5']);
    for (const update of [
      appended(message('new', [text('a new one')])),
      { kind: 'context', frame: { context: 'Parley' } },
    ] as const) {
      await log(page).evaluate((element) => element.scrollTo(0, 0));
      await article(page, 'm1').waitFor();
      await apply(update);
      await article(page, 'new').waitFor();
      await atBottom(page);
    }
    for (const words of ['', 'a draft']) {
      await typeKeys(page, `${words}{PageUp}`);
      await scrolledUp(page, 300);
      await page.keyboard.press('PageDown');
      await atBottom(page);
    }
    await typeKeys(page, '{Home}not ');
    expect(await box(page).inputValue()).toBe('not a draft');
  });

  it('keeps the place of 200 messages while older ones arrive in parts, for which a copy of all waits, and until then the find bar does not go over the end', async () => {
    // The first part has only the newest three messages, because they are 100 KB each.
    const many = Array.from({ length: 200 }, (_, at) =>
      message(`m${at}`, [
        { ...text(`number ${at} `.repeat(10)), html: null },
        ...(at < 197 ? [] : [{ ...text('needle'), html: 'x'.repeat(100_000) }]),
      ]),
    );
    const { page, account, holdParts } = await showing(many);
    const release = holdParts();
    await page.reload();
    await account('account-1');
    await article(page, 'm199').waitFor();
    const step = (name: string) => page.getByRole('search').getByRole('button', { name }).click();
    const counted = (count: string) => page.getByText(count, { exact: true }).waitFor();
    await settled(page);
    await typeKeys(page, '{Control+f}needle');
    await counted('1 of 3…');
    for (const name of ['Next', 'Next', 'Next', 'Previous']) await step(name);
    await counted('2 of 3…');
    await page.keyboard.press('Escape');
    await page.getByRole('search').waitFor({ state: 'detached' });
    // Escape scrolls back to the newest message, for some frames.
    await settled(page);
    await log(page).evaluate((element) => element.scrollTo({ top: element.scrollHeight / 2 + 10 }));
    await settled(page);
    const [row] = await positionOf(page);
    await log(page).locator(`[data-row="${row}"]`, { hasText: 'Loading…' }).waitFor();
    const work = page.locator('.work', { hasText: 'Copying' });
    const copyAll = async () => {
      await log(page).focus();
      await page.keyboard.press('ControlOrMeta+a');
      return copyLater(page);
    };
    const cancelled = copyAll().catch(() => 'cancelled');
    await work.getByRole('button', { name: 'Cancel' }).click();
    expect(await cancelled).toBe('cancelled');
    const copied = copyAll();
    await work.waitFor();
    release();
    expect((await copied).split('Parley:\nnumber ')).toHaveLength(201);
    await page.locator('.missing').first().waitFor({ state: 'detached' });
    await article(page, `m${row}`).waitFor();
    await settled(page);
    expect((await positionOf(page))[0]).toBe(row);
    await page.evaluate(() => document.getSelection()?.removeAllRanges());
    await typeKeys(page, '{Control+f}needle');
    await counted('3 of 3');
    await step('Next');
    await counted('1 of 3');
    await page.keyboard.press('Escape');
  });

  it('stays at the bottom when a picture loads late or the window shrinks, but not after the person scrolled up', async () => {
    const picture = { category: 'image', text: 'evening.png', blob: eveningPicture() };
    const { page } = await showing([...messages(40), message('p', [picture, picture])]);
    await page.waitForFunction(() =>
      Array.from(document.querySelectorAll('.picture')).every((one) => one.clientHeight > 100),
    );
    await atBottom(page);
    await resize(page, 500, 450);
    await atBottom(page);
    // With Ctrl, the wheel zooms; without, it leaves the bottom when it turns up by more pixels than four.
    await log(page).dispatchEvent('wheel', { deltaY: -100, ctrlKey: true });
    for (const deltaY of [-3, 3, -3]) await log(page).dispatchEvent('wheel', { deltaY });
    await log(page).evaluate((element) => element.scrollBy(0, -4));
    await settled(page);
    await resize(page, 500, 400);
    await atBottom(page);
    // The browser scrolls some frames after the event.
    await log(page).dispatchEvent('wheel', { deltaY: -5 });
    await resize(page, 500, 350);
    expect(await aboveBottom(page)).toBe(50);
    await log(page).evaluate((element) => element.scrollBy(0, -300));
    // Until the scroll event, the view still counts as at the bottom.
    await settled(page);
    await resize(page, 500, 500);
    expect(await aboveBottom(page)).toBeGreaterThan(100);
  });
});

describe('copying', () => {
  it('keeps a selection that is scrolled out of view, copies what a click with Shift adds, and all of 5,000 messages after Ctrl+A', async () => {
    const { page } = await showing(messages(5000));
    await page.keyboard.press('Home');
    const position = { x: 60, y: 8 };
    await article(page, 'm1').locator('.item-text').click({ position });
    // The browser reports a selection in the next frame.
    await settled(page);
    await page.keyboard.press('End');
    const last = article(page, 'm5000').locator('.item-text');
    await last.click({ position, modifiers: ['Shift'] });
    const [anchor, focus] = await page.evaluate(() => {
      const { anchorOffset = 0, focusOffset = 0 } = document.getSelection() ?? {};
      return [anchorOffset, focusOffset] as const;
    });
    const all = messages(5000).map((_, at) => `Parley:\nmessage ${at + 1}`);
    const part = [`Parley:\n${'message 1'.slice(anchor)}`, ...all.slice(1, -1)];
    expect(await copyLater(page)).toBe([...part, `Parley:\n${'message 5000'.slice(0, focus)}`].join('\n\n'));
    await page.keyboard.press('ControlOrMeta+a');
    expect(await copyLater(page)).toBe(all.join('\n\n'));
  });

  it('copies markup line by line and as HTML, files and images by their names, and parts of the first and of the last message', async () => {
    const notes = { category: 'file', text: 'notes.txt', blob: btoa('notes') };
    const { page } = await showing([
      message('1', [html('<p>Hello <b>bold</b></p><ul><li>one</li><li>two</li></ul>'), text('a\nb')]),
      message('2', [notes, html('<table><tr><td>1</td><td>2</td></tr></table>')], { context: 'Ada' }),
      message('3', [{ category: 'image', text: 'sky.png', blob: eveningPicture() }], { context: '' }),
      message('4', [text('the end'), { category: 'audio', text: 'a hum', blob: btoa('OggS') }]),
    ]);
    const middle = 'Ada:\nnotes.txt\n1\t2\n\nsky.png';
    await log(page).focus();
    await page.keyboard.press('ControlOrMeta+a');
    const all = `Parley:\nHello bold\none\ntwo\na\nb\n\n${middle}\n\nParley:\nthe end\na hum`;
    expect(await copy(page)).toBe(all);
    // As the menu of Electron does: it selects the whole page.
    await page.evaluate(() => document.getSelection()?.selectAllChildren(document.body));
    expect(await copy(page)).toBe(all);
    expect(await copy(page, 'text/html')).toContain(
      '<strong>Parley</strong></header><div dir="auto" data-kind="html"><p dir="auto">Hello <b>bold</b></p>',
    );
    await selectBetween(page, ['a hum', 3], ['bold', 2]);
    expect(await copy(page)).toBe(`Parley:\nld\none\ntwo\na\nb\n\n${middle}\n\nParley:\nthe end\na h`);
    // Within one message, also up to the next one, as after a triple click, the browser copies.
    await article(page, '4').locator('.item-text').first().selectText();
    expect(await copy(page)).toBe('');
    await selectBetween(page, ['bold', 2], ['notes.txt', 0]);
    expect(await copy(page)).toBe('');
    await selectBetween(page, ['bold', 2], ['1', 0]);
    expect(await copy(page)).toBe('Parley:\nld\none\ntwo\na\nb\n\nAda:\nnotes.txt');
  });
});

describe('the keys of the messages', () => {
  it('move the focus, also over empty messages and through one that is higher than the view, open the actions, quote, and return', async () => {
    const empty = message('e', [], { modifier: 'client', context: 'Ada' });
    const tall = message('tall', [text('line\n'.repeat(30))]);
    const { page } = await showing([...uneven(300), tall, empty, ...messages(3)]);
    await log(page).focus();
    for (const held of ['shiftKey', 'ctrlKey', 'altKey', 'metaKey'])
      expect(await dispatchKey(page, 'ArrowUp', { [held]: true })).toBe(false);
    const walk =
      'Up 304, Up 303, Down 304, Down 304, Up 303, Enter menuitem, Escape 303, Escape log, Up 304, Up 303, Up 302';
    for (const [key = '', expected] of `${walk}, Up 300`.split(', ').map((one) => one.split(' '))) {
      await page.keyboard.press(key.replace(/^(?:Up|Down)$/u, 'Arrow$&'));
      if (expected === 'menuitem') await page.locator('[role="menuitem"]:focus').waitFor();
      expect([key, await focused(page)]).toEqual([key, expected]);
    }
    // The view scrolls to the other end of the high message first.
    for (const [key, end] of ['Up 299', 'Down 302', 'Up 299'].map((one) => one.split(' '))) {
      let presses = 0;
      for (; (await focused(page)) !== end && presses < 60; presses++) {
        await page.keyboard.press(`Arrow${key}`);
        await settled(page);
      }
      expect([presses > 2, await focused(page)]).toEqual([true, end]);
    }
    for (let row = 298; row > 293; row--) {
      await page.locator(`[data-row="${row}"]`).waitFor({ state: 'attached' });
      await page.keyboard.press('ArrowUp');
      expect(await focused(page)).toBe(`${row}`);
    }
    await page.keyboard.press('Home');
    await article(page, 'm1').first().waitFor();
    await settled(page);
    // Of the first message, a part is in view.
    await log(page).evaluate((one) => {
      const { bottom = 0, height = 0 } = one.querySelector('article')?.getBoundingClientRect() ?? {};
      one.scrollBy(0, bottom - height / 2 - one.getBoundingClientRect().top);
    });
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe('0');
    await page.keyboard.press('Enter');
    await page.locator('[role="menuitem"]:focus').waitFor();
    // With Ctrl, a key does not move the focus in the menu.
    await typeKeys(page, 'q{Control+Home}{Enter}');
    await box(page).waitFor();
    expect(await box(page).inputValue()).toBe('> message 1\n\n');
    // Another quotation is added, and the text box has the focus again.
    await log(page).focus();
    await typeKeys(page, '{ArrowDown}{Enter}');
    await page.locator('[role="menuitem"]:focus').waitFor();
    await typeKeys(page, 'q{Enter}');
    expect([await isFocused(box(page)), await box(page).inputValue()]).toEqual([
      true,
      '> message 1\n\n'.repeat(2),
    ]);
  });

  it('are one Tab stop however many links the messages have, and Tab reaches those of the message with the focus', async () => {
    const picture = { category: 'image', text: 'sky.png', blob: eveningPicture() };
    const hidden = markdown('[hidden](https://hidden.example/)', 'reasoning');
    const { page } = await showing([
      message('1', [text('https://one.example/'), picture]),
      message('2', [
        html('<p><a href="https://two.example/">two</a></p>'),
        text('https://three.example/'),
        hidden,
      ]),
      message('3', [text('four')]),
    ]);
    await page.getByRole('link', { name: 'two' }).waitFor();
    const place = () =>
      page.evaluate(() => {
        const { activeElement: one } = document;
        return one?.closest('article') === one || one?.getAttribute('role') === 'log'
          ? one?.ariaLabel || one?.getAttribute('data-message-id')
          : one?.ariaLabel || one?.textContent || one?.querySelector('img')?.alt;
      });
    const walk = async (...keys: readonly string[]) => {
      const places: unknown[] = [];
      for (const key of keys) {
        await page.keyboard.press(key);
        places.push(await place());
      }
      return places;
    };
    await button(page, 'Close').focus();
    const ends = ['Conversation', 'Attach a file', 'Conversation', 'Close'];
    expect(await walk('Tab', 'Tab', 'Shift+Tab', 'Shift+Tab')).toEqual(ends);
    const last = ['Conversation', '3', 'Copy', 'Attach a file', 'Conversation'];
    expect(await walk('Tab', 'ArrowUp', 'Tab', 'Tab', 'Shift+Tab')).toEqual(last);
    const links = ['3', '2', 'two', 'https://three.example/', 'Reasoning', 'Attach a file'];
    expect(await walk('ArrowUp', 'ArrowUp', 'Tab', 'Tab', 'Tab', 'Tab')).toEqual(links);
    await page.locator('.message-actions').waitFor({ state: 'detached' });
    const back = 'Conversation,3,2,two,https://three.example/,two,2,two,Conversation,3,Close'.split(',');
    const keys = 'Shift+Tab,ArrowUp,ArrowUp,Tab,Tab,Shift+Tab,Shift+Tab,Tab,Escape,ArrowUp,Shift+Tab';
    expect(await walk(...keys.split(','))).toEqual(back);
    await button(page, 'Attach a file').focus();
    // The button beside the message and the entries of its menu are no Tab stops.
    await walk('Shift+Tab', 'ArrowUp', 'Enter');
    expect(await walk('Tab', 'Tab')).toEqual(['Copy', 'Attach a file']);
  });
});

it('the actions of a message are beside it under the pointer, the focus or a finger, within a window of any size', async () => {
  const { page, apply } = await sharedWindow();
  const notice = { modifier: 'admin', context: '', notice: true };
  const list = [
    message('a', [text('It failed.')], notice),
    message('b', [text('a long text '.repeat(60))], { modifier: 'client', context: 'Ada' }),
    message('c', [{ ...text(`${'A paragraph.\n\n'.repeat(20)}The end.`), format: 'markdown' }]),
    message('d', [text('short')], { modifier: 'admin' }),
  ];
  const frame = { person: 'Ada Lovelace', messages: list, words: ['again', 'new topic'] };
  await apply({ kind: 'snapshot', frame });
  const actions = button(page, 'Message actions');
  const menu = page.getByRole('menu', { name: 'Message actions' });
  for (const [width, height, ids] of [
    [420, 260, ['a', 'b', 'c']],
    [1440, 720, ['a']],
  ] as const) {
    await resize(page, width, height);
    for (const id of ids) {
      const items = article(page, id).locator('.items');
      await items.evaluate((one) => one.scrollIntoView({ block: 'end' }));
      await page.mouse.move(0, 0);
      const { height: itemsHeight } = (await items.boundingBox()) ?? { height: 0 };
      await items.hover({ position: { x: 20, y: itemsHeight - 20 } });
      await actions.click();
      await menu.waitFor();
      const isWithin = [actions, menu].map((one) =>
        one.evaluate((element) => {
          const { left, top: from, right, bottom } = element.getBoundingClientRect();
          return left >= 0 && from >= 0 && right <= innerWidth && bottom <= innerHeight;
        }),
      );
      const place = [...(await Promise.all(isWithin)), await log(page).evaluate((one) => one.scrollLeft)];
      expect([width, id, ...place]).toEqual([width, id, true, true, 0]);
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'hidden' });
    }
  }
  await article(page, 'a').evaluate((one) => Object.assign(one, { tabIndex: -1 }).focus());
  await article(page, 'd').locator('.item').hover();
  await article(page, 'd').locator('.message-actions').waitFor();
  await page.mouse.move(0, 0);
  await article(page, 'a').locator('.message-actions').waitFor();
  // The focus leaves the message.
  await page.keyboard.press('Escape');
  await page.mouse.move(0, 0);
  await actions.waitFor({ state: 'detached' });
  // Under a pointer that rests, a message is not in use.
  await article(page, 'a').locator('.item').dispatchEvent('pointermove');
  await settled(page);
  expect(await actions.count()).toBe(0);
  await article(page, 'b').locator('.item').dispatchEvent('pointermove', { movementY: -1 });
  await article(page, 'b').locator('.message-actions').waitFor();
  await article(page, 'd').locator('.item').dispatchEvent('pointerdown', { pointerType: 'touch' });
  await article(page, 'd').locator('.message-actions').waitFor();
  await log(page).dispatchEvent('pointerleave', { pointerType: 'touch' });
  await settled(page);
  expect(await actions.count()).toBe(1);
  // What disappears leaves the focus where it is, and a menu is closed with its message.
  await page.keyboard.type('a');
  for (const id of ['c', 'b']) {
    await article(page, id).locator('.label').hover();
    await article(page, id).locator('.message-actions').waitFor();
    expect([id, await article(page, id).getByRole('button', { name: 'Copy' }).count()]).toEqual([id, 1]);
  }
  await page.mouse.move(0, 0);
  await actions.waitFor({ state: 'detached' });
  await page.keyboard.type('b');
  expect(await box(page).inputValue()).toBe('ab');
  await article(page, 'd').locator('.item').hover();
  await actions.click();
  await menu.waitFor();
  await apply(snapshot());
  await expect.poll(() => readWindowState(page)).toMatchObject({ messageMenu: null });
});

const arriving = ['n1', 'n2', 'own', 'n3'].map((id) =>
  appended(message(id, [text(id)], id === 'own' ? { modifier: 'client', context: 'Ada' } : {})),
);

async function pageUp(page: Page): Promise<void> {
  await log(page).focus();
  await page.keyboard.press('PageUp');
  await scrolledUp(page, 100);
}

async function scrolled(stays: boolean) {
  const window = await showing(uneven(1000));
  await window.dispatch(preferencesChanged({ stayWhereIRead: stays }));
  await pageUp(window.page);
  await settled(window.page);
  return window;
}

/** A new message of another person whose text is its id. */
const news = (id: string) => appended(message(id, [text(id)]));

/** Returns the id of the message below the line where the new messages begin. */
async function firstNew(page: Page) {
  const line = page.getByRole('separator', { name: 'New messages' });
  await line.waitFor();
  return line.evaluateAll((all) =>
    all.map((one) => one.parentElement?.querySelector<HTMLElement>('article')?.dataset['messageId']),
  );
}

describe('the place where the person reads', () => {
  it('contract §3 newest message: stays with the setting; a button counts the new ones of others and goes to them, and a line shows where they begin; it is left for what the person sends, but not when that cannot be sent', async () => {
    const { page, apply, problems, called, connected, disconnected } = await scrolled(true);
    await button(page, 'Go to the newest message').waitFor();
    const before = await top(page);
    await apply(...arriving);
    const newer = button(page, '3 new messages');
    await newer.waitFor();
    expect(Math.abs((await top(page)) - before)).toBeLessThan(2);
    await newer.click();
    await atBottom(page);
    await page.locator('[role="log"]:focus').waitFor();
    expect(await firstNew(page)).toEqual(['n1']);
    await apply(news('n4'));
    await article(page, 'n4').waitFor();
    await atBottom(page);
    await pageUp(page);
    await apply(news('n5'));
    await button(page, '1 new message').waitFor();
    await page.keyboard.press('End');
    await atBottom(page);
    await button(page, '1 new message').waitFor({ state: 'detached' });
    expect(await firstNew(page)).toEqual(['n5']);
    await pageUp(page);
    await typeKeys(page, 'hello{Enter}');
    await atBottom(page);
    await pageUp(page);
    await disconnected();
    const file = { name: 'a.txt', type: 'text/plain', content: 'a' };
    await drop(page, '[role="log"]', [file]);
    await called(2);
    expect(await aboveBottom(page)).toBeGreaterThan(100);
    await connected();
    await drop(page, '[role="log"]', [file]);
    await atBottom(page);
    expect(problems).toEqual([]);
  });

  it('contract §3 stay here: without the setting, is offered after an update, and kept from then on', async () => {
    const { page, apply } = await scrolled(false);
    await page.waitForFunction(() => JSON.stringify(window.reports).includes('scroll/rested'));
    const [row, offset] = await positionOf(page);
    await apply(news('n1'));
    await atBottom(page);
    const pulledFrom = { message: Number(row), id: `m${Number(row) + 1}`, offset };
    expect(await readWindowState(page)).toMatchObject({ scroll: { pulledFrom } });
    await button(page, 'Stay here').click();
    await page.locator(`[data-row="${row}"]`).waitFor();
    await apply(...arriving.slice(1));
    await button(page, '2 new messages').waitFor();
    await settled(page);
    expect((await positionOf(page))[0]).toBe(row);
    await page.keyboard.press('End');
    await atBottom(page);
  });
});

/** Records what screen readers announce from now on, after the class of the element that contains it. */
async function recordAnnouncements(page: Page): Promise<() => Promise<unknown>> {
  await page.evaluate(() => {
    const heard: string[] = [];
    new MutationObserver((changes) => {
      for (const { target, addedNodes, type } of changes) {
        const element = target instanceof Element ? target : target.parentElement;
        const live = element?.closest('[aria-live]');
        if (live?.matches('[aria-live="polite"]') !== true) continue;
        const added = type === 'characterData' ? [target] : Array.from(addedNodes);
        const words = added.map((node) => node.textContent).join('');
        if (words !== '')
          heard.push(`${live.className.replace(/connection-|visually-hidden/u, '')}: ${words}`);
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
    Object.assign(window, { heard });
  });
  return () => page.evaluate((): unknown => Reflect.get(window, 'heard'));
}

const announced = (page: Page, words: string) =>
  page.waitForFunction((wanted) => String(Reflect.get(window, 'heard')).includes(wanted), words);

describe('what a screen reader announces', () => {
  it('contract §3 conversation: is each new item of another sender once with the sender, a streamed text when it is complete, and neither a snapshot nor scrolling', async () => {
    // With a page of its own, which keeps the clock: a text is complete when it has not grown for half a second.
    const { page, signedIn, apply: receive } = await open({ locale: 'en-GB' });
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const heard = await recordAnnouncements(page);
    await signedIn(snapshot(...messages(300)));
    const apply = async (...updates: Parameters<typeof receive>) => {
      await receive(...updates);
      await page.clock.runFor(100);
    };
    const rest = () => page.clock.runFor(500);
    await rest();
    await apply(appended(message('n1', [text('first news'), text('second news')])));
    const kinds = ['image', 'file', 'audio'].map((category) => ({ category, text: category, blob: '' }));
    const long = 'x'.repeat(501);
    await apply(
      appended(message('k', [text(long), ...kinds, html('<b>bo</b>ld'), html('x'.repeat(20_001))])),
    );
    await apply(appended(message('o1', [text('own words')], { modifier: 'client', context: 'Ada' })));
    await apply(appended(message('n2', [text('')], { context: '' })));
    for (const words of ['Wor', 'Word by', 'Word by word'])
      await apply({ kind: 'text', frame: { text: words } });
    await rest();
    await announced(page, 'Word by word');
    await apply({ kind: 'context', frame: { context: 'Bob' } });
    await page.keyboard.press('Home');
    await article(page, 'm1').waitFor();
    await receive({ kind: 'text', frame: { text: 'Word by word too' } });
    await apply({ kind: 'content', frame: text('more') });
    await rest();
    await announced(page, 'Bob: more');
    // Each block of an answer once, as it is shown, and no reasoning.
    await apply(appended(message('n3', [markdown('hm', 'reasoning')], { context: long })), {
      kind: 'content',
      frame: markdown(''),
    });
    const answer = '## **Tides**\n\nTwo *times* a day.\n\n- one\n- `two`\n\nThe [end](https://example.org)';
    for (let length = 10; length < answer.length + 10; length += 10)
      await apply({ kind: 'text', frame: { text: answer.slice(0, length) } });
    await apply({ kind: 'text', frame: { text: `${answer}${long}` } });
    await rest();
    await announced(page, 'The end');
    const blocks = [`${clip(long, 500)}: Tides`, 'Two times a day.', 'one\ntwo', clip(`The end${long}`, 500)];
    const texts = ['first news', 'second news', clip(long, 500), 'Image: image', 'File: file', 'audio'];
    const items = [...texts, 'bold', 'A long page'].map((one) => `Parley: ${one}`);
    const words = [...items, 'Word by word', 'too', 'Bob: more', ...blocks];
    expect(await heard()).toEqual(words.map((one) => `: ${one}`));
    // They are not found later.
    await page.clock.runFor(850);
    expect(await page.locator('[aria-live="polite"] > p').count()).toBe(1);
    await page.clock.runFor(150);
    expect(await page.locator('[aria-live="polite"] > p').count()).toBe(0);
    expect(await log(page).getAttribute('aria-live')).toBe('off');
  });

  it('contract §3 connection, contract §3 Reconnect: is that a connection is lost and back, once, in one place; a bar shows the time of the next try, or the reason and Reconnect; Stay here is offered for 8 s', async () => {
    // With a page of its own, which keeps the clock.
    const { page, calls, apply, signedIn, connected, disconnected } = await open({ locale: 'en-US' });
    const bar = page.locator('.connection-bar');
    await signedIn(snapshot(...messages(100)));
    await article(page, 'm100').waitFor();
    await page.clock.install({ time: new Date(2026, 10, 22, 16, 19, 0) });
    await page.clock.pauseAt(new Date(2026, 10, 22, 16, 20, 0));
    const heard = await recordAnnouncements(page);
    const at = await page.evaluate(() => Date.now());
    await disconnected('', at + 500);
    await page.locator('main[data-connection="disconnected"]').getByText('Reconnecting…').waitFor();
    await page.clock.runFor(2000);
    expect([await bar.textContent(), await bar.isVisible()]).toEqual(['', false]);
    await page.clock.runFor(1000);
    await disconnected('', at + 4500);
    await bar
      .filter({ hasText: /^Connection lost\. Parley tries again by itself\. Next try at 4:20:04\sPM$/u })
      .waitFor();
    // Most attempts fail within a second.
    await page.clock.runFor(2900);
    expect(await bar.textContent()).toContain('Next try at');
    await page.clock.runFor(1100);
    await bar.filter({ hasText: /Trying now, since 4:20:04\sPM$/u }).waitFor();
    await connected();
    await bar.waitFor({ state: 'hidden' });
    const lost = expect.stringMatching(/^bar: Connection lost\./u);
    expect(await heard()).toEqual([lost, 'pill: Connected']);
    // Now the person writes: the line above the text box says it, and the bar only the reason of a close.
    const loseForAWhile = async (words: string) => {
      await disconnected('', at + 500);
      await page.clock.runFor(4000);
      await bar.getByText('Connection lost.').waitFor();
      await page.keyboard.type(words);
      await connected();
      await bar.waitFor({ state: 'hidden' });
    };
    await page.keyboard.type('a');
    await loseForAWhile('b');
    // The line is the description of a text box that is opened after the loss, until the connection is back.
    await page.keyboard.press('Escape');
    for (const words of ['a', 'b']) await loseForAWhile(words);
    await disconnected('maintenance');
    await page.getByText('Disconnected: maintenance', { exact: true }).waitFor();
    await atBottom(page);
    const offline = 'offline: Not connected: what you send now is lost. Arrow up brings the text back.';
    expect(await heard()).toEqual([
      ...[lost, offline, lost, offline].flatMap((words) => [words, 'pill: Connected']),
      'bar: Disconnected: maintenance',
      'bar: Reconnect',
    ]);
    await button(page, 'Reconnect').click();
    await page.clock.runFor(100);
    expect(calls).toEqual([['action', connectionRequested()]]);
    // For 8 s after an update, the person can return to the place where they read.
    await connected();
    await pageUp(page);
    await page.clock.runFor(1000);
    await apply(news('n1'));
    await button(page, 'Stay here').focus();
    await page.clock.runFor(7900);
    expect(await button(page, 'Stay here').count()).toBe(1);
    await page.clock.runFor(200);
    await button(page, 'Stay here').waitFor({ state: 'detached' });
    await page.locator('[role="log"]:focus').waitFor();
    // The time of an offer that the person left does not end the next one.
    for (const id of ['n2', 'n3']) {
      await pageUp(page);
      await page.clock.runFor(1000);
      await apply(news(id));
      await button(page, 'Stay here').waitFor();
      await page.clock.runFor(5000);
    }
    expect(await button(page, 'Stay here').count()).toBe(1);
    // For 2 s after the last copy, its button says so. The clipboard answers at once.
    await page.evaluate(() => void Object.assign(navigator.clipboard, { writeText: async () => undefined }));
    await apply(snapshot(message('c', [markdown('```\na\n```')])));
    const copied = page.getByText('Copied', { exact: true }).or(page.locator('[aria-label="Copied"]'));
    for (let count = 0; count < 2; count++) {
      await button(page, 'Copy').last().click();
      await page.locator('.code-copy').click();
      await page.evaluate(reactIsIdle);
      await page.clock.runFor(1500);
      expect(await copied.count()).toBe(2);
    }
    await page.clock.runFor(600);
    await copied.first().waitFor({ state: 'detached' });
  });
});
