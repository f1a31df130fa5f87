import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { FakeWindow, windowOptions } from '#main/window/testing/fakeWindow.ts';
import { createSession } from '../src/web/modules/protocol.ts';

/**
 * Tests what pages and the packaged program must not do, with the values that main passes to Electron and with the built files.
 * Tests in Chromium are in browser/security.test.ts.
 */
const OUT = resolve(import.meta.dirname, '..', 'out');
const built = (...path: string[]) => readFileSync(join(OUT, ...path), 'utf8');

/** Returns the text of all built files of a folder whose names have this ending. */
const allBuilt = (folder: string, ending: string) =>
  readdirSync(join(OUT, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => built(folder, name))
    .join('\n');

type Answer = (request: { readonly url: string }) => Promise<Response>;

/** The values that main passed to Electron. */
interface Given extends ReturnType<typeof createSession> {
  readonly windows: { readonly webPreferences?: object; readonly backgroundColor?: string }[];
  readonly schemes: unknown[];
  answer: Answer | undefined;
}

let given: Given;
beforeEach(() => {
  vi.resetModules();
  given = { windows: [], schemes: [], answer: undefined, ...createSession() };
});

class BrowserWindow extends FakeWindow {
  constructor(options: object) {
    super();
    given.windows.push(options);
  }
}

// This fake of Electron records its arguments. All tests share it: with several mocks, any one could be in effect.
vi.doMock('electron', () => ({
  BrowserWindow,
  nativeImage: { createFromDataURL: () => ({}) },
  get session() {
    return given.session;
  },
  protocol: {
    registerSchemesAsPrivileged: (schemes: unknown[]) => given.schemes.push(...schemes),
    handle: (_: string, answer: Answer) => (given.answer = answer),
  },
}));

async function servedPages() {
  const { registerScheme, servePages } = await import('#main/window/servePages.ts');
  registerScheme();
  servePages(
    { renderer: join(OUT, 'renderer'), inspector: join(OUT, 'inspector') },
    { theme: () => 'dark', blob: () => undefined },
  );
  return async (url: string) => {
    const response = await given.answer?.({ url });
    if (response === undefined) throw new Error('main answers for no scheme');
    return response;
  };
}

const builtMain = () => allBuilt('electron', '.js');

const PREFERENCES = {
  preload: expect.stringMatching(/preload\.cjs$/u),
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInSubFrames: false,
  nodeIntegrationInWorker: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  safeDialogs: true,
  spellcheck: false,
};

test('a window of the messenger or the inspector sets each web preference explicitly; a page of the messenger has the theme of the preferences before its script runs, as its window has, and a standard and secure scheme that bypasses no policy', async () => {
  const { openWindow } = await import('#main/window/openWindow.ts');
  const { openInspectorWindow } = await import('#main/desktop/setUpInspector.ts');
  openWindow(windowOptions({ theme: () => 'dark' }));
  openInspectorWindow();
  expect(given.windows.map(({ webPreferences }) => webPreferences)).toEqual([PREFERENCES, PREFERENCES]);
  expect(given.windows[0]?.backgroundColor).toBe('#121217');
  const page = await (await (await servedPages())('parley://app/index.html')).text();
  const privileges = { standard: true, secure: true, supportFetchAPI: true };
  expect(given.schemes).toEqual([{ scheme: 'parley', privileges }]);
  expect(page).toContain('<html data-theme="dark" lang="en">');
  expect(page).toContain('<meta name="color-scheme" content="dark" />');
});

test.each([
  ['parley://app/index.html', 'dompurify'],
  ['parley://app/inspector/index.html', 'dompurify inspector'],
  ['parley://app/inspector/worker.js', 'dompurify inspector'],
])('a page at %s has a policy without unsafe-*, with trusted types for %s', async (url, trusted) => {
  const { status, headers } = await (await servedPages())(url);
  expect([status, headers.get('x-content-type-options')]).toEqual([200, 'nosniff']);
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).not.toMatch(/unsafe-|\*|https?:|wss?:/u);
  const none = ['default-src', 'base-uri', 'form-action', 'frame-ancestors'].map((name) => `${name} 'none'`);
  const own = ['script-src', 'style-src', 'font-src', 'connect-src'].map((name) => `${name} 'self'`);
  const data = ["img-src 'self' data: blob:", 'media-src data: blob:', `trusted-types ${trusted}`];
  const directives = [...none, ...own, ...data, "require-trusted-types-for 'script'"];
  expect(policy.split('; ').sort()).toEqual(directives.sort());
});

