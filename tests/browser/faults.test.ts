import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { type TestContext, describe, expect, it } from 'vitest';
import { DISK_FULL } from '#main/window/createNotices.ts';
import { FRAME_BYTES } from '#shared/limits.ts';
import { platformEnvironment } from '#tests/builders/startPlatform.ts';
import { folderFor } from './harness/folderFor.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { sendMessage } from './harness/sendMessage.ts';
import { conversationOf } from './harness/signUp.ts';
import { connect, nextSocket, setUpScripted } from './harness/setUpScripted.ts';
import { startParleyFor } from './harness/startParleyFor.ts';
import { message, messages, snapshot, text } from './harness/message.ts';

/** Checks how the window reports faults of the platform and of this machine. */

/** Injects real faults: this module is loaded before the program; its patches throw for certain values. */
const FAULTS = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { hasOwn } = Object;
Object.hasOwn = (value, key) => {
  if (hasOwn(value, 'fault-in-a-frame')) throw new TypeError('secret-frame');
  return hasOwn(value, key);
};
const { stringify } = JSON;
JSON.stringify = (value, ...rest) => {
  if (value?.text === 'fault in a listener') throw new TypeError('secret-listener');
  return stringify(value, ...rest);
};
const { writeSync } = fs;
process.on('SIGWINCH', () => {
  fs.writeSync = fs.writeSync === writeSync ? writeNothing : writeSync;
  syncBuiltinESMExports();
});
function writeNothing(fd, ...rest) {
  if (fd > 2) throw Object.assign(new Error('secret-disk'), { code: 'ENOSPC' });
  return writeSync(fd, ...rest);
}
process.on('SIGUSR2', () => {
  setTimeout(() => { throw new RangeError('secret-timer'); });
  Promise.reject(new SyntaxError('secret-rejection'));
});
`;

const scripted = setUpScripted({
  env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(FAULTS)}` },
});

const view = (page: Page, name: string) => page.locator(`main[data-view="${name}"]`).waitFor();
const logOf = (dataDir: string) => readFileSync(join(dataDir, 'logs', 'parley.log'), 'utf8');

/** Opens a page in a fresh browser context, which is closed after the test. */
async function newPage(browser: Browser, { onTestFinished }: TestContext): Promise<Page> {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  return context.newPage();
}

describe('a frame', () => {
  it('contract §5 rejected: ignores frames that are not updates and does not log their text', async () => {
    const { parley, signedIn } = scripted();
    const { page, socket } = await signedIn();
    socket.send(snapshot(...messages(2)).frame);
    socket.sendBinary(Buffer.from('{"name":"secret-binary"}'));
    socket.sendText(Buffer.from([0x22, 0xff, 0x22]));
    socket.sendText('secret-words');
    socket.sendText('["secret-list"]');
    socket.send({ person: 'secret-person', messages: [{ id: 'a', content: [{ text: 7 }] }] });
    socket.send({ modifier: 'ai', content: 'secret-content' });
    socket.send({ text: { secret: 'secret-text' } });
    socket.send(message('last', [text('after them')]));
    await conversationOf(page).getByText('after them', { exact: true }).waitFor();
    expect(await conversationOf(page).textContent()).toBe('message 1Parleymessage 2Parleyafter themParley');
    expect(await page.getByRole('button', { name: 'Write a message' }).textContent()).toBe('AL');
    expect(await page.locator('main').getAttribute('data-connection')).toBe('connected');
    const log = logOf(parley.dataDir);
    for (const reason of ['notText', 'notJson', 'notAnObject', 'wrongType']) expect(log).toContain(reason);
    expect(log).toContain('messages[0].content[0].text');
    expect(log).not.toContain('secret');
  });

  it('contract §5: rejects frames that cannot be cloned or are nested too deep, and the session continues', async () => {
    const { parley, signedIn } = scripted();
    const { page, socket } = await signedIn();
    socket.sendText('{"modifier":"ai","__proto__":1}');
    socket.sendText(
      '{"person":"Eve","messages":[{"modifier":"ai","content":[{"category":"text","x":{"__proto__":{}}}]}]}',
    );
    socket.sendText(String.raw`{"modifier":"ai","id":"secret","\u005f_proto__":null}`);
    socket.sendText(`{"modifier":"ai","id":"secret","x":${'['.repeat(1720)}${']'.repeat(1720)}}`);
    socket.sendText('['.repeat(6000) + ']'.repeat(6000));
    const last = JSON.stringify(message('last', [text('after them')])).slice(0, -1);
    socket.sendText(`${last},"then":1,"toJSON":"x","constructor":{"prototype":1}}`);
    await conversationOf(page).getByText('after them', { exact: true }).waitFor();
    expect(await conversationOf(page).getByRole('article').count()).toBe(1);
    await page.reload();
    await conversationOf(page).getByText('after them', { exact: true }).waitFor();
    const log = logOf(parley.dataDir);
    for (const [reason, count] of [
      ['protoKey', 3],
      ['tooDeep', 2],
    ] as const)
      expect(log.split(reason)).toHaveLength(count + 1);
    expect(log).not.toContain('secret');
  });

  it('stops the connection and shows the reason when it is over 320 MB; Reconnect connects once', async () => {
    const { platform, parley, signedIn } = scripted();
    const { page, socket } = await signedIn();
    socket.send(snapshot(...messages(2)).frame);
    await conversationOf(page).getByText('message 2', { exact: true }).waitFor();
    socket.sendHeader(FRAME_BYTES + 1);
    await page.getByText('Disconnected: A message from the platform was over 320 MB').waitFor();
    expect(logOf(parley.dataDir)).toContain('a frame over the socket’s limit came');
    const before = platform.upgrades.all.length;
    const next = nextSocket(platform);
    await page.getByRole('button', { name: 'Reconnect' }).click();
    await connect(page, await next());
    expect(platform.upgrades.all.length).toBe(before + 1);
    expect(await conversationOf(page).getByRole('article').count()).toBe(2);
  });
});

