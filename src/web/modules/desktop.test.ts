import { expect, it, vi } from 'vitest';
import { HostTray, createGlobalShortcut, nativeImage } from './desktopModules.ts';
import { createProtocol, createSession, handlerAddress } from './protocol.ts';
import { HostPowerMonitor } from './powerMonitor.ts';

const PIXEL = 'data:image/png;base64,AAAA';

it('the tray shows its title and icon on the page until it is destroyed', () => {
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
  ['/a%5c..%5cb', null],
  ['/a%00', null],
])('the requested path %s becomes the address %s', (path, address) => {
  expect(handlerAddress('app://x/index.html', path)).toBe(address);
});

it('a request for a document returns the preload before its scripts, and main’s headers', async () => {
  const { protocol, answer } = createProtocol();
  const headers = { 'content-type': 'text/html', 'content-security-policy': "default-src 'none'" };
  protocol.handle('app', () => new Response('<head><SCRIPT src=a></SCRIPT></head>', { headers }));
  const response = await answer('app://x/index.html');
  const preload = '<script src="/-/preload.js"></script>';
  expect(await response.text()).toBe(`<head>${preload}<SCRIPT src=a></SCRIPT></head>`);
  expect(response.headers.get('content-security-policy')).toBe("default-src 'none'");
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
  globalShortcut.unregister(keys);
  pressed(keys);
  expect(press).toHaveBeenCalledTimes(1);
  expect(shown).toEqual([[keys], []]);
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
