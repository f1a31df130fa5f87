import { expect, it, onTestFinished, vi } from 'vitest';
import type { createHost } from './host.ts';

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
    vi.doMock('./host.ts', () => ({ createHost: created }));
    vi.doMock('open', () => ({ default: open }));
    onTestFinished(() => {
      for (const module of ['./host.ts', 'open']) vi.doUnmock(module);
      vi.resetModules().unstubAllEnvs().restoreAllMocks();
    });
    vi.resetModules().spyOn(process, 'platform', 'get').mockReturnValue(platform);
    const { DISPLAY, WAYLAND_DISPLAY } = { DISPLAY: undefined, WAYLAND_DISPLAY: undefined, ...env };
    vi.stubEnv('DISPLAY', DISPLAY).stubEnv('WAYLAND_DISPLAY', WAYLAND_DISPLAY);
    vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 3000, system: 1000 });
    vi.spyOn(performance, 'now').mockReturnValue(5);
    await import('./electron.ts');
    const [deps = expect.unreachable()] = created.mock.calls[0] ?? [];
    expect([deps.cpuTime(), deps.awakeTime?.(), deps.now]).toEqual([4, awake, Date.now]);
    const writes = [process.stdout, process.stderr].map((to) => vi.spyOn(to, 'write').mockReturnValue(true));
    const [exit, on] = [vi.spyOn(process, 'exit').mockReturnThis(), vi.spyOn(process, 'on').mockReturnThis()];
    deps.print('a');
    deps.complain('b');
    deps.exit(3);
    deps.onSignal(expect.fail);
    const signals = ['SIGINT', 'SIGTERM'].map((name) => [name, expect.fail]);
    expect([...writes, exit, on].map(({ mock }) => mock.calls)).toEqual([
      [['a\n']],
      [['b\n']],
      [[3]],
      signals,
    ]);
    const timer = { unref: vi.fn<() => void>() };
    const every = vi.spyOn(globalThis, 'setInterval').mockReturnValue(Object(timer));
    deps.every(7, expect.fail);
    expect([every.mock.calls, timer.unref.mock.calls]).toEqual([[[expect.fail, 7]], [[]]]);
    deps.openBrowser('b');
    expect(open.mock.calls).toEqual(opened);
    await expect(deps.openUrl('u')).rejects.toThrow('no program');
  },
);
