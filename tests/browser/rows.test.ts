import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { avatar, eveningPicture } from '#platform/assistant/pictures.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { setUpRenderer } from './harness/renderer.ts';
import { skipFormPause } from './harness/skipFormPause.ts';
import { message, snapshot, text } from './harness/updates.ts';

/** Tests the rows of the specification’s tables that are visible in the window, one test for each row. */
const open = setUpRenderer();

const HINT = 'Log in, or enter a name to register.';
const PASSWORD_ERROR = 'Password must be 6 to 16 long, with a symbol and a number.';
const VALID = { Email: 'ada@example.org', Password: 'secret1!', Name: '' };

/** Opens the form and refuses every request; `submit` returns the status line after these fields are submitted. */
async function form() {
  const window = await open();
  const { page, account } = window;
  window.answerAuth = () => Promise.resolve('Refused.');
  await account(false);
  await page.getByLabel('Email').waitFor();
  const submit = async (fields: Partial<typeof VALID>) => {
    for (const [label, value] of Object.entries({ ...VALID, ...fields })) {
      await page.getByLabel(label).fill(value);
    }
    await skipFormPause(page);
    await page.getByLabel('Name').press('Enter');
    return page.getByRole('status').textContent();
  };
  return { ...window, submit };
}

/** Submits each value in a field of an otherwise valid form; returns what was sent and the distinct status lines. */
async function submitEach(field: keyof typeof VALID, values: readonly string[]) {
  const { submit, said } = await form();
  const lines = new Set<string | null>();
  for (const value of values) lines.add(await submit({ [field]: value }));
  return { lines: [...lines], said };
}

/** Opens a conversation with one message that contains these items. */
async function showing(...content: ContentItem[]) {
  const window = await open();
  await window.signedIn(snapshot(message('1', content)));
  const items = window.page.locator('[data-category]');
  await expect.poll(() => items.count(), POLLING).toBe(content.length);
  return { ...window, items };
}

const textBox = (page: Page) => page.getByRole('textbox', { name: 'Message' });

describe('spec §2.1 and §7, the form', () => {
  it("spec §2.1 email, §7 row 1: shows 'Not a valid email.' for an invalid address and sends nothing", async () => {
    const emails = ['ada', 'ada@', '@example.org', 'ada@exa_mple', 'a b@example.org', 'ada@@example.org'];
    const { lines, said } = await submitEach('Email', ['', ...emails, 'ada@example.org,']);
    expect({ lines, said }).toEqual({ lines: ['Not a valid email.'], said: [] });
  });

  it('spec §2.1 password, §7 row 2: shows the error with all three rules for an invalid password and sends nothing', async () => {
    const passwords = [
      '',
      'sec1!',
      'secret1!secret1!x',
      'secret!!',
      'secret11',
      'secret 1!',
      'secret1-',
      'sécret1!',
    ];
    const { lines, said } = await submitEach('Password', passwords);
    expect({ lines, said }).toEqual({ lines: [PASSWORD_ERROR], said: [] });
  });

  it("spec §2.1 name, §7 row 3: shows 'Name must be at least 5 long.' for an invalid name and sends nothing", async () => {
    const names = ['A', 'Adam', 'Ada2 King', 'Ada-Marie', 'A'.repeat(31)];
    const { lines, said } = await submitEach('Name', names);
    expect({ lines, said }).toEqual({ lines: ['Name must be at least 5 long.'], said: [] });
  });

  it('spec §2.1 email, §8 password, name: sends values at the limits of the rules unchanged, with a name or an empty one', async () => {
    const { page, submit, said } = await form();
    const edges: Partial<typeof VALID>[] = [
      { Password: '1!aaaa' },
      { Password: '1!aaaaaaaaaaaaaa' },
      ...Array.from('!@#$%^&*', (symbol) => ({ Password: `Secret1${symbol}` })),
      { Name: 'Ada K' },
      { Name: 'A'.repeat(30) },
      { Name: 'Жанна Дарк' },
      { Email: 'ada.king+parley@mail.example.co.uk' },
    ];
    for (const [index, fields] of edges.entries()) {
      await submit(fields);
      const { Email: email, Password: password, Name: name } = { ...VALID, ...fields };
      await expect.poll(() => said[index], POLLING).toEqual(['auth', { email, password, name }]);
      await expect.poll(() => page.getByRole('status').textContent(), POLLING).toBe('Refused.');
    }
  });

  it('spec §7 row 4: shows only the first of three errors, in the order email, password, name', async () => {
    const { submit, said } = await form();
    const wrong = { Email: 'ada', Password: 'x', Name: 'x' };
    expect(await submit(wrong)).toBe('Not a valid email.');
    expect(await submit({ ...wrong, Email: VALID.Email })).toBe(PASSWORD_ERROR);
    expect(await submit({ Name: 'x' })).toBe('Name must be at least 5 long.');
    expect(said).toEqual([]);
  });

  it('spec §7 row 8: shows the hint again when the form is valid after an error', async () => {
    const { page, submit } = await form();
    await submit({ Password: 'x' });
    await page.getByLabel('Password').fill(VALID.Password);
    expect(await page.getByRole('status').textContent()).toBe(HINT);
  });
});

