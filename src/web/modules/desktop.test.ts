import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type ToHost, type ToPage, readFromHost } from '../bridge/bridge.ts';
import { Pages, Windows } from './connectedPages.ts';
import * as desktop from './desktopModules.ts';
import { App } from './hostApp.ts';
import { HostWindow } from './hostWindow.ts';
import { IpcMain } from './ipcMain.ts';
import { createProtocol, createSession, handlerAddress } from './protocol.ts';
import { HostPowerMonitor } from './powerMonitor.ts';

const { HostTray, createGlobalShortcut, createMenu, nativeImage } = desktop;
const { HostNotification, Notifications, PageClipboard } = desktop;
const PIXEL = 'data:image/png;base64,AAAA';

it('the tray shows its title and icon on the page until it is destroyed', () => {
  const show = vi.fn<(title: string | null, icon: string | null) => void>();
  const tray = new HostTray(show, nativeImage.createFromDataURL(PIXEL));
  tray.setToolTip('Connected');
  tray.destroy();
  tray.setToolTip('Too late');
  tray.destroy();
  expect(show.mock.calls).toEqual([
    [null, PIXEL],
    ['Connected', PIXEL],
    [null, null],
  ]);
});

it('the permissions policy names the permissions that main’s check denies', () => {
  const { session, permissionsPolicy } = createSession();
  expect(permissionsPolicy('app://x')).toBe('');
  session.defaultSession.setPermissionCheckHandler(
    (_contents, permission, ...[, details]) => permission !== 'usb' && details.mediaType !== 'video',
  );
  expect(permissionsPolicy('app://x')).toBe('camera=(), usb=()');
});

it.each([
  ['/', 'app://x/index.html'],
  ['/assets/a.js', 'app://x/assets/a.js'],
  ['//elsewhere/a.js', 'app://x//elsewhere/a.js'],
  ['/../a', null],
  ['/a/%2E%2e/b', null],
  ['/..%2f..%2fetc/passwd', null],
  ['/a%2Fb', null],
  ['/a%5c..%5cb', null],
  ['/a%00', null],
])('the requested path %s becomes the address %s', (path, address) => {
  expect(handlerAddress('app://x/index.html', path)).toBe(address);
});

it('a request for a document returns the secret and the preload before its scripts, and main’s headers; no other file is changed', async () => {
  const { protocol, answer } = createProtocol();
  const html = '<head><SCRIPT src=a></SCRIPT></head>';
  const policy = { 'content-security-policy': "default-src 'none'" };
  protocol.handle('app', ({ url }) => {
    const type = url.endsWith('.html') ? 'text/html; charset=utf-8' : 'text/css';
    return new Response(html, { headers: { ...policy, 'content-type': type } });
  });
  const response = await answer('app://x/index.html', 'S');
  const added = '<meta name="parley-page-secret" content="S" /><script src="/-/preload.js"></script>';
  expect(await response.text()).toBe(html.replace('<head>', `<head>${added}`));
  expect(Object.fromEntries(response.headers)).toMatchObject(policy);
  expect(await (await answer('app://x/a.css', 'S')).text()).toBe(html);
});

it('sends registered shortcuts to the pages and presses to main until they are unregistered', () => {
  const shown: (readonly string[])[] = [];
  const press = vi.fn<() => void>();
  const { globalShortcut, pressed } = createGlobalShortcut((accelerators) => shown.push(accelerators));
  const keys = 'CommandOrControl+Return';
  expect([globalShortcut.register(keys, press), globalShortcut.isRegistered(keys)]).toEqual([true, true]);
  pressed(keys);
  pressed('Control+A');
  expect(press).toHaveBeenCalledTimes(1);
  expect(globalShortcut.register(keys, expect.unreachable)).toBe(false);
  pressed(keys);
  expect(press).toHaveBeenCalledTimes(2);
  globalShortcut.unregister(keys);
  globalShortcut.unregister(keys);
  pressed(keys);
  expect([press.mock.calls.length, globalShortcut.isRegistered(keys)]).toEqual([2, false]);
  globalShortcut.register(keys, press);
  globalShortcut.unregisterAll();
  pressed(keys);
  expect([press.mock.calls.length, shown]).toEqual([2, [[keys], [], [keys], []]]);
  expect(() => globalShortcut.register('F5', press)).toThrow("'F5' is not available");
});

