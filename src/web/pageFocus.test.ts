import { expect, it, vi } from 'vitest';
import { POLLING } from '#tests/builders/polling.ts';
import { encode } from './bridge/bridge.ts';
import { connectPage, startTestHost } from './testing/startTestHost.ts';

/** The reports of a page about its focus, and what main can only do through a page. */

const REFUSED = 'does not let its page write';

async function start() {
  const { browser, ...started } = await startTestHost();
  return { ...started, page: () => connectPage(browser) };
}

it('gives the window the focus of its page', async () => {
  const { host, window, page } = await start();
  const events: string[] = [];
  window.on('focus', () => events.push('focus'));
  window.on('blur', () => events.push('blur'));
  const { connection } = await page();
  expect(host.BrowserWindow.getFocusedWindow()).toBeNull();
  connection.send(encode(['focus', true]));
  await vi.waitFor(() => expect(host.BrowserWindow.getFocusedWindow()).toBe(window), POLLING);
  connection.send(encode(['focus', false]));
  await vi.waitFor(() => expect(events).toEqual(['focus', 'blur']), POLLING);
  expect(window.isFocused()).toBe(false);
});

it('removes the focus from a window whose focused page disconnects', async () => {
  const { window, page } = await start();
  const { connection } = await page();
  connection.send(encode(['focus', true]));
  await vi.waitFor(() => expect(window.isFocused()).toBe(true), POLLING);
  const blurred = vi.fn<() => void>();
  window.on('blur', blurred);
  connection.leave();
  await vi.waitFor(() => expect(blurred).toHaveBeenCalledOnce(), POLLING);
  expect(window.isFocused()).toBe(false);
});

it('writes text to the clipboard through the page, and resolves when the page confirms it', async () => {
  const { host, page } = await start();
  const { connection, received } = await page();
  const written = host.clipboard.writeText('hello');
  await vi.waitFor(() => expect(received).toContainEqual(['copy', 1, 'hello']), POLLING);
  connection.send(encode(['copied', 1, true]));
  await expect(written).resolves.toBeUndefined();
});

it('rejects when the browser refuses to write to the clipboard, or the page disconnects', async () => {
  const { host, page } = await start();
  const { connection, received } = await page();
  const refused = host.clipboard.writeText('one').catch(String);
  await vi.waitFor(() => expect(received).toContainEqual(['copy', 1, 'one']), POLLING);
  connection.send(encode(['copied', 1, false]));
  expect(await refused).toContain(REFUSED);
  const lost = host.clipboard.writeText('two').catch(String);
  await vi.waitFor(() => expect(received).toContainEqual(['copy', 2, 'two']), POLLING);
  connection.leave();
  expect(await lost).toContain(REFUSED);
});

it('rejects a write to the clipboard without a page', async () => {
  const { host } = await start();
  await expect(host.clipboard.writeText('x')).rejects.toThrow('There is no page');
});

it('stores the title, refuses the badge and reports no displays', async () => {
  const { host, window } = await start();
  expect(window.getTitle()).toBe('First');
  window.setTitle('(3) Parley');
  expect(window.getTitle()).toBe('(3) Parley');
  expect(host.app.setBadgeCount()).toBe(false);
  expect(host.screen.getAllDisplays()).toEqual([]);
});