describe('spec §2.4, a content item', () => {
  it.each(['text', 'audio'])(
    'spec §2.4 `text`: shows the category %s as written, and three dots when empty',
    async (category) => {
      const words = '<b>not bold</b>\n  & so on';
      const { items } = await showing(
        { category, text: words },
        { category, text: '' },
        { category, text: null },
      );
      expect(await items.allTextContents()).toEqual([words, '...', '...']);
    },
  );

  it('spec §2.4 `html`: is rendered as markup', async () => {
    const { items } = await showing({ category: 'html', html: '<b>bold</b> <i>words</i>' });
    expect(await items.locator('b, i').allTextContents()).toEqual(['bold', 'words']);
  });

  it('spec §2.4 `blob`: draws a picture, and downloads a file with its name', async () => {
    const { page, items } = await showing(
      { category: 'image', text: 'evening.png', blob: eveningPicture() },
      { category: 'file', text: 'notes.txt', blob: 'bm90ZXM=' },
      { category: 'file', text: 'invoice\u202Efdp.exe', blob: 'YQ==' },
    );
    expect(await items.getByRole('img', { name: 'evening.png' }).count()).toBe(1);
    const disguised = items.locator('a.file').last();
    expect(await disguised.getAttribute('download')).toBe('invoiceU+202Efdp.exe');
    const download = page.waitForEvent('download');
    await items.getByRole('link', { name: 'notes.txt' }).click();
    expect((await download).suggestedFilename()).toBe('notes.txt');
  });

  it.each(['file', 'video', '', 'TEXT'])('spec §2.4 `category`: shows %j as a file', async (category) => {
    const { items } = await showing({ category, text: 'a.bin', blob: 'YQ==' });
    expect(await items.getByRole('link', { name: 'a.bin' }).getAttribute('download')).toBe('a.bin');
  });
});

describe('spec §2.5 and §2.6, a message and the person', () => {
  it('spec §2.5 id, modifier, content, context, avatar, seen: shows id, modifier, content, context, avatar and seen, each in its place', async () => {
    const { page, signedIn } = await open();
    await signedIn(
      snapshot(
        message('m-1', [text('one'), text('two')], { context: 'Parley', avatar: avatar(), seen: false }),
        message('m-2', [text('mine')], { modifier: 'client', context: 'Ada', avatar: '' }),
        message('m-3', [text('told')], { modifier: 'admin', seen: true }),
      ),
    );
    const articles = page.getByRole('article');
    await expect.poll(() => articles.count(), POLLING).toBe(3);
    const facts = await articles.evaluateAll((all) =>
      all.map(({ dataset: { messageId, modifier, side } }) => [messageId, modifier, side]),
    );
    expect(facts).toEqual([
      ['m-1', 'ai', 'left'],
      ['m-2', 'client', 'right'],
      ['m-3', 'admin', 'centre'],
    ]);
    expect(await articles.allTextContents()).toEqual(['onetwoParley', 'mineAda', 'toldParley']);
    expect(await articles.first().locator('img').getAttribute('src')).toContain(avatar());
    expect(await articles.nth(1).locator('img').count()).toBe(0);
  });

  it.each([
    [1, ['none']],
    [2, ['first', 'last']],
    [4, ['first', 'middle', 'middle', 'last']],
  ])('spec §2.5 grouping: marks the positions of %i items', async (count, positions) => {
    const { items } = await showing(...Array.from({ length: count }, () => text('item')));
    expect(await items.evaluateAll((all) => all.map((item) => item.dataset.position))).toEqual(positions);
  });

  it.each([
    ['Ada Lovelace', 'AL'],
    ['ada augusta king', 'AK'],
    ['Ada', 'AA'],
    ['  élodie   öz ', 'ÉÖ'],
  ])('spec §2.6 person, contract §3 initials: shows %j as the initials %j', async (person, initials) => {
    const { page, signedIn } = await open();
    await signedIn({ kind: 'snapshot', frame: { person, messages: [] } });
    const icon = page.getByRole('button', { name: 'Write a message' });
    await expect.poll(() => icon.textContent(), POLLING).toBe(initials);
  });
});

describe('spec §4.4 item 1, the text box', () => {
  it('spec §4.4 item 1: opens no text box for meta keys and Control shortcuts, and opens it with any other key', async () => {
    const { page } = await showing(text('hello'));
    const meta = ['Tab', 'CapsLock', 'Shift', 'Control', 'Alt', 'Meta', ' ', 'Enter', 'Backspace', 'Escape'];
    const arrows = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];
    for (const key of [...meta, ...arrows, 'Control+a', 'Control+x']) {
      await page.getByRole('log').focus();
      await page.keyboard.press(key);
      expect([key, await textBox(page).count()]).toEqual([key, 0]);
    }
    await page.getByRole('log').focus();
    await page.keyboard.press('x');
    expect(await textBox(page).inputValue()).toBe('x');
  });

  it('spec §4.4 item 1: Escape closes and clears, Backspace closes on the last character, Enter sends and closes', async () => {
    const { page, said } = await showing(text('hello'));
    await page.keyboard.type('draft');
    await page.keyboard.press('Escape');
    expect(await textBox(page).count()).toBe(0);
    await page.keyboard.type('ab');
    await page.keyboard.press('Backspace');
    expect(await textBox(page).inputValue()).toBe('a');
    await page.keyboard.press('Backspace');
    expect(await textBox(page).count()).toBe(0);
    await page.keyboard.type('sent');
    await page.keyboard.press('Enter');
    expect(await textBox(page).count()).toBe(0);
    expect(said).toEqual([['message', { category: 'text', text: 'sent', blob: null }]]);
  });
});
