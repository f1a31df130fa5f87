import { expect, it, vi } from 'vitest';
import { Access } from '#loopback/access.ts';
import { APP, BrowserNotification, OTHER, does, hear, loadPage, otherPage } from './testing/pages.ts';
import { server, startHost, step, stopHost, story } from './testing/pages.ts';

const SECRET = 'parley-page-secret';
const ACCESS = new Access({ port: 4310, random: Buffer.alloc, program: { name: '', command: '' } });

const hears =
  (name: string) =>
  (_: unknown, ...args: unknown[]) =>
    does(`preload: ${name} hears ${args.join()}`);

/** A host and its pages, without a server and a browser. The golden has each step of a story, what main and the pages do, and how the page then looks. */
const STORIES: Readonly<Record<string, () => Promise<void>>> = {
  async 'A page covers a window that is not shown with a modal dialog that has the focus and stays at Escape, until it is shown'() {
    const { host, window } = await startHost('run', APP);
    const { go, happen, part, press, reach, lose, wait } = await loadPage();
    const cover = async (what: string, task: () => void, label: string) => {
      await go(`main: ${what}`, task);
      await happen(part('dialog'), 'cancel');
      await press(label);
    };
    await cover('hide, twice', () => [1, 2].forEach(() => window.hide()), 'Open again');
    await cover('minimize, twice', () => [1, 2].forEach(() => window.minimize()), 'Restore');
    await cover('minimize and hide', () => (window.minimize(), window.hide()), 'Open again');
    await lose();
    reach.mockResolvedValue('unknown');
    await wait(1000);
    reach.mockResolvedValue('ready');
    await press('Try again');
    host.app.on('window-all-closed', () => does('main: all windows are closed'));
    await cover('destroy', () => window.destroy(), 'Open again');
    await lose();
    await press('Try again');
  },
  async 'A page without a secret waits for it and then loads again, and a page that is connected goes on'() {
    await startHost('run', APP);
    const { store } = await loadPage(null);
    await store('other', 's');
    await store(SECRET, null);
    await store(SECRET, 's');
    await (await loadPage()).store(SECRET, 's');
  },
  async 'A page reports its focus, once loaded its load, to each connection, and leaves for good; its window follows, and does nothing once it is destroyed'() {
    const { host, window, windows } = await startHost('run', APP);
    const page = await loadPage();
    const { document, happen, go, reach } = page;
    const { getFocusedWindow, fromWebContents } = host.BrowserWindow;
    const isFocused = () =>
      go('main: is it focused?', () => [window.isFocused(), getFocusedWindow() === window]);
    host.app.once('web-contents-created', (_, contents) => {
      does(`main: has the contents of window ${fromWebContents(Object(contents))?.id}`);
    });
    host.app.once('browser-window-created', () => does(`main: has ${windows().length} windows`));
    await go('main: open and destroy another window', () => new host.BrowserWindow().destroy());
    await isFocused();
    await happen(document, 'DOMContentLoaded');
    document.isFocused = false;
    await happen(page.window, 'blur');
    document.isFocused = true;
    await happen(page.window, 'focus');
    await happen(page.window, 'focus');
    document.hidden = true;
    await happen(document, 'visibilitychange');
    await isFocused();
    document.hidden = false;
    await happen(document, 'visibilitychange');
    await page.lose();
    await isFocused();
    vi.stubGlobal('fetch', async (...sent: unknown[]) => does(`page sends ${JSON.stringify(sent)}`));
    reach.mockImplementation(async ({ port, post, keepPageSecret }) => {
      does(`page is at port ${port}`);
      keepPageSecret('renewed');
      return post('/path', 'body').then(() => 'ready');
    });
    await page.wait(1000);
    window.once('close', (event) => event.preventDefault());
    await go('main: close, which is prevented', () => window.close());
    await go('main: close, and then all else', () => {
      for (const end of [window.close, window.destroy, window.close, window.hide, window.minimize])
        end.call(window);
      return [window.isVisible(), window.webContents.isDestroyed(), windows().length];
    });
    await happen(page.window, 'blur');
    await happen(page.window, 'pagehide');
    await page.wait(1_000_000);
  },
  async 'A page sends what waited for a connection, and no request whose caller got an error, but nothing to another run of the host'() {
    const { host } = await startHost('run', APP);
    const { ipcRenderer, lose, reach, wait, go, happen, document } = await loadPage();
    host.ipcMain.on('report', (_, value) => does(`main: hears ${String(value)}`));
    host.ipcMain.handle('auth', (_, value) => `yes ${String(value)}`);
    const report = (value: number) => go(`preload: report ${value}`, () => ipcRenderer.send('report', value));
    const invoke = (value: number) => void ipcRenderer.invoke('auth', value).then(String, String).then(does);
    const ask = (value: number) => go(`preload: ask ${value}`, () => invoke(value));
    const startAgain = stopHost();
    reach.mockResolvedValue('ready');
    await lose();
    await report(1);
    await ask(1);
    reach.mockResolvedValue('stopped');
    await lose();
    await ask(2);
    await happen(document, 'DOMContentLoaded');
    startAgain();
    reach.mockResolvedValue('ready');
    await wait(1000);
    await lose();
    stopHost();
    await lose();
    await report(2);
    await startHost('another run', APP);
    await lose();
  },
  async 'A page looks each second for a host that has stopped, with the key that it gave, but for one that does not know it only when the person tries again, and for none when it has left'() {
    await startHost('run', APP);
    const { lose, wait, reach, press, window, store } = await loadPage();
    await lose();
    for (let second = 0; second < 3; second++) await wait(1000);
    reach.mockResolvedValue('unknown');
    await wait(1000);
    await wait(1_000_000);
    await store(SECRET, 's');
    reach.mockImplementation(async () => {
      window.dispatchEvent(new Event('pagehide'));
      return 'ready';
    });
    await press('Try again');
    await wait(1_000_000);
  },
  async 'Each page of the app shows the tray as its title and icon, after its own are read, until the tray is destroyed'() {
    const { host } = await startHost('run', APP, APP, OTHER);
    const { document, happen, go } = await loadPage();
    const tray = new host.Tray(host.nativeImage.createFromDataURL('data:1'));
    document.readyState = 'loading';
    otherPage('/other.html');
    await go('main: set the title', () => tray.setToolTip('one'));
    document.readyState = 'complete';
    await happen(document, 'DOMContentLoaded');
    await go('main: set the title', () => tray.setToolTip('two'));
    await go('a page connects', () => void otherPage());
    await go('main: destroy', () => [1, 2].forEach(() => (tray.destroy(), tray.setToolTip('too late'))));
    await go('main: a new tray', () => void new host.Tray(host.nativeImage.createFromDataURL('data:3')));
  },
  async 'A page takes a registered shortcut once, and no other key, with the key of its system, until it is unregistered'() {
    for (const [userAgent, held] of Object.entries({ Windows: 'ctrlKey', 'Mac OS X': 'metaKey' })) {
      const { host } = await startHost('run', APP, APP);
      const { globalShortcut } = host;
      const { window, go, happen } = await loadPage('secret', { userAgent });
      const other = otherPage();
      window.addEventListener('keydown', () => does('page: hears the key'));
      const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false };
      const press = (more: object) =>
        happen(window, 'keydown', { ...none, key: 'Enter', [held]: true, ...more });
      const register = (...keys: readonly string[]) =>
        go(`main: register ${keys.join()}`, () =>
          keys.map((key) => globalShortcut.register(key, () => does(`main: ${key}`))),
        );
      await register('CommandOrControl+Return', 'Alt+K', 'Alt+K');
      for (const more of [{}, { repeat: true }, { key: 'x' }, { shiftKey: true }]) await press(more);
      await press({ [held]: false, altKey: true, key: 'k' });
      await go('main: unregister Alt+K, twice', () => {
        for (let time = 0; time < 2; time++) globalShortcut.unregister('Alt+K');
        return ['CommandOrControl+Return', 'Alt+K'].map(globalShortcut.isRegistered);
      });
      await go('a page reports a press', () =>
        other.tell(['shortcut', 'Alt+K'], ['shortcut', 'CommandOrControl+Return']),
      );
      await go('main: unregister all', () => globalShortcut.unregisterAll());
      await press({});
      expect(() => globalShortcut.register('F5', expect.unreachable)).toThrow("'F5' is not available");
    }
  },
  async 'A page shows a notification with the browser when that is allowed, and reports to main what happens to it, until it is closed or the page is gone'() {
    const { host } = await startHost('run', APP, APP);
    const notification = new host.Notification({ title: 'Ada', body: 'Hello' });
    hear('notification', notification, 'show click close');
    const show = () => notification.show();
    await step('main: notify without a page', show);
    const { go, happen } = await loadPage('secret', { permission: 'granted' });
    await go('main: notify', show);
    for (const type of ['show', 'click'])
      await happen(BrowserNotification.newest ?? expect.unreachable(), type);
    await go('main: close, twice', () => [1, 2].forEach(() => notification.close()));
    await happen(BrowserNotification.newest ?? expect.unreachable(), 'click');
    await go('main: notify', show);
    const other = otherPage();
    other.tell(['focus', true]);
    await go('main: close a notification of a page that is gone', () => {
      show();
      other.leave();
      notification.close();
    });
    await go('another page reports it', () => otherPage().tell(['notification', 3, 'click']));
  },
  async 'A page shows a note when the browser does not allow it, which stays while it is hovered or focused'() {
    for (const [permission, state] of Object.entries({ default: ':hover', denied: ':focus-within' })) {
      const { host } = await startHost('run', APP);
      const { press, wait, part, go } = await loadPage('secret', { permission });
      const notify = async (title: string) => {
        const notification = new host.Notification({ title, body: 'Hello' });
        hear(title, notification, 'show click close');
        await go(`main: notify ${title}`, () => notification.show());
        return notification;
      };
      await notify('Ada');
      await press('Ada');
      await notify('Bob');
      await press('×');
      const third = await notify('Cy');
      await go('main: close', () => third.close());
      await notify('Dee');
      const kept = part('div');
      kept.state = state;
      await notify('Eve');
      await wait(9999);
      await wait(1);
      kept.state = '';
      await wait(10_000);
    }
  },
  async 'A page opens or finds a tab, or asks with a note for a click when the browser forbids it'() {
    const { windows, open } = await startHost('run', APP);
    const { go, browser, tab, press } = await loadPage();
    await go('main: open', async () => void (await open(OTHER)));
    tab.location.pathname = '/other.html';
    await go('main: focus', () => windows()[1]?.focus());
    browser.allows = false;
    await go('main: focus', () => windows()[1]?.focus());
    browser.allows = true;
    await press('Open it');
  },
  async 'A new window opens in a tab of the page with the last activity, else of the one with the focus, else of the newest, comes to the front there, and gets its own messages'() {
    const { open, windows } = await startHost('run', APP, APP);
    const [first = expect.unreachable()] = windows();
    const [one, two] = [otherPage(), otherPage()];
    await step('main: open', async () => void (await open(OTHER)));
    const third = windows()[2] ?? expect.unreachable();
    const focus = () => step('main: focus', () => third.focus());
    one.tell(['focus', true]);
    await focus();
    two.tell(['send', 'c', [[]]]);
    await step('main: focus a window that the person has opened', () => first.focus());
    await focus();
    await step('main: focus, while that page leaves', () => (third.focus(), two.leave()));
    otherPage('/other.html').tell(['send', 'c', [[]]]);
    await focus();
    await step('main: send to the third, and to the first', () => {
      third.webContents.send('to the third');
      first.webContents.send('to the first');
    });
    await step('main: destroy, focus and send', () => {
      third.destroy();
      third.focus();
      third.webContents.send('too late');
    });
  },
  async 'A page gets the window that waits, a visible one first, or one that main opens for it, and is refused without one, until another page leaves'() {
    const { host, window, open } = await startHost('run', APP, APP);
    window.hide();
    const first = otherPage();
    for (const path of ['/', '/', '/../x']) otherPage(path);
    await step('a page leaves', () => first.leave());
    otherPage();
    host.app.on('new-window-for-tab', () => void open());
    otherPage();
  },
  async 'A page in front copies a text of main and says whether the browser allowed it, and none copies it when the page leaves, or without a page'() {
    const { host } = await startHost('run', APP, APP);
    const copy = (text: string) => () =>
      void host.clipboard.writeText(text).then(
        () => does('main: copied'),
        (error) => does(`main: ${error}`),
      );
    await step('main: copy', copy('a text'));
    const { browser, go, lose } = await loadPage();
    await go('main: copy', copy('a text'));
    browser.allows = false;
    await go('main: copy', copy('another'));
    await lose();
    const [another, other] = [otherPage(), otherPage()];
    await step('main: copy two', () => ['b', 'c'].forEach((text) => copy(text)()));
    await step('another page leaves', () => another.leave());
    await step('a page answers one, and leaves', () => (other.tell(['copied', 4, true]), other.leave()));
  },
  async 'A host has its modules and its windows; it does not end while a window prevents it, unless main exits'() {
    const { host, window, windows } = await startHost('run', APP);
    await step('main: use the modules', async () => {
      const { app, screen, safeStorage, webContents, Menu, Notification, shell } = host;
      const other = new host.BrowserWindow({ title: 'other', show: false });
      Menu.setApplicationMenu(Menu.buildFromTemplate([{ label: 'File' }]));
      other.setTitle('another');
      other.minimize();
      const ids = webContents.getAllWebContents().map(({ id }) => id);
      const isEncrypted = await safeStorage.isAsyncEncryptionAvailable();
      await expect(shell.openExternal('https://x')).rejects.toThrow('no program');
      const can = [Notification.isSupported(), isEncrypted, app.setBadgeCount(), screen.getAllDisplays()];
      return [other.getTitle(), other.isMinimized(), ids, ...can, app.getName(), Menu.getApplicationMenu()];
    });
    window.on('close', (event) => event.preventDefault());
    await step('main: quit', () => (host.app.quit(), windows().length));
    await step('main: exit', () => (host.app.exit(3), windows().length));
  },
  async 'A server gets main’s documents, policy and preload for the address of the first window, and nothing for a path that leaves it'() {
    const { host } = await startHost('run', APP, OTHER);
    const headers = { 'content-type': 'text/html' };
    host.protocol.handle('app', ({ url }) => new Response(`main serves ${url}`, { headers }));
    host.session.defaultSession.setPermissionCheckHandler((...[, permission, origin]) => {
      return origin === APP && permission !== 'usb';
    });
    for (const path of ['/', '/other.html', '/../x'])
      await step(`server: ${path}`, async () => (await server.answer(path, 'a'))?.text() ?? 'nothing');
    await step('server: policy', () => server.permissionsPolicy());
    await step('server: preload', () => server.preload());
    host.app.on('second-instance', (_, ...start) => does(`main: another start ${JSON.stringify(start)}`));
    const start = { argv: ['parley', '--x'], workingDirectory: '/w' };
    await step('server: another start', () => server.secondInstance(start, ACCESS));
  },
  async 'A preload listens to each message until it stops; main’s listener gets the sender and replies; a request gets an answer, or Electron’s error, and none that a page before it asked'() {
    const { host, window } = await startHost('run', APP);
    const { ipcMain } = host;
    const { ipcRenderer, contextBridge, go, lose, reach, window: page } = await loadPage();
    vi.stubGlobal('queueMicrotask', (task: () => void) => {
      expect(task).toThrow('thrown by a listener');
      does('an error is thrown later');
    });
    const removed = hears('removed');
    const throws = () => {
      ipcRenderer.removeListener('c', throws);
      expect.fail('thrown by a listener');
    };
    ipcRenderer.on('c', throws).on('c', hears('always'));
    ipcRenderer.on('c', removed).removeListener('c', removed);
    for (const value of [1, 2]) await go('main: send', () => window.webContents.send('c', value, 'x'));
    await go('main: send', () => window.webContents.send('d', 3));
    ipcMain.on('c', ({ sender, senderFrame, reply }, ...args) =>
      reply('c', sender === window.webContents, senderFrame.url, senderFrame.origin, ...args),
    );
    ipcMain.on('bad', () => expect.fail('thrown by a listener'));
    for (const channel of ['c', 'error', 'none', 'bad'])
      await go('preload: send', () => ipcRenderer.send(channel, 1));
    ipcMain.handle('c', (_, value) => `got ${String(value)}`);
    expect(() => ipcMain.handle('c', () => {})).toThrow("a second handler for 'c'");
    ipcMain.handle('broken', () => Promise.reject(new TypeError('no')));
    const ask = (channel: string) => void ipcRenderer.invoke(channel, 1).then(String, String).then(does);
    for (const channel of ['c', 'none', 'broken']) await go('preload: ask', () => ask(channel));
    reach.mockResolvedValue('ready');
    const answers = new Array<() => void>();
    ipcMain.handle('late', () => new Promise<void>((resolve) => void answers.push(resolve)));
    await go('preload: ask', () => ask('late'));
    await lose();
    await go('main: answer', () => answers.forEach((answer) => answer()));
    ipcMain.removeHandler('c');
    await go('preload: ask', () => ask('c'));
    const api = { send() {} };
    contextBridge.exposeInMainWorld('parley', api);
    expect(() => contextBridge.exposeInMainWorld('parley', {})).toThrow('Cannot bind an API');
    expect([Reflect.get(page, 'parley'), Object.isFrozen(api)]).toEqual([api, true]);
  },
};

it('a host and its pages do in each story what the golden says', async () => {
  for (const [title, tell] of Object.entries(STORIES)) {
    story.push('', title, '');
    await tell();
  }
  await expect(`${story.splice(0).join('\n').trim()}\n`).toMatchFileSnapshot('testing/pages.txt');
});
