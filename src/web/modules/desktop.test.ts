import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { HostTray, createMenu, nativeImage } from './desktopModules.ts';
import { App } from './hostApp.ts';
import { createProtocol, createSession, handlerAddress } from './protocol.ts';
import { HostPowerMonitor } from './powerMonitor.ts';
import type { createHost } from '../host.ts';

it('the permissions policy names the permissions that main’s check denies', () => {
  const { session, permissionsPolicy } = createSession();
  expect(permissionsPolicy('app://x')).toBe('');
  session.defaultSession.setPermissionCheckHandler(
    (_contents, permission, ...[, details]) => permission !== 'usb' && details.mediaType !== 'video',
  );
  expect(permissionsPolicy('app://x')).toBe('camera=(), usb=()');
  const asked: string[] = [];
  session.defaultSession.setPermissionCheckHandler((...[, permission]) => asked.push(permission) === 0);
  const others = ['geolocation', 'display-capture', 'midi', 'usb', 'serial', 'hid'];
  const all = ['microphone', 'camera', ...others].map((feature) => `${feature}=()`).join(', ');
  expect([permissionsPolicy('app://x'), asked]).toEqual([all, ['media', 'media', ...others]]);
});

const leaving = (path: string): [string, null] => [path, null];

it.each<[string, string | null]>([
  ['/', 'app://x/index.html'],
  ['/assets/a.js', 'app://x/assets/a.js'],
  ['//elsewhere/a.js', 'app://x//elsewhere/a.js'],
  ...'/../a /a/%2E%2e/b /..%2f..%2fetc/passwd /a%2Fb /a%5c..%5cb /a%00'.split(' ').map(leaving),
])('the requested path %s becomes the address %s', (path, address) => {
  expect(handlerAddress('app://x/index.html', path)).toBe(address);
});

it('a request for a document returns the secret and the preload before its scripts, and main’s headers; no other file is changed', async () => {
  const { protocol, answer } = createProtocol();
  let html = '';
  const policy = { 'content-security-policy': "default-src 'none'" };
  protocol.handle('app', ({ url }) => {
    const type = url.endsWith('.html') ? 'text/html; charset=utf-8' : 'text/css';
    return new Response(html, { status: 404, headers: { ...policy, 'content-type': type } });
  });
  const added = '<meta name="parley-page-secret" content="S" /><script src="/-/preload.js"></script>';
  for (const marked of ['text|', '<b>|</HEAD ><script>1</script>', '<head>|<SCRIPT src=a></SCRIPT></head>']) {
    html = marked.replace('|', '');
    const response = await answer('app://x/index.html', 'S');
    expect(await response.text()).toBe(marked.replace('|', added));
    expect([response.status, Object.fromEntries(response.headers)]).toMatchObject([404, policy]);
  }
  expect((await answer('other://x/')).status).toBe(404);
  expect(await (await answer('app://x/a.css', 'S')).text()).toBe(html);
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
      expect([ms, check]).toEqual([250, undefined]);
      check = task;
    },
  });
  const resumed = vi.fn<() => void>();
  monitor.on('newListener', () => {});
  expect(check).toBeUndefined();
  monitor.on('resume', () => {}).on('resume', resumed);
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

