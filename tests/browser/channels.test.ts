import { readFile } from 'node:fs/promises';
import { stringify } from 'devalue';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { encodePng } from '#platform/assistant/pictures.ts';
import { SYNC_ACTION, SYNC_STATE_BLOCKING } from '#shared/ipc/channels.ts';
import { connectionClosed } from '#shared/actions/sessionActions.ts';
import { callPage } from './harness/callPage.ts';
import { chooseFromMenu } from './harness/chooseFromMenu.ts';
import { listenToChannels } from './harness/listenToChannels.ts';
import { CREDENTIALS, login } from './harness/login.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { connect, nextSocket, setUpScripted } from './harness/setUpScripted.ts';
import { message, messages, snapshot, text } from './harness/message.ts';

/** Uses the channels of spec §6.3 from the page, as any script of the page could. */
const scripted = setUpScripted();

const SENT = ['messenger', 'message', 'logout', 'nav'];
const INVOKED = ['encode', 'auth'];
const RECEIVED = ['account', 'message', 'ws', 'record', 'playback'];
const NO_CHANNELS = [
  'seventh',
  '',
  'constructor',
  '__proto__',
  'reconnect',
  SYNC_ACTION,
  SYNC_STATE_BLOCKING,
];

/** Returns a PNG of random pixels, which does not compress. */
const noise = (size: number): Buffer =>
  encodePng({
    width: size,
    height: size,
    at: (x, y) => [(x * 7919 + y * 104_729) % 256, (x * y * 31) % 256, (x * 131 + y * y * 17) % 256, 255],
  });

const item = (category: string, name: string, blob: string) => ({
  category,
  text: name,
  html: null,
  blob,
});

const OUTGOING = { category: 'text', text: 'still here', blob: null };
const encodeIn = (page: Page, bytes: readonly number[]) =>
  page.evaluate((list) => window.parley.invoke('encode', new Uint8Array(list).buffer), bytes);

describe('window.parley', () => {
  // This test is first: once a page has listened, its window receives every update.
  it('sends updates on `message` only to a page that listens', async () => {
    const { open, openSignedIn } = scripted();
    const received: string[] = [];
    (await open()).on('websocket', (line) =>
      line.on('framereceived', ({ payload }) => void received.push(String(payload))),
    );
    const { page, socket } = await openSignedIn();
    socket.send(message('a', [text('hello')]));
    await page.getByRole('article').waitFor();
    await expect.poll(() => received.join(''), POLLING).toContain('hello');
    expect(received.join('')).not.toContain('["send","message",');
    const messagesOn = await listenToChannels(page);
    await encodeIn(page, []);
    socket.send({ text: 'now' });
    await expect.poll(() => messagesOn('message'), POLLING).toEqual([[{ text: 'now' }]]);
  });

  it('contract §4 names: exposes three objects to the page, each with exactly its functions', async () => {
    const { page } = await scripted().signedIn();
    const shape = await page.evaluate(() =>
      [window.parley, window.parleyTools, window.parleySync].map((object) => Object.keys(object)),
    );
    const [parley, tools, sync] = shape;
    expect([parley, sync]).toEqual([
      ['send', 'invoke', 'on'],
      ['fetchState', 'fetchPart', 'onAction'],
    ]);
    expect(['send', 'on']).toEqual(expect.arrayContaining(tools ?? ['none']));
    expect(await page.evaluate('[typeof require, typeof process, typeof ipcRenderer]')).toEqual(
      Array(3).fill('undefined'),
    );
  });

  it('contract §4 a seventh: throws in the page for every channel name except the six and the five', async () => {
    const { page } = await scripted().signedIn();
    const refused = async (method: string, channels: readonly string[]) => {
      for (const channel of channels) {
        expect(await callPage(page, method, channel)).toEqual({
          error: `Error: There is no channel named ${JSON.stringify(channel)} here.`,
        });
      }
    };
    await refused('parley.send', [...NO_CHANNELS, ...INVOKED, 'account', 'ws', 'record', 'playback']);
    await refused('parley.invoke', [...NO_CHANNELS, ...SENT, ...RECEIVED]);
    await refused('parley.on', [...NO_CHANNELS, ...INVOKED, 'messenger', 'logout', 'nav']);
    await refused('parleyTools.send', ['seventh', SYNC_ACTION, ...SENT]);
    for (const channel of RECEIVED) {
      expect(await callPage(page, 'parley.on', channel)).toHaveProperty('answer');
    }
  });
});

