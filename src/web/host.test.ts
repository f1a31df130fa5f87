import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { POLLING } from '#tests/builders/polling.ts';
import { PAGE_FRAME_BYTES, encode } from './bridge/bridge.ts';
import { APP_URL, connectPage, openBridge, startTestHost } from './testing/startTestHost.ts';

async function start() {
  const started = await startTestHost();
  return { ...started, page: () => connectPage(started.browser) };
}

describe('messages', () => {
  it('arrive in order when many are sent both ways at once', async () => {
    const { host, window, page } = await start();
    const { ipcRenderer } = await page();
    const receivedByPage: unknown[] = [];
    ipcRenderer.on('down', (_event, value) => receivedByPage.push(value));
    const receivedByMain: unknown[] = [];
    host.ipcMain.on('up', (_event, value) => receivedByMain.push(value));
    const numbers = Array.from({ length: 500 }, (_, index) => index);
    for (const number of numbers) {
      ipcRenderer.send('up', number);
      window.webContents.send('down', number);
    }
    await vi.waitFor(
      () => expect([receivedByMain.length, receivedByPage.length]).toEqual([500, 500]),
      POLLING,
    );
    expect(receivedByMain).toEqual(numbers);
    expect(receivedByPage).toEqual(numbers);
  });

  it('keep bytes, maps and dates', async () => {
    const { host, page } = await start();
    host.ipcMain.handle('echo', (_event, ...args) => args);
    const args = [new Uint8Array([1, 2]).buffer, new Map([['a', 1]]), new Date(7)];
    expect(await (await page()).ipcRenderer.invoke('echo', ...args)).toEqual(args);
  });

  it('have the sender address of the app, not of the browser', async () => {
    const { host, window, page } = await start();
    const event = new Promise((resolve) => {
      host.ipcMain.once('who', resolve);
    });
    (await page()).ipcRenderer.send('who');
    expect(Reflect.get(Object(await event), 'senderFrame')).toBe(window.webContents.mainFrame);
    expect(await event).toMatchObject({
      sender: window.webContents,
      senderFrame: { url: APP_URL, origin: 'app://fixture' },
    });
  });

  it('fail with Electron’s error without a handler, or when the handler throws', async () => {
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

  it('fail with a clone error when the answer is a function', async () => {
    const { host, page } = await start();
    host.ipcMain.handle('function', () => () => {});
    await expect((await page()).ipcRenderer.invoke('function')).rejects.toThrow('could not be cloned');
  });

  it('are dropped when the window has no page, but must be clonable', async () => {
    const { window, page } = await start();
    window.webContents.send('early', 1);
    expect(() => window.webContents.send('early', () => {})).toThrow('An object could not be cloned.');
    const { received, ipcRenderer } = await page();
    window.webContents.send('late', 2);
    await vi.waitFor(() => expect(received).toContainEqual(['send', 'late', [2]]), POLLING);
    expect(received).not.toContainEqual(['send', 'early', [1]]);
    expect(ipcRenderer).toBeDefined();
  });

  it('are ignored on the channel `error` without a listener', async () => {
    const { host, page } = await start();
    host.ipcMain.handle('echo', (_event, value) => value);
    const { ipcRenderer } = await page();
    ipcRenderer.send('error', 'x');
    expect(await ipcRenderer.invoke('echo', 1)).toBe(1);
  });

  it.each([
    ['a sparse array', '["send","up",[[-7,4294967295,0,1],1]]'],
    ['17 arguments', `["send","up",[[${'1,'.repeat(16)}1],5]]`],
    ['brackets without end', '['.repeat(1_000_000)],
  ])('close the connection, not the host, when no page sends them: %s', async (_, frame) => {
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

  it('close the connection when they are too large', async () => {
    const { browser } = await start();
    const socket = openBridge(browser);
    socket.on('open', () => socket.send(' '.repeat(PAGE_FRAME_BYTES + 1)));
    expect(await new Promise((resolve) => void socket.on('close', resolve))).toBe(1009);
  });

  it('close the connection when they are not valid', async () => {
    const { browser } = await start();
    const socket = openBridge(browser);
    socket.on('open', () => socket.send('nonsense'));
    const code = await new Promise((resolve) => {
      socket.on('close', resolve);
    });
    expect(code).toBe(1007);
  });
});

describe('a page', () => {
  it('at the app’s address has the preload before its first script', async () => {
    const { browser } = await start();
    const response = await fetch(browser.origin, { headers: { cookie: browser.cookie } });
    expect(await response.text()).toBe('<script src="/-/preload.js"></script><script></script>');
  });

  it('shows the same window after a reload', async () => {
    const { host, window, page } = await start();
    const first = await page();
    first.connection.leave();
    await vi.waitFor(() => expect(window.page).toBeNull(), POLLING);
    await page();
    expect(window.page).not.toBeNull();
    expect(host.BrowserWindow.getAllWindows()).toEqual([window]);
  });

  it('makes its window emit `did-finish-load` and `ready-to-show` when it has loaded', async () => {
    const { window, page } = await start();
    const events: string[] = [];
    window.webContents.on('did-finish-load', () => events.push('did-finish-load'));
    window.once('ready-to-show', () => events.push('ready-to-show'));
    const { connection } = await page();
    connection.send(encode(['loaded']));
    await vi.waitFor(() => expect(events).toEqual(['did-finish-load', 'ready-to-show']), POLLING);
  });

  it('shows the window that main opens for a new tab when it connects second', async () => {
    const { host, window, page } = await start();
    host.app.on('new-window-for-tab', () => void new host.BrowserWindow().loadURL(APP_URL));
    await page();
    const { received } = await page();
    const [, second] = host.BrowserWindow.getAllWindows();
    await vi.waitFor(() => expect(received).toContainEqual(['window', 'shown']), POLLING);
    expect(second?.page).not.toBeNull();
    expect(second?.page).not.toBe(window.page);
  });

  it('is refused when it connects second and main opens no window', async () => {
    const { page } = await start();
    await page();
    const { received } = await page();
    await vi.waitFor(() => expect(received).toContainEqual(['window', 'refused']), POLLING);
  });

  it('activates the app and shows the window when it connects to a hidden window', async () => {
    const { host, window, page } = await start();
    window.hide();
    const activated = vi.fn<() => void>();
    host.app.on('activate', activated);
    await page();
    expect(activated).toHaveBeenCalledOnce();
    expect(window.isVisible()).toBe(true);
  });

  it('shows its own hidden window on request, and no other', async () => {
    const { host, window, page } = await start();
    host.app.on('new-window-for-tab', () => void new host.BrowserWindow().loadURL(APP_URL));
    await page();
    const { connection } = await page();
    const [, second] = host.BrowserWindow.getAllWindows();
    window.hide();
    second?.hide();
    connection.send(encode(['show']));
    await vi.waitFor(() => expect(second?.isVisible()).toBe(true), POLLING);
    expect(window.isVisible()).toBe(false);
  });

  it('shows the window that main opens on `activate` when no window was left', async () => {
    const { host, window, page } = await start();
    host.app.on('window-all-closed', () => {});
    window.close();
    host.app.on('activate', () => void new host.BrowserWindow().loadURL(APP_URL));
    const { received } = await page();
    await vi.waitFor(() => expect(received).toContainEqual(['window', 'shown']), POLLING);
  });

  it('receives the states of its window', async () => {
    const { host, window, page } = await start();
    host.app.on('window-all-closed', () => {});
    const { received } = await page();
    window.minimize();
    window.restore();
    window.hide();
    window.show();
    window.destroy();
    const states = () => received.flatMap((message) => (message[0] === 'window' ? [message[1]] : []));
    await vi.waitFor(
      () => expect(states()).toEqual(['shown', 'minimized', 'shown', 'hidden', 'shown', 'closed']),
      POLLING,
    );
  });
});

describe('quit', () => {
  it('emits Electron’s events in order and ends within two seconds with connected pages', async () => {
    const { host, window, page } = await start();
    await page();
    const events: string[] = [];
    host.app.on('before-quit', () => events.push('before-quit'));
    window.on('close', () => events.push('close'));
    window.on('closed', () => events.push('closed'));
    host.app.on('window-all-closed', () => events.push('window-all-closed'));
    host.app.on('will-quit', () => events.push('will-quit'));
    host.app.on('quit', () => events.push('quit'));
    const begun = performance.now();
    host.app.quit();
    expect(await host.ended).toBe(0);
    expect(performance.now() - begun).toBeLessThan(2000);
    expect(events).toEqual(['before-quit', 'close', 'closed', 'will-quit', 'quit']);
  });

  it('ends within two seconds when a page does not respond', async () => {
    const { host, browser } = await start();
    const socket = openBridge(browser);
    await once(socket, 'open');
    socket.pause();
    const begun = performance.now();
    host.app.quit();
    expect(await host.ended).toBe(0);
    expect(performance.now() - begun).toBeLessThan(2000);
  });

  it('can be repeated after a window prevented it', async () => {
    const { host, window } = await start();
    const willQuit = vi.fn<() => void>();
    host.app.on('will-quit', willQuit);
    window.once('close', (event) => event.preventDefault());
    host.app.quit();
    expect(willQuit).not.toHaveBeenCalled();
    expect(window.isDestroyed()).toBe(false);
    host.app.quit();
    expect(await host.ended).toBe(0);
  });

  it('closes no window when `before-quit` prevents it', async () => {
    const { host, window } = await start();
    host.app.once('before-quit', (event) => event.preventDefault());
    host.app.quit();
    expect(window.isDestroyed()).toBe(false);
  });

  it('follows the close of the last window when no listener prevents it', async () => {
    const { host, window } = await start();
    window.close();
    expect(await host.ended).toBe(0);
  });
});

describe('a missing method', () => {
  it('throws an error with its name', async () => {
    const { host, window } = await start();
    const missing: readonly [object, string, string][] = [
      [host.app, 'dock', 'electron.app.dock is not available in the web host'],
      [window, 'setOpacity', 'electron.BrowserWindow.setOpacity is not available in the web host'],
      [window.webContents, 'executeJavaScript', 'electron.webContents.executeJavaScript is not available'],
      [host.shell, 'beep', 'electron.shell.beep is not available'],
      [host.safeStorage, 'encryptString', 'electron.safeStorage.encryptString is not available'],
      [host.ipcMain, 'handleOnce', 'electron.ipcMain.handleOnce is not available'],
    ];
    for (const [owner, name, message] of missing) expect(() => Reflect.get(owner, name)).toThrow(message);
    expect(() => host.app.getPath('home')).toThrow("electron.app.getPath('home') was not set");
  });
});