/** Simulates a machine with virtual clocks, and a listener. `hasAwakeTime`: one clock stops while the machine sleeps. */
function machine({ hasAwakeTime = true } = {}) {
  const clocks = { now: 1_000_000, awake: 5000, cpu: 0 };
  let check: (() => void) | undefined;
  const monitor = new HostPowerMonitor({
    now: () => clocks.now,
    awakeTime: hasAwakeTime ? () => clocks.awake : undefined,
    cpuTime: () => clocks.cpu,
    every: (ms, task) => {
      expect(ms).toBe(250);
      check = task;
    },
  });
  const resumed = vi.fn<() => void>();
  monitor.on('resume', resumed);
  return {
    resumed,
    /** Advances the time of day, the time that the machine was awake and the processor time to the next check. */
    pass(time: number, awake = time, cpu = 0) {
      clocks.now += time;
      clocks.awake += awake;
      clocks.cpu += cpu;
      check?.();
    },
  };
}

it('emits `resume` once with a clock that stops during a sleep, at the first check after a sleep', () => {
  const { resumed, pass } = machine();
  pass(5000, 100);
  expect(resumed).toHaveBeenCalledTimes(1);
  pass(250);
  pass(8 * 3_600_000, 240);
  expect(resumed).toHaveBeenCalledTimes(2);
});

it('emits `resume` with other clocks after a late check, but not while the process is on time, or busy, also on a shared processor', () => {
  const { resumed, pass } = machine({ hasAwakeTime: false });
  for (const time of [250, 260, 1900, 2000, 250]) pass(time);
  pass(5000, 5000, 5000);
  pass(30_000, 30_000, 9000);
  expect(resumed).not.toHaveBeenCalled();
  pass(5000, 5000, 300);
  expect(resumed).toHaveBeenCalledTimes(1);
  pass(250);
  pass(-3_600_000);
  expect(resumed).toHaveBeenCalledTimes(1);
  pass(8 * 3_600_000);
  expect(resumed).toHaveBeenCalledTimes(2);
});

function createApp() {
  const deps = {
    closeWindows: vi.fn<() => boolean>(() => true),
    destroyWindows: vi.fn<() => void>(),
    takeLock: vi.fn<(folder: string) => boolean>(() => true),
    stop: vi.fn<(code: number) => Promise<number>>(async (code) => code),
    exit: vi.fn<(code: number) => void>(),
    onSignal: vi.fn<(listener: () => void) => void>(),
  };
  const app = new App(deps);
  const emitted: string[] = [];
  for (const event of ['ready', 'before-quit', 'will-quit', 'quit'] as const)
    app.on(event, () => emitted.push(event));
  return { app, ...deps, emitted };
}

it.each<[string, (app: App) => unknown, number, string[]]>([
  ['quit()', (app) => app.quit(), 0, ['before-quit', 'will-quit', 'quit']],
  ['exit(3)', (app) => app.exit(3), 3, ['quit']],
  ['the close of the last window', (app) => app.lastWindowClosed(), 0, ['before-quit', 'will-quit', 'quit']],
])('the app ends once by %s, with its exit code', async (...[, end, code, events]) => {
  const { app, emitted, exit, stop, destroyWindows } = createApp();
  expect(app.isReady()).toBe(false);
  await app.whenReady();
  expect([app.isReady(), emitted.splice(0)]).toEqual([true, ['ready']]);
  for (const again of [end, () => app.quit(), () => app.exit(), () => app.lastWindowClosed()]) again(app);
  await setImmediate();
  expect([emitted, stop.mock.calls, exit.mock.calls]).toEqual([events, [[code]], [[code]]]);
  expect(destroyWindows).toHaveBeenCalledTimes(code === 0 ? 0 : 1);
});

it('the app quits at a signal, each time that nothing prevents it, and keeps running without windows when main listens', async () => {
  const { app, closeWindows, onSignal, emitted, stop } = createApp();
  await Promise.all([app.whenReady(), app.whenReady()]);
  expect(onSignal).toHaveBeenCalledOnce();
  const signal = onSignal.mock.calls[0]?.[0] ?? expect.unreachable;
  closeWindows.mockReturnValueOnce(false);
  signal();
  app.once('will-quit', (event) => event.preventDefault());
  signal();
  const lastClosed = vi.fn<() => void>();
  app.on('window-all-closed', lastClosed);
  app.lastWindowClosed();
  expect([lastClosed.mock.calls.length, stop.mock.calls.length]).toEqual([1, 0]);
  closeWindows.mockImplementation(() => (app.lastWindowClosed(), true));
  signal();
  expect(lastClosed).toHaveBeenCalledOnce();
  const attempts = ['before-quit', 'before-quit', 'will-quit', 'before-quit', 'will-quit', 'quit'];
  expect([emitted, stop.mock.calls.length]).toEqual([['ready', ...attempts], 1]);
});