describe('the channels that a page listens to', () => {
  it('spec §6.3 account, logout: `account` carries the identifier, then false, or false with the reason', async () => {
    const { platform, openSignedOut } = scripted();
    const page = await openSignedOut();
    const messagesOn = await listenToChannels(page);
    platform.auth.answer({ body: 'account-7' });
    let next = nextSocket(platform);
    await login(page);
    await connect(page, await next());
    await page.getByRole('button', { name: 'Log out' }).click();
    next = nextSocket(platform);
    await login(page);
    (await next()).close(4000, 'unauthorized');
    await page.getByRole('alertdialog').waitFor();
    await expect
      .poll(() => messagesOn('account'), POLLING)
      .toEqual([['account-7'], [false], ['account-7'], [false, 'unauthorized']]);
  });

  it('spec §6.3 ws, contract §4 ws: `ws` sends 0 at the first pong and 1 at the close, and nothing in between', async () => {
    const { platform, openSignedOut } = scripted();
    const page = await openSignedOut();
    const messagesOn = await listenToChannels(page);
    const next = nextSocket(platform);
    await login(page);
    const socket = await next();
    await connect(page, socket);
    for (let pongs = 0; pongs < 5; pongs++) socket.pong();
    socket.send(message('after the pongs', [text('hello')]));
    await page.getByRole('article').waitFor();
    await expect.poll(() => messagesOn('ws'), POLLING).toEqual([[0]]);
    socket.close(4000, 'enough');
    await page.getByRole('button', { name: 'Reconnect' }).waitFor();
    await expect.poll(() => messagesOn('ws'), POLLING).toEqual([[0], [1]]);
  });

  it('spec §6.3 message to the window, contract §4 message: forwards each update unchanged, with its unknown fields', async () => {
    const { page, socket } = await scripted().signedIn();
    const messagesOn = await listenToChannels(page);
    const frames = [
      { ...snapshot(...messages(2)).frame, extra: [1] },
      { name: 'Ada King', extra: { deep: true } },
      { modifier: 'ai', extra: null },
      { category: 'text', text: null },
      { context: '', text: 'not this' },
      { text: 'last' },
    ];
    for (const frame of frames) socket.send(frame);
    await expect.poll(() => messagesOn('message'), POLLING).toEqual(frames.map((frame) => [frame]));
  });

  it('spec §6.3 record and playback, §3.3 start-up: `record` and `playback` send nothing without the audio module', async () => {
    const { page, socket } = await scripted().signedIn();
    const messagesOn = await listenToChannels(page);
    await page.keyboard.press('Control+Enter');
    socket.send(message('a', [{ category: 'audio', text: 'words' }]));
    await page.getByRole('article').waitFor();
    expect([await messagesOn('record'), await messagesOn('playback')]).toEqual([[], []]);
  });
});

describe('a long blob', () => {
  it('stays in main until the page shows it, and is not served after its message is removed', async () => {
    const { signedIn, browser, parley } = scripted();
    const { page, socket } = await signedIn();
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    const picture = noise(120).toString('base64');
    const file = Buffer.alloc(100_000, 5);
    const filler = Array.from({ length: 250 }, (_, at) => message(`f${at}`, [text('filler')]));
    socket.send(
      snapshot(
        message('above', [item('image', 'above.png', picture)]),
        ...filler,
        message(
          'last',
          [item('image', 'last.png', picture), item('file', 'a.bin', file.toString('base64'))],
          {
            avatar: picture,
          },
        ),
      ).frame,
    );
    const last = page.locator('[data-message-id="last"]');
    for (const image of [last.locator('img.picture'), last.locator('img.avatar')]) {
      await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth), POLLING).toBe(120);
      expect(await image.getAttribute('src')).toMatch(/^\/blob\/251\/(?:0|avatar)\/[0-9a-f]{64}$/);
    }
    expect(requested.filter((path) => path.startsWith('/blob/0/'))).toEqual([]);
    // By the keyboard: the list may still move under the pointer, for the pictures have just received their sizes.
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      last.locator('a.file').press('Enter'),
    ]);
    expect(download.suggestedFilename()).toBe('a.bin');
    expect((await readFile(await download.path())).equals(file)).toBe(true);
    // By the actions of the message, too.
    await page.getByRole('log').focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Save last.png' }).click(),
    ]);
    expect((await readFile(await saved.path())).toString('base64')).toBe(picture);
    // An exported page contains what only main has, and when a message arrived.
    socket.send(message('late', [text('after the snapshot')]));
    await page.getByRole('article').getByText('after the snapshot').waitFor();
    await chooseFromMenu(page, 'Export the conversation…');
    const [exported] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export', exact: true }).click(),
    ]);
    const html = await readFile(await exported.path(), 'utf8');
    expect(html.split(`src="data:image/png;base64,${picture}"`)).toHaveLength(3);
    expect(html).toMatch(
      /Parley \(20\d\d-\d\d-\d\d \d\d:\d\d\)<\/strong><\/header><p [^>]*>after the snapshot/u,
    );
    await page.getByText('The conversation is exported.').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();

    const path = (await last.locator('img.picture').getAttribute('src')) ?? '';
    const address = new URL(path, parley.url).href;
    const unknownClient = await browser.newContext();
    expect((await unknownClient.request.get(address)).status()).toBe(403);
    await unknownClient.close();
    socket.send(snapshot(...messages(1)).frame);
    await page.locator('[data-message-id="m1"]').waitFor();
    expect((await page.request.get(address)).status()).toBe(404);
  });
});

