import { once } from 'node:events';
import { expect, it, vi } from 'vitest';
import { encode } from './bridge/bridge.ts';
import { APP_URL, connectPage, openBridge, startTestHost } from './testing/startTestHost.ts';

async function start() {
  const started = await startTestHost();
  return { ...started, page: () => connectPage(started.browser) };
}

it('messages fail with Electron’s error without a handler, or when the handler throws', async () => {
  const { host, page } = await start();
  host.ipcMain.handle('broken', () => {
    throw new TypeError('no');
  });
  const { ipcRenderer } = await page();
  await expect(ipcRenderer.invoke('none')).rejects.toThrow(
    "Error invoking remote method 'none': Error: No handler registered for 'none'",
  );
  await expect(ipcRenderer.invoke('broken')).rejects.toThrow(
    "Error invoking remote method 'broken': TypeError: no",
  );
});

it.each([
  ['a sparse array', '["send","up",[[-7,4294967295,0,1],1]]'],
  ['brackets without end', '['.repeat(1_000_000)],
])('messages close the connection, not the host, when no page sends them: %s', async (_, frame) => {
  const { host, browser, page } = await start();
  let received = 0;
  host.ipcMain.on('up', () => (received += 1));
  host.ipcMain.handle('echo', (_event, value) => value);
  const socket = openBridge(browser);
  socket.on('open', () => socket.send(frame));
  expect(await new Promise((resolve) => void socket.on('close', resolve))).toBe(1007);
  expect(await (await page()).ipcRenderer.invoke('echo', 1)).toBe(1);
  expect(received).toBe(0);
});

it('a page shows the same window after a reload', async () => {
  const { host, window, page } = await start();
  const first = await page();
  first.connection.send(encode(['focus', true]));
  await once(window, 'focus');
  first.connection.leave();
  await once(window, 'blur');
  expect(window.page).toBeNull();
  await page();
  expect(window.page).not.toBeNull();
  expect(host.BrowserWindow.getAllWindows()).toEqual([window]);
});

it('a page shows the window that main opens for a new tab when it connects second', async () => {
  const { host, window, page } = await start();
  host.app.on('new-window-for-tab', () => void new host.BrowserWindow().loadURL(APP_URL));
  await page();
  const { untilReceived } = await page();
  const [, second] = host.BrowserWindow.getAllWindows();
  await untilReceived('window', 'shown');
  expect(second?.page).not.toBeNull();
  expect(second?.page).not.toBe(window.page);
});

it('a page activates the app and shows the window when it connects to a hidden window', async () => {
  const { host, window, page } = await start();
  window.hide();
  const activated = vi.fn<() => void>();
  host.app.on('activate', activated);
  await page();
  expect(activated).toHaveBeenCalledOnce();
  expect(window.isVisible()).toBe(true);
});

it('a page receives the states of its window', async () => {
  const { host, window, page } = await start();
  host.app.on('window-all-closed', () => {});
  const { received, untilReceived } = await page();
  window.minimize();
  window.restore();
  window.hide();
  window.show();
  window.destroy();
  const states = () => received.flatMap((message) => (message[0] === 'window' ? [message[1]] : []));
  await untilReceived('window', 'closed');
  expect(states()).toEqual(['shown', 'minimized', 'shown', 'hidden', 'shown', 'closed']);
});

it('quit emits Electron’s events in order and ends with connected pages, unless `before-quit` prevents it', async () => {
  const { host, window, page } = await start();
  await page();
  host.app.once('before-quit', (event) => event.preventDefault());
  host.app.quit();
  expect(window.isDestroyed()).toBe(false);
  const events: string[] = [];
  host.app.on('before-quit', () => events.push('before-quit'));
  window.on('close', () => events.push('close'));
  window.on('closed', () => events.push('closed'));
  host.app.on('window-all-closed', () => events.push('window-all-closed'));
  host.app.on('will-quit', () => events.push('will-quit'));
  host.app.on('quit', () => events.push('quit'));
  host.app.quit();
  expect(await host.ended).toBe(0);
  expect(events).toEqual(['before-quit', 'close', 'closed', 'will-quit', 'quit']);
});

it('quit follows the close of the last window, also when a page does not respond, after one pause of at most two seconds', async () => {
  const { host, browser, window } = await start();
  const socket = openBridge(browser);
  await once(socket, 'open');
  socket.pause();
  window.close();
  expect(await host.ended).toBe(0);
});

const REFUSED = 'does not let its page write';

it('rejects when the browser refuses to write to the clipboard, or the page disconnects', async () => {
  const { host, page } = await start();
  const { connection, untilReceived } = await page();
  const refused = host.clipboard.writeText('one').catch(String);
  await untilReceived('copy', 1, 'one');
  connection.send(encode(['copied', 1, false]));
  expect(await refused).toContain(REFUSED);
  const lost = host.clipboard.writeText('two').catch(String);
  await untilReceived('copy', 2, 'two');
  connection.leave();
  expect(await lost).toContain(REFUSED);
});

it('requests a tab from the connected page for a new window, and shows the window in that tab', async () => {
  const { host, window, browser } = await start();
  const page = await connectPage(browser);
  const other = new host.BrowserWindow();
  await other.loadURL('app://fixture/other/index.html');
  const name = `parley-${other.id}`;
  await page.untilReceived('open', '/other/index.html', name);
  expect(page.received.filter(([what]) => what === 'open')).toHaveLength(1);
  const tab = await connectPage(browser, '/other/index.html');
  other.webContents.send('for the other');
  window.webContents.send('for the app');
  await tab.untilReceived('send', 'for the other', []);
  await page.untilReceived('send', 'for the app', []);
  expect(tab.received).not.toContainEqual(['send', 'for the app', []]);
  expect(page.received).not.toContainEqual(['send', 'for the other', []]);
});