describe('the process', () => {
  it('contract §2 ready line: a second start in the same folder shows the closed window again, prints an address of the first and exits with 0', async (test) => {
    const { browser, parley, open } = scripted();
    const closed = (await open()).getByRole('dialog', { name: 'This window is closed.' });
    await scripted().page.getByRole('button', { name: 'Close', exact: true }).click();
    await closed.waitFor();
    const second = await startParleyFor(test, { dataDir: parley.dataDir });
    if (second.process.exitCode === null) await once(second.process, 'exit');
    expect(second.process.exitCode).toBe(0);
    await closed.waitFor({ state: 'hidden' });
    expect(new URL(second.url).origin).toBe(new URL(parley.url).origin);
    expect(second.printed.stdout.trim().split('\n')).toHaveLength(1);
    const page = await newPage(browser, test);
    expect((await page.goto(second.url))?.status()).toBe(200);
    await page.locator('main:not([data-view="splash"])').waitFor();
  });
});

describe('stored files', () => {
  it('contract §2: a corrupt account file starts signed out, keeps a copy and logs one line', async (test) => {
    const { browser, platform } = scripted();
    const dataDir = folderFor(test);
    const contents = '{"version":1,"platform":"w","account":"secret-acc';
    writeFileSync(join(dataDir, 'account.json'), contents);
    const parley = await startParleyFor(test, { dataDir, env: platformEnvironment(platform) });
    const page = await newPage(browser, test);
    await page.goto(parley.url);
    await view(page, 'login');
    expect(await parley.stop()).toBe(0);
    expect(readFileSync(join(dataDir, 'account.json.corrupt-1'), 'utf8')).toBe(contents);
    expect(existsSync(join(dataDir, 'account.json'))).toBe(false);
    expect(logOf(dataDir).match(/the account file is corrupt/gu)).toHaveLength(1);
    expect(logOf(dataDir)).not.toContain('secret');
  });
});

describe('a full disk', () => {
  it('is shown once, the session continues, and the window says when files are written again', async () => {
    const { parley, signedIn } = scripted();
    const { page, socket } = await signedIn();
    const notices = await watchNotices(page);
    // Each rejected frame logs a line; the log limits equal lines.
    const slowPolling = { ...POLLING, interval: 200 };
    const rejected = (number: number) => socket.send({ modifier: number });
    parley.process.kill('SIGWINCH');
    await expect
      .poll(async () => {
        rejected(1);
        return page.locator('.note').textContent();
      }, slowPolling)
      .toContain(DISK_FULL);
    rejected(2);
    socket.send(message('a', [text('on a full disk')]));
    await conversationOf(page).getByText('on a full disk', { exact: true }).waitFor();
    expect(await notices()).toEqual([DISK_FULL]);
    parley.process.kill('SIGWINCH');
    await expect
      .poll(() => {
        rejected(3);
        return page.locator('.note').textContent();
      }, slowPolling)
      .toContain('Files can be written again');
    expect(logOf(parley.dataDir)).toContain('log lines were lost');
    expect(logOf(parley.dataDir)).not.toContain('secret');
  });
});

/** Records the notices that main sends to the page from now on. */
async function watchNotices(page: Page): Promise<() => Promise<unknown>> {
  await page.evaluate(() => {
    const notices: unknown[] = [];
    Reflect.set(window, 'testNotices', notices);
    window.parleySync.onAction((action) => {
      const { type, payload } = Object(action);
      if (/^notices\/raised|^writing\/paused/u.test(type)) notices.push(Object(payload).text);
    });
  });
  return () => page.evaluate<unknown>('testNotices');
}

describe('an error of the program', () => {
  it('in a frame, a listener, a timer or a promise, is logged without its message, shown, and the session continues', async () => {
    const { parley, signedIn } = scripted();
    const { page, socket } = await signedIn();
    const noted = async () => {
      const note = page.getByText('Parley had an unexpected error and continues.');
      await note.waitFor();
      await page.getByRole('button', { name: 'Dismiss' }).click();
      await note.waitFor({ state: 'detached' });
    };
    socket.sendText('{"fault-in-a-frame":1}');
    socket.send(message('a', [text('after a frame')]));
    await noted();
    await sendMessage(page, 'fault in a listener');
    await noted();
    parley.process.kill('SIGUSR2');
    await noted();
    socket.send(message('b', [text('after a timer')]));
    await conversationOf(page).getByText('after a timer', { exact: true }).waitFor();
    expect(await conversationOf(page).getByText('after a frame', { exact: true }).count()).toBe(1);
    await sendMessage(page, 'still writing');
    expect(await socket.frames.next()).toContain('"still writing"');
    const log = logOf(parley.dataDir);
    for (const error of ['TypeError', 'RangeError', 'SyntaxError'])
      expect(log).toContain(`"error":"${error}"`);
    expect(log).not.toContain('secret');
  });
});
