import { describe, expect, it, vi } from 'vitest';
import { HostTray, createGlobalShortcut, nativeImage } from './desktopModules.ts';
import { createProtocol, createSession, handlerAddress } from './protocol.ts';

const PIXEL = 'data:image/png;base64,AAAA';

describe('the tray', () => {
  it('shows its title and icon on the page until it is destroyed', () => {
    const show = vi.fn<(title: string | null, icon: string | null) => void>();
    const tray = new HostTray(show, nativeImage.createFromDataURL(PIXEL));
    tray.setToolTip('Connected');
    tray.destroy();
    tray.setToolTip('Too late');
    expect(show.mock.calls).toEqual([
      [null, PIXEL],
      ['Connected', PIXEL],
      [null, null],
    ]);
  });
});

describe('an image', () => {
  it('is created from the bytes of a PNG', () => {
    expect(nativeImage.createFromBuffer(Buffer.from([0, 0, 0])).toDataURL()).toBe(PIXEL);
  });

  it('does not replace the page’s icon when it is a template', () => {
    const show = vi.fn<(title: string | null, icon: string | null) => void>();
    const template = nativeImage.createFromDataURL(PIXEL);
    template.setTemplateImage(true);
    const tray = new HostTray(show, template);
    tray.setImage(nativeImage.createFromDataURL(PIXEL));
    expect(show.mock.calls).toEqual([
      [null, null],
      [null, PIXEL],
    ]);
  });

  it('is empty for a missing file', () => {
    expect(nativeImage.createFromPath('/nowhere.png').isEmpty()).toBe(true);
    expect(nativeImage.createFromDataURL(PIXEL).isEmpty()).toBe(false);
  });
});

describe('the permissions policy', () => {
  it('names the permissions that main’s check denies', () => {
    const { session, permissionsPolicy } = createSession();
    expect(permissionsPolicy('app://x')).toBe('');
    session.defaultSession.setPermissionCheckHandler(
      (_contents, permission, ...[, details]) => permission !== 'usb' && details.mediaType !== 'video',
    );
    expect(permissionsPolicy('app://x')).toBe('camera=(), usb=()');
  });
});

describe('a requested path', () => {
  it.each([
    ['/', 'app://x/index.html'],
    ['/assets/a.js', 'app://x/assets/a.js'],
    ['//elsewhere/a.js', 'app://x//elsewhere/a.js'],
    ['/../a', null],
    ['/a/%2E%2e/b', null],
    ['/..%2f..%2fetc/passwd', null],
    ['/a%5c..%5cb', null],
    ['/a%00', null],
  ])('%s becomes the address %s', (path, address) => {
    expect(handlerAddress('app://x/index.html', path)).toBe(address);
  });

  it('is not found for a scheme that main does not handle', async () => {
    expect((await createProtocol().answer('app://x/')).status).toBe(404);
  });

  it('to a document returns the preload before its scripts, and main’s headers', async () => {
    const { protocol, answer } = createProtocol();
    const headers = { 'content-type': 'text/html', 'content-security-policy': "default-src 'none'" };
    protocol.handle('app', () => new Response('<head><SCRIPT src=a></SCRIPT></head>', { headers }));
    const response = await answer('app://x/index.html');
    expect(await response.text()).toBe(
      '<head><script src="/-/preload.js"></script><SCRIPT src=a></SCRIPT></head>',
    );
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'");
  });
});

it('sends registered shortcuts to the pages and presses to main until they are unregistered', () => {
  const shown: (readonly string[])[] = [];
  const press = vi.fn<() => void>();
  const { globalShortcut, pressed } = createGlobalShortcut((accelerators) => shown.push(accelerators));
  expect(globalShortcut.register('CommandOrControl+Return', press)).toBe(true);
  expect(globalShortcut.isRegistered('CommandOrControl+Return')).toBe(true);
  pressed('CommandOrControl+Return');
  pressed('Control+A');
  expect(press).toHaveBeenCalledTimes(1);
  globalShortcut.unregister('CommandOrControl+Return');
  pressed('CommandOrControl+Return');
  expect(press).toHaveBeenCalledTimes(1);
  expect(shown).toEqual([['CommandOrControl+Return'], []]);
});

it('refuses a second registration and keeps the first', () => {
  const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const { globalShortcut, pressed } = createGlobalShortcut(() => undefined);
  globalShortcut.register('Control+A', first);
  expect(globalShortcut.register('Control+A', second)).toBe(false);
  pressed('Control+A');
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 0]);
  globalShortcut.unregisterAll();
  expect(globalShortcut.isRegistered('Control+A')).toBe(false);
});

it('throws an error with the name of what the web host does not have', () => {
  const { globalShortcut } = createGlobalShortcut(() => undefined);
  expect(() => globalShortcut.register('Control+F13', () => undefined)).toThrow('Control+F13');
  expect(() => Reflect.get(globalShortcut, 'registerAll')).toThrow('electron.globalShortcut.registerAll');
});