it('emits `resume` once with a clock that stops during a sleep, at the first check after a sleep; with other clocks after a late check, but not while the process is on time, or busy, also on a shared processor', () => {
  const awake = machine();
  awake.pass(5000, 100);
  expect(awake.resumed).toHaveBeenCalledTimes(1);
  awake.pass(250);
  awake.pass(8 * 3_600_000, 240);
  expect(awake.resumed).toHaveBeenCalledTimes(2);
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
    app.on(event, (_?: unknown, code = '') => emitted.push(`${event} ${code}`.trim()));
  return { app, ...deps, emitted };
}

it.each<[string, (app: App) => unknown, number, string[]]>([
  ['quit()', (app) => app.quit(), 0, ['before-quit', 'will-quit', 'quit 0']],
  ['exit(3)', (app) => app.exit(3), 3, ['quit 3']],
  ['its last window', (app) => app.lastWindowClosed(), 0, ['before-quit', 'will-quit', 'quit 0']],
])(
  'the app ends once by %s, with its exit code, and is not ready after an early end',
  async (...[, end, code, events]) => {
    const early = createApp();
    const { app, emitted, exit, stop, destroyWindows } = createApp();
    end(early.app);
    expect(app.isReady()).toBe(false);
    await app.whenReady();
    expect([early.emitted, app.isReady(), emitted.splice(0)]).toEqual([events, true, ['ready']]);
    for (const again of [end, () => app.quit(), () => app.exit(), () => app.lastWindowClosed()]) again(app);
    await setImmediate();
    expect([emitted, stop.mock.calls, exit.mock.calls]).toEqual([events, [[code]], [[code]]]);
    expect(destroyWindows).toHaveBeenCalledTimes(code === 0 ? 0 : 1);
  },
);

it('the app quits at a signal, each time that nothing prevents it, and keeps running without windows when main listens', async () => {
  const { app, closeWindows, onSignal, emitted, stop } = createApp();
  closeWindows.mockReturnValueOnce(false);
  app.quit();
  expect([app.isReady(), emitted.splice(0)]).toEqual([false, ['before-quit']]);
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
  const attempts = ['before-quit', 'before-quit', 'will-quit', 'before-quit', 'will-quit', 'quit 0'];
  expect([emitted, stop.mock.calls.length]).toEqual([['ready', ...attempts], 1]);
});

it('the app takes the lock of the folder that main has set, and has no other path', () => {
  const { app, takeLock } = createApp();
  expect(() => app.requestSingleInstanceLock()).toThrow("getPath('userData') was not set");
  app.setPath('userData', '/data');
  expect([app.requestSingleInstanceLock(), takeLock.mock.calls]).toEqual([true, [['/data']]]);
  expect(() => Reflect.get(app, 'dock')).toThrow('electron.app.dock is not available in the web host');
  expect(() => Reflect.get(createMenu(), 'popup')).toThrow('electron.Menu.popup is not available');
  for (const key of ['then', 'toJSON', Symbol.toPrimitive])
    expect([app, createMenu()].map((one) => Reflect.get(one, key))).toEqual([undefined, undefined]);
});

it('an image is read from a PNG or a JPEG, and is empty without one; a template is no icon of a page', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-images-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const read = (name: string) => {
    writeFileSync(join(folder, name), 'abc');
    return nativeImage.createFromPath(join(folder, name)).toDataURL();
  };
  const types = ['png;base64,YWJj', 'jpeg;base64,YWJj', 'jpeg;base64,YWJj', 'png;base64,'];
  expect(['a.png', 'a.JPG', 'a.jpeg', 'a.gif'].map(read)).toEqual(types.map((type) => `data:image/${type}`));
  const { createEmpty, createFromBuffer, createFromDataURL, createFromPath } = nativeImage;
  const empty = [createEmpty(), createFromDataURL(''), createFromPath(join(folder, 'none.png'))];
  expect(empty.map((one) => one.isEmpty())).toEqual([true, true, true]);
  expect(createFromBuffer(Buffer.from('abc')).isEmpty()).toBe(false);
  const template = createFromDataURL('data:image/png;base64,AAAA');
  template.setTemplateImage(true);
  const show = vi.fn<() => void>();
  new HostTray(show, template).setImage(join(folder, 'a.png'));
  expect(show.mock.calls).toEqual([null, 'data:image/png;base64,YWJj'].map((image) => [null, image]));
});

it.each([
  ['linux', {}, 5, []],
  ['linux', { DISPLAY: ':0' }, 5, [['b']]],
  ['linux', { WAYLAND_DISPLAY: 'w' }, 5, [['b']]],
  ['darwin', {}, undefined, [['b']]],
] as const)(
  'the host has the parts of its process, on %s with %j',
  async (...[platform, env, awake, opened]) => {
    const created = vi.fn<(...deps: Parameters<typeof createHost>) => object>(() => ({}));
    const open = vi.fn<() => Promise<void>>(() => Promise.reject(new Error('no program')));
    vi.doMock('../host.ts', () => ({ createHost: created }));
    vi.doMock('open', () => ({ default: open }));
    onTestFinished(() => {
      for (const module of ['../host.ts', 'open']) vi.doUnmock(module);
      vi.resetModules().unstubAllEnvs().restoreAllMocks();
    });
    vi.resetModules().spyOn(process, 'platform', 'get').mockReturnValue(platform);
    const { DISPLAY, WAYLAND_DISPLAY } = { DISPLAY: undefined, WAYLAND_DISPLAY: undefined, ...env };
    vi.stubEnv('DISPLAY', DISPLAY).stubEnv('WAYLAND_DISPLAY', WAYLAND_DISPLAY);
    vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 3000, system: 1000 });
    vi.spyOn(performance, 'now').mockReturnValue(5);
    await import('../electron.ts');
    const [deps = expect.unreachable()] = created.mock.calls[0] ?? [];
    expect([deps.cpuTime(), deps.awakeTime?.(), deps.now]).toEqual([4, awake, Date.now]);
    const writes = [process.stdout, process.stderr].map((to) => vi.spyOn(to, 'write').mockReturnValue(true));
    const [exit, on] = [vi.spyOn(process, 'exit').mockReturnThis(), vi.spyOn(process, 'on').mockReturnThis()];
    deps.print('a');
    deps.complain('b');
    deps.exit(3);
    deps.onSignal(expect.fail);
    const signals = ['SIGINT', 'SIGTERM'].map((name) => [name, expect.fail]);
    const done = [[['a\n']], [['b\n']], [[3]], signals];
    expect([...writes, exit, on].map(({ mock }) => mock.calls)).toEqual(done);
    const timer = { unref: vi.fn<() => void>() };
    const every = vi.spyOn(globalThis, 'setInterval').mockReturnValue(Object(timer));
    deps.every(7, expect.fail);
    expect([every.mock.calls, timer.unref.mock.calls]).toEqual([[[expect.fail, 7]], [[]]]);
    deps.openBrowser('b');
    expect(open.mock.calls).toEqual(opened);
    await expect(deps.openUrl('u')).rejects.toThrow('no program');
  },
);