test.each([
  'parley://app/../electron/main.js',
  'parley://app/%2e%2e/electron/main.js',
  'parley://app/..%2felectron%2fmain.js',
  'parley://app/inspector/..%2f..%2felectron/main.js',
  'parley://other/index.html',
  'parley://app/',
])('a page at %s is answered with 404', async (url) => {
  expect((await (await servedPages())(url)).status).toBe(404);
});

test.each(['parley://app/index.html', 'parley://app/inspector/index.html'])(
  'each file that the page %s names is served',
  async (page) => {
    const answer = await servedPages();
    const html = await (await answer(page)).text();
    const named = Array.from(html.matchAll(/ (?:src|href)="(?!data:)([^"]+)"/gu), ([, path = '']) => path);
    expect(named.length).toBeGreaterThan(1);
    for (const path of named)
      expect([path, (await answer(new URL(path, page).href)).status]).toEqual([path, 200]);
  },
);

test('a page has, as built, no inline script, style or handler, loads nothing from other origins, and evaluates no text as code', () => {
  // The logo is an image as data, which loads nothing.
  const html = built('renderer', 'index.html').replace(/src="data:image\/svg\+xml,[^"]*"/u, '');
  expect(html).toMatch(/<script [^>]*src="\.\/assets\/[\w-]+\.js"><\/script>/u);
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|https?:|\/\/|<base|<iframe/iu);
  const scripts = [allBuilt('renderer/assets', '.js'), allBuilt('inspector', '.js')].join('\n');
  // zod's own attempt is switched off, which browser/security.test.ts tests.
  expect(scripts.replaceAll(/Function\(``\)/gu, '')).not.toMatch(/\beval\(|\bFunction\(["'`]/u);
  expect(scripts.match(/createPolicy\(/gu)).not.toBeNull();
});

test('the preload as built requires only Electron; the main process imports only known names from it, and none that control pages or open files; it overrides no certificate error and appends no command-line switch; it locks its instance and handles permissions, downloads, navigation and the context menu, each once', () => {
  // In a sandbox, it is one classic script.
  const required = built('electron', 'preload.cjs').match(/\brequire\([^)]*\)|\bimport\b/gu);
  expect(required).toEqual(['require("electron")']);
  const names = new Set(
    Array.from(builtMain().matchAll(/^import \{([^}]*)\} from "electron"/gmu)).flatMap(([, list = '']) =>
      list.split(',').map((name) => name.trim().split(' as ')[0]),
    ),
  );
  const windows = ['BrowserWindow', 'Menu', 'Notification', 'Tray', 'nativeImage', 'screen', 'webContents'];
  const system = ['app', 'clipboard', 'dialog', 'globalShortcut', 'powerMonitor', 'safeStorage', 'shell'];
  expect(names).toEqual(new Set([...windows, ...system, 'ipcMain', 'protocol', 'session']));
  const forbidden =
    /executeJavaScript\(|\.show(?:Open|Save)Dialog|\.openPath\(|\.showItemInFolder\(|@electron\/remote|enableRemoteModule|insertCSS\(/u;
  expect(builtMain()).not.toMatch(forbidden);
  const switches =
    /certificate-error|setCertificateVerifyProc|rejectUnauthorized: ?(?:false|!1)|NODE_TLS_REJECT_UNAUTHORIZED|appendSwitch\(/u;
  expect(builtMain()).not.toMatch(switches);
  const text = built('electron', 'main.js');
  const handlers = ['PermissionRequest', 'PermissionCheck', 'WindowOpen'].map((one) => `set${one}Handler(`);
  const events = ['"will-download"', '"context-menu"', '"will-frame-navigate"'];
  for (const call of ['requestSingleInstanceLock()', ...handlers, ...events])
    expect(text.split(call)).toHaveLength(2);
});