it('the app takes the lock of the folder that main has set, and has no other path', () => {
  const { app, takeLock } = createApp();
  expect(() => app.requestSingleInstanceLock()).toThrow("getPath('userData') was not set");
  app.setPath('userData', '/data');
  expect([app.requestSingleInstanceLock(), takeLock.mock.calls]).toEqual([true, [['/data']]]);
  expect(() => Reflect.get(app, 'dock')).toThrow('electron.app.dock is not available in the web host');
  expect(() => Reflect.get(createMenu(), 'popup')).toThrow('electron.Menu.popup is not available');
});

/** Creates the pages of a host without a server; `connect` returns a page's messages and what it does. */
function createPages() {
  const { app } = createApp();
  const [windows, ipcMain, closed] = [new Windows(), new IpcMain(), vi.fn<() => void>()];
  const notifications = new Notifications(() => pages.frontmost());
  const clipboard = new PageClipboard(() => pages.frontmost());
  const shortcutPressed = vi.fn<(accelerator: string) => void>();
  const deps = { app, windows, ipcMain, notifications, clipboard, shortcutPressed };
  const pages = new Pages({ ...deps, instance: 'run', resumeKey: () => 'key' });
  const open = async (url: string) => {
    const window = new HostWindow(
      {
        id: windows.nextId(),
        serve: async () => windows.serve(url, undefined),
        present: (...args) => pages.present(...args),
        created: (one) => windows.add(one),
        closed,
      },
      {},
    );
    await window.loadURL(url);
    return window;
  };
  const connect = (path = '/') => {
    const received: ToPage[] = [];
    const socket = { isOpen: () => true, send: (frame: string) => void received.push(readFromHost(frame)) };
    const { onMessage, onClose } = pages.connect(socket, path);
    const tell = (...messages: readonly ToHost[]) => messages.forEach(onMessage);
    /** Returns what the page has received of these kinds since the last call, as text. */
    const got = (...kinds: readonly string[]) =>
      received
        .splice(0)
        .flatMap((one) => (kinds.includes(one[0]) ? [one.join()] : []))
        .join(' ');
    return { tell, leave: onClose, got };
  };
  return { ...deps, pages, open, connect, closed };
}

const [URL_1, URL_2] = ['app://x/index.html', 'app://x/other.html'];

it('a page gets the window that waits, a visible one first, or one that main opens for it, and is refused without one, until another page leaves', async () => {
  const { open, connect, windows, app } = createPages();
  const [hidden, visible] = [await open(URL_1), await open(URL_1)];
  hidden.hide();
  const first = connect();
  expect([hidden.page, first.got('host', 'window')]).toEqual([null, 'host,run,key window,shown']);
  const activated = vi.fn<() => void>();
  app.once('activate', activated);
  connect();
  expect([hidden.isVisible(), hidden.page !== null, visible.page !== null]).toEqual([true, true, true]);
  expect(activated).toHaveBeenCalledOnce();
  expect([connect(), connect('/../x')].map(({ got }) => got('window'))).toEqual([
    'window,refused',
    'window,refused',
  ]);
  first.leave();
  expect([connect().got('window'), windows.all()]).toEqual(['window,shown', [hidden, visible]]);
  app.on('new-window-for-tab', () => void open(URL_1));
  expect([connect().got('window'), windows.all().length]).toEqual(['window,shown', 3]);
});

const EVENTS = ['focus', 'blur', 'show', 'hide', 'minimize', 'restore', 'ready-to-show', 'closed'] as const;

