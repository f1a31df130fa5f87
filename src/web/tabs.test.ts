import { expect, test, vi } from 'vitest';
import { POLLING } from '#tests/builders/polling.ts';
import { APP_URL, connectPage, startTestHost } from './testing/startTestHost.ts';

/** A second address of the app, in a tab that the page of the first one opens. */

const OTHER = 'app://fixture/other/index.html';

/** Starts a host whose window is shown by a page. */
async function start() {
  const started = await startTestHost();
  const page = await connectPage(started.browser);
  const openOther = async () => {
    const other = new started.host.BrowserWindow();
    await other.loadURL(OTHER);
    return other;
  };
  return { ...started, page, openOther };
}

const orders = (page: Awaited<ReturnType<typeof connectPage>>) =>
  page.received.filter(([what]) => what === 'open');

test('requests a tab from the connected page for a new window, and shows the window in that tab', async () => {
  const { window, browser, page, openOther } = await start();
  const other = await openOther();
  const name = `parley-${other.id}`;
  await vi.waitFor(() => expect(orders(page)).toEqual([['open', '/other/index.html', name]]), POLLING);
  const tab = await connectPage(browser, '/other/index.html');
  other.webContents.send('for the other');
  window.webContents.send('for the app');
  await vi.waitFor(() => expect(tab.received).toContainEqual(['send', 'for the other', []]), POLLING);
  await vi.waitFor(() => expect(page.received).toContainEqual(['send', 'for the app', []]), POLLING);
  expect(tab.received).not.toContainEqual(['send', 'for the app', []]);
  expect(page.received).not.toContainEqual(['send', 'for the other', []]);
});

test('requests the tab from the page that sent the last message', async () => {
  const { host, browser, page, openOther } = await start();
  host.app.on('new-window-for-tab', () => void new host.BrowserWindow().loadURL(APP_URL));
  const second = await connectPage(browser);
  const received = vi.fn<() => void>();
  host.ipcMain.on('press', received);
  page.ipcRenderer.send('press');
  await vi.waitFor(() => expect(received).toHaveBeenCalled(), POLLING);
  await openOther();
  await vi.waitFor(() => expect(orders(page)).toHaveLength(1), POLLING);
  expect(orders(second)).toEqual([]);
});

test('requests the tab again when the window is focused again, but not for a window in the browser’s own tab', async () => {
  const { window, browser, page, openOther } = await start();
  const other = await openOther();
  const tab = await connectPage(browser, '/other/index.html');
  window.focus();
  other.focus();
  const path = '/other/index.html';
  await vi.waitFor(() => expect(orders(page).map((order) => order[1])).toEqual([path, path]), POLLING);
  other.webContents.send('after');
  await vi.waitFor(() => expect(tab.received).toContainEqual(['send', 'after', []]), POLLING);
  expect(orders(tab)).toEqual([]);
});

test('shows the same window after a reload of the tab', async () => {
  const { browser, openOther } = await start();
  const other = await openOther();
  const tab = await connectPage(browser, '/other/index.html');
  tab.connection.leave();
  await vi.waitFor(() => expect(other.page).toBeNull(), POLLING);
  const again = await connectPage(browser, '/other/index.html');
  other.webContents.send('x');
  await vi.waitFor(() => expect(again.received).toContainEqual(['send', 'x', []]), POLLING);
});

test('refuses a page at an address that no window shows, and opens none for it', async () => {
  const { host, browser } = await start();
  const opened = vi.fn<() => void>();
  host.app.on('new-window-for-tab', opened);
  host.app.on('activate', opened);
  const tab = await connectPage(browser, '/other/index.html');
  await vi.waitFor(() => expect(tab.received).toContainEqual(['window', 'refused']), POLLING);
  expect(opened).not.toHaveBeenCalled();
});

test('refuses a path outside the app', async () => {
  const { browser } = await start();
  const tab = await connectPage(browser, '/../secret');
  await vi.waitFor(() => expect(tab.received).toContainEqual(['window', 'refused']), POLLING);
});

test('shows the tray’s title and icon only in tabs at the app’s address', async () => {
  const { host, browser, page, openOther } = await start();
  await openOther();
  const tab = await connectPage(browser, '/other/index.html');
  new host.Tray('data:image/png;base64,').setToolTip('connected');
  await vi.waitFor(
    () => expect(page.received).toContainEqual(['tray', 'connected', expect.any(String)]),
    POLLING,
  );
  expect(tab.received.filter(([what]) => what === 'tray')).toEqual([]);
});