describe('a long SVG picture', () => {
  it('is drawn, and runs no script in the window or when it is opened as a document', async () => {
    const { signedIn, parley } = scripted();
    const { page, socket } = await signedIn();
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="70" height="50" onload="top.ran = 1"><script>
      top.ran = document.documentElement.setAttribute('width', '99')</script>${' '.repeat(20_000)}</svg>`;
    socket.send(message('a', [item('image', 'drawing.svg', btoa(svg))]));
    const picture = page.getByRole('img', { name: 'drawing.svg' });
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth), POLLING).toBe(70);
    expect(await page.evaluate(() => 'ran' in window)).toBe(false);
    const document = await page.context().newPage();
    await document.goto(new URL((await picture.getAttribute('src')) ?? '', parley.url).href);
    expect(await document.locator('svg').getAttribute('width')).toBe('70');
    expect(await document.evaluate(() => 'ran' in window)).toBe(false);
    await document.close();
  });
});

describe('the channels that a page sends on', () => {
  it('spec §6.3 `messenger`: answers on `message` with every field of the snapshot, and does not answer before there is one', async () => {
    const { page, socket } = await scripted().openSignedIn();
    const messagesOn = await listenToChannels(page);
    await callPage(page, 'parley.send', 'messenger');
    // An answer to `messenger` would arrive before the answer to `encode`.
    await encodeIn(page, []);
    expect(await messagesOn('message')).toEqual([]);
    const { frame } = snapshot(...messages(2));
    const others = { theme: { hue: 4 }, name: 'not the person', unread: null };
    socket.send({ ...frame, ...others });
    socket.send({ category: 'text', text: 'more' });
    await expect.poll(() => messagesOn('message'), POLLING).toHaveLength(2);
    await callPage(page, 'parley.send', 'messenger');
    await expect.poll(() => messagesOn('message'), POLLING).toHaveLength(3);
    const [first, second] = messages(2);
    expect((await messagesOn('message')).at(-1)).toEqual([
      {
        ...others,
        person: 'Ada Lovelace',
        messages: [first, { ...second, content: [text('message 2'), { category: 'text', text: 'more' }] }],
      },
    ]);
  });

  it('spec §6.3 `encode`: returns an array buffer as base64', async () => {
    const { page } = await scripted().signedIn();
    expect(await encodeIn(page, [])).toBe('');
    expect(await encodeIn(page, [0, 255, 128, 7])).toBe('AP+ABw==');
    const big = Array.from({ length: 100_000 }, (_, at) => at % 256);
    expect(await encodeIn(page, big)).toBe(Buffer.from(big).toString('base64'));
  });

  it('spec §6.3 `auth`, §4.1: treats a name that is null or missing as empty, returns an error text or nothing, and sends no request for invalid credentials', async () => {
    const { platform, openSignedOut } = scripted();
    const page = await openSignedOut();
    const auth = (credentials: unknown) => callPage(page, 'parley.invoke', 'auth', credentials);
    const before = platform.auth.requests.all.length;
    const good = { ...CREDENTIALS, name: '' };
    expect(await auth({ ...good, email: 'grace' })).toEqual({ answer: 'Not a valid email.' });
    expect(await auth({ ...good, name: 'Al' })).toEqual({ answer: 'Name must be at least 5 long.' });
    expect(platform.auth.requests.all.length).toBe(before);
    platform.auth.answer({ status: 403, body: 'Not you.' });
    const requested = () => JSON.parse(platform.auth.requests.all.at(-1)?.body ?? '');
    expect(await auth({ ...CREDENTIALS, name: null })).toEqual({ answer: 'Not you.' });
    expect(requested()).toEqual(good);
    platform.auth.answer({ body: 'account-1' });
    for (const name of [{}, { name: '' }]) {
      // A later test counts the connections.
      const next = nextSocket(platform);
      expect(await auth({ ...CREDENTIALS, ...name })).toEqual({ answer: undefined });
      expect(requested()).toEqual(good);
      await page.locator('main[data-view="conversation"]').waitFor();
      await next();
      if ('name' in name) continue;
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.locator('main[data-view="login"]').waitFor();
    }
  });

  it('spec §6.3 nav, contract §3 web host: closes on `close`, minimises on any other value, of any type or none, and restores the window as it was', async () => {
    const { page, socket } = await scripted().signedIn();
    socket.send(message('a', [text('hello')]));
    await page.getByRole('article').waitFor();
    const cases = [
      [['close'], 'This window is closed.', 'Open again'],
      [['minimize'], 'This window is minimised.', 'Restore'],
      [['anything'], 'This window is minimised.', 'Restore'],
      [[], 'This window is minimised.', 'Restore'],
      [[null], 'This window is minimised.', 'Restore'],
      [[{ action: 'close' }], 'This window is minimised.', 'Restore'],
    ] as const;
    for (const [args, words, button] of cases) {
      await callPage(page, 'parley.send', 'nav', ...args);
      await page.getByRole('dialog', { name: words }).waitFor();
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      expect(await page.getByRole('article').count()).toBe(1);
    }
    await page.getByRole('button', { name: 'Minimize' }).click();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('dialog', { name: 'This window is closed.' }).waitFor();
    await page.getByRole('button', { name: 'Open again' }).click();
  });

  it('spec §6.3 message from the window, contract §4 validators: drops and logs invalid arguments, and the session continues', async () => {
    const { parley, openSignedIn } = scripted();
    const { page, socket } = await openSignedIn();
    const sent: [channel: string, ...args: unknown[]][] = [
      ['message'],
      ['message', null],
      ['message', 'text'],
      ['message', { ...OUTGOING, text: 7 }],
      ['message', { ...OUTGOING, blob: 'YQ==' }],
      ['message', { ...OUTGOING, category: 'html' }],
      ['message', { category: 'file', text: 'a', blob: 'no base64!' }],
      ['message', { category: 'image', text: null, blob: 'YQ==' }],
      ['message', OUTGOING, 'more'],
      ['message', { ...OUTGOING, text: '' }],
      ['message', { ...OUTGOING, text: 'x'.repeat(250) }],
      ['message', { category: 'file', text: 'a', blob: 'A'.repeat(1_333_336) }],
      ['logout', 'now'],
      ['nav', 'close', 'now'],
      ['messenger', {}],
    ];
    for (const [channel, ...args] of sent) await callPage(page, 'parley.send', channel, ...args);
    const invoked: [channel: string, argument: unknown][] = [
      ['encode', 'text'],
      ['auth', { email: 1 }],
      ['auth', null],
    ];
    for (const [channel, argument] of invoked) {
      expect(await callPage(page, 'parley.invoke', channel, argument)).toHaveProperty('error');
    }
    await callPage(page, 'parley.send', 'message', OUTGOING);
    expect(await socket.frames.next()).toBe(JSON.stringify(OUTGOING));
    expect(socket.frames.all).toHaveLength(1);
    expect(await page.locator('main').getAttribute('data-view')).toBe('conversation');
    for (const line of ['a message was dropped', 'a request was refused'])
      await expect
        .poll(() => parley.printed.stderr, POLLING)
        .toContain(`${line}: it is not valid, or not from a window of Parley`);
  });

  it('contract §3 250 characters, spec §8 text length, file size: accepts 249 characters and 999,999 bytes when main checks the limits again', async () => {
    const { page, socket } = await scripted().signedIn();
    const outgoings = [
      { ...OUTGOING, text: 'x'.repeat(249) },
      { category: 'file', text: 'a', blob: Buffer.alloc(999_999).toString('base64') },
    ];
    for (const outgoing of outgoings) {
      await callPage(page, 'parley.send', 'message', outgoing);
      expect(await socket.frames.next()).toBe(JSON.stringify(outgoing));
    }
  });
});

describe('the store', () => {
  it('contract §4 synchronisation: dispatches nothing in main for a page that bypasses its preload', async () => {
    const { page, socket } = await scripted().signedIn();
    const forged = connectionClosed({ code: 4000, reason: 'forged' });
    const said = [
      '["loaded"]',
      ...[SYNC_ACTION, SYNC_STATE_BLOCKING].map((name) => `["send","${name}",${stringify([forged])}]`),
      `["send","${SYNC_ACTION}",${stringify(['no action'])}]`,
      `["invoke",1,"encode",${stringify([new ArrayBuffer(1)])}]`,
    ];
    const answer = await page.evaluate(
      (frames) =>
        new Promise<string>((resolve) => {
          const line = new WebSocket('/-/bridge', [
            'parley-bridge',
            localStorage.getItem('parley-page-secret') ?? '',
          ]);
          line.addEventListener('open', () => frames.forEach((frame) => line.send(frame)));
          line.addEventListener('message', ({ data }) => {
            if (String(data).includes('"answer"')) resolve(String(data));
          });
        }),
      said,
    );
    expect(answer).toContain('AA==');
    socket.send(message('a', [text('after it')]));
    await page.getByRole('article').waitFor();
    expect(await page.locator('main').getAttribute('data-connection')).toBe('connected');
    expect(await page.getByText('forged').count()).toBe(0);
  });
});