it('a window follows the focus of its page, is shown again on request, and does nothing once it is destroyed', async () => {
  const { open, connect, shortcutPressed, closed } = createPages();
  const window = await open(URL_1);
  const events: string[] = [];
  for (const event of EVENTS) window.on(event, () => events.push(event));
  for (const event of ['dom-ready', 'did-finish-load', 'render-process-gone', 'destroyed'] as const)
    window.webContents.on(event, () => events.push(event));
  const { tell, leave, got } = connect();
  const happened = (expected: string) => expect(events.splice(0).join(' ')).toBe(expected);
  tell(['focus', true], ['focus', true], ['loaded']);
  expect(window.isFocused()).toBe(true);
  happened('focus dom-ready did-finish-load ready-to-show');
  tell(['focus', false], ['shortcut', 'A']);
  happened('blur focus');
  expect(shortcutPressed.mock.calls).toEqual([['A']]);
  for (const change of [window.minimize, window.hide])
    for (let time = 0; time < 2; time++) change.call(window);
  expect([window.isMinimized(), window.isVisible()]).toEqual([true, false]);
  tell(['show'], ['show']);
  happened('minimize hide restore show');
  expect(got('window')).toBe('window,shown window,minimized window,hidden window,hidden window,shown');
  leave();
  happened('blur render-process-gone');
  expect([window.isFocused(), window.page]).toEqual([false, null]);
  const again = connect();
  window.once('close', (event) => event.preventDefault());
  window.close();
  expect([window.isDestroyed(), closed.mock.calls.length]).toEqual([false, 0]);
  for (const end of [window.close, window.destroy, window.close, window.hide, window.minimize])
    end.call(window);
  again.tell(['focus', true], ['show'], ['loaded']);
  happened('destroyed closed');
  expect([closed.mock.calls, window.isVisible(), window.webContents.isDestroyed()]).toEqual([
    [[window]],
    false,
    true,
  ]);
  expect(again.got('window')).toBe('window,shown window,closed');
});

it('a new window opens in a tab of the page with the last activity, else of the one with the focus, else of the newest, comes to the front there, and gets its own messages', async () => {
  const { open, connect } = createPages();
  const first = await open(URL_1);
  await open(URL_1);
  const [one, two] = [connect(), connect()];
  const opener = async () => {
    await setImmediate();
    return [one, two].map((page) => page.got('open', 'send'));
  };
  const third = await open(URL_2);
  const tab = 'open,/other.html,parley-3';
  expect(await opener()).toEqual(['', tab]);
  one.tell(['focus', true]);
  third.focus();
  expect(await opener()).toEqual([tab, '']);
  two.tell(['send', 'c', []]);
  // The person has opened its tab.
  first.focus();
  expect(await opener()).toEqual(['', '']);
  third.focus();
  expect(await opener()).toEqual(['', tab]);
  const page = connect('/other.html');
  page.tell(['send', 'c', []]);
  third.focus();
  third.webContents.send('to the third');
  first.webContents.send('to the first');
  expect([await opener(), page.got('open', 'send')]).toEqual([
    [`send,to the first, ${tab}`, ''],
    'send,to the third,',
  ]);
  third.destroy();
  third.focus();
  expect(await opener()).toEqual(['', '']);
});

it('each page of the app shows the tray, each page takes the shortcuts, also one that connects later', async () => {
  const { pages, open, connect } = createPages();
  await open(URL_1);
  await open(URL_2);
  const [app, other] = [connect(), connect('/other.html')];
  const shown = () => [app, other].map(({ got }) => got('tray', 'shortcuts'));
  expect(shown()).toEqual(['tray,, shortcuts,', 'shortcuts,']);
  pages.showTray('title', 'data:1');
  pages.showShortcuts(['A']);
  expect(shown()).toEqual(['tray,title,data:1 shortcuts,A', 'shortcuts,A']);
  app.leave();
  pages.showTray('later', null);
  expect([...shown(), connect().got('tray', 'shortcuts')]).toEqual(['', '', 'tray,later, shortcuts,A']);
});

it('a notification of main reports what happens to it in its page, until it is closed or the page is gone', async () => {
  const { notifications, open, connect } = createPages();
  const one = new HostNotification(notifications, { title: 'Ada' });
  const events: string[] = [];
  for (const event of ['show', 'click', 'close'] as const) one.on(event, () => events.push(event));
  one.show();
  await open(URL_1);
  const { tell, got, leave } = connect();
  one.show();
  one.close();
  expect(got('notify', 'dismiss')).toBe('notify,1,Ada, dismiss,1');
  tell(...(['show', 'click', 'close', 'click'] as const).map((event): ToHost => ['notification', 1, event]));
  expect(events).toEqual(['show', 'click', 'close']);
  one.close();
  one.show();
  expect(got('notify', 'dismiss')).toBe('notify,2,Ada,');
  leave();
  one.close();
  notifications.receive(2, 'click');
  expect([got('dismiss'), events.length]).toEqual(['', 3]);
});

it('a text is copied by the page in front, and not without a page, when its browser refuses, or when it leaves', async () => {
  const { clipboard, open, connect } = createPages();
  await expect(clipboard.writeText('a')).rejects.toThrow('There is no page');
  await open(URL_1);
  const { tell, got, leave } = connect();
  const copies = ['a', 'b', 'c'].map((text) => clipboard.writeText(text).catch(String));
  expect(got('copy')).toBe('copy,1,a copy,2,b copy,3,c');
  tell(['copied', 2, false], ['copied', 1, true]);
  leave();
  const refused = 'Error: The browser does not let its page write to the clipboard.';
  expect(await Promise.all(copies)).toEqual([undefined, refused, refused]);
});

it('main’s listener of a message gets its sender and replies to it; a request gets an answer, or Electron’s error, and none that a page before it asked', async () => {
  const { ipcMain, open, connect } = createPages();
  const window = await open(URL_1);
  const { tell, got, leave } = connect();
  ipcMain.on('c', ({ sender, senderFrame, reply }, ...args) =>
    reply('d', sender === window.webContents, senderFrame.url, senderFrame.origin, ...args),
  );
  ipcMain.on('bad', () => expect.fail('of a listener'));
  const thrown = vi.fn<(task: () => void) => void>();
  vi.stubGlobal('queueMicrotask', thrown);
  tell(['send', 'c', [1]], ['send', 'error', []], ['send', 'none', []]);
  expect(thrown).not.toHaveBeenCalled();
  tell(['send', 'bad', []]);
  vi.unstubAllGlobals();
  expect(() => thrown.mock.calls[0]?.[0]()).toThrow('of a listener');
  expect(got('send')).toBe(`send,d,true,${URL_1},app://x,1`);
  ipcMain.handle('c', (_, value) => `got ${String(value)}`);
  expect(() => ipcMain.handle('c', () => {})).toThrow("a second handler for 'c'");
  ipcMain.handle('broken', () => Promise.reject(new TypeError('no')));
  tell(['invoke', 1, 'c', [1]], ['invoke', 2, 'none', []], ['invoke', 3, 'broken', []]);
  await setImmediate();
  const refusals = "refusal,2,Error: No handler registered for 'none' refusal,3,TypeError: no";
  expect(got('answer', 'refusal').split(' refusal').toSorted()).toEqual(
    `answer,1,got 1 ${refusals}`.split(' refusal').toSorted(),
  );
  tell(['invoke', 4, 'c', []]);
  leave();
  const next = connect();
  await setImmediate();
  expect(next.got('answer')).toBe('');
  ipcMain.removeHandler('c');
  next.tell(['invoke', 5, 'c', []]);
  await setImmediate();
  expect(next.got('answer', 'refusal')).toBe("refusal,5,Error: No handler registered for 'c'");
});

it('an image is read from a PNG or a JPEG, and is empty without one; a template is no icon of a page', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-images-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const read = (name: string) => {
    writeFileSync(join(folder, name), 'abc');
    return nativeImage.createFromPath(join(folder, name)).toDataURL();
  };
  expect(['a.png', 'a.JPG', 'a.jpeg', 'a.gif'].map(read)).toEqual([
    'data:image/png;base64,YWJj',
    'data:image/jpeg;base64,YWJj',
    'data:image/jpeg;base64,YWJj',
    'data:image/png;base64,',
  ]);
  const { createEmpty, createFromBuffer, createFromDataURL, createFromPath } = nativeImage;
  const empty = [createEmpty(), createFromDataURL(''), createFromPath(join(folder, 'none.png'))];
  expect(empty.map((one) => one.isEmpty())).toEqual([true, true, true]);
  expect(createFromBuffer(Buffer.from('abc')).isEmpty()).toBe(false);
  const template = createFromDataURL(PIXEL);
  template.setTemplateImage(true);
  const show = vi.fn<() => void>();
  new HostTray(show, template).setImage(join(folder, 'a.png'));
  expect(show.mock.calls).toEqual([
    [null, null],
    [null, 'data:image/png;base64,YWJj'],
  ]);
});
