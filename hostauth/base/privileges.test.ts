import type * as childProcess from 'node:child_process';
import type * as fs from 'node:fs';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { pause, systemClock } from './clock.ts';
import { dropPrivileges, forbidCoreFiles, unprivilegedUser } from './privileges.ts';

test('the user without rights is `hostauth`, else `nobody`, and never one with an id of root', () => {
  const nobody = 'nobody:x:65534:65533::/:/bin/sh\n';
  expect(unprivilegedUser(`root:x:0:0:::\n${nobody}`)).toEqual({ uid: 65534, gid: 65533 });
  expect(unprivilegedUser(`${nobody}hostauth:x:990:991:::`)).toEqual({ uid: 990, gid: 991 });
  for (const passwd of ['', 'hostauth:x:0:9:::', `${nobody}hostauth:x:9:0:::`, 'ahostauth:x:9:9:::'])
    expect(() => unprivilegedUser(passwd)).toThrow('there is no user');
});

test('drops groups, then the group, then the user, and ends when root is still possible; does nothing when it is not root', () => {
  const { uid, gid } = unprivilegedUser(readFileSync('/etc/passwd', 'utf8'));
  const drops = [
    ['setgroups', []],
    ['setgid', gid],
    ['setuid', uid],
    ['setuid', 0],
  ];
  for (const [kind, expected] of [
    ['root', drops],
    ['keeps', drops],
    ['user', []],
  ] as const) {
    const calls: unknown[] = [];
    let id = kind === 'user' ? 1000 : 0;
    const setuid = (to: number) => {
      calls.push(['setuid', to]);
      if (to === 0 && kind === 'root') throw new Error('EPERM');
      id = to;
    };
    const setgroups = (to: unknown) => calls.push(['setgroups', to]);
    const setgid = (to: number) => calls.push(['setgid', to]);
    const ids = { getuid: () => id, geteuid: () => id };
    vi.stubGlobal('process', Object.assign(Object.create(process), { ...ids, setuid, setgid, setgroups }));
    if (kind === 'keeps') expect(dropPrivileges).toThrow('could not drop the rights of root');
    else dropPrivileges();
    vi.unstubAllGlobals();
    expect(calls).toEqual(expected);
  }
});

/** Loads a module while others are replaced. */
async function importWith<T>(load: () => Promise<T>, name: string, mock: object): Promise<T> {
  vi.resetModules();
  vi.doMock(name, () => mock);
  onTestFinished(() => void vi.doUnmock(name) ?? void vi.resetModules());
  return load();
}

test('closes the files that it inherited, except its standard streams and the socket to the helper', async () => {
  const flags: Readonly<Record<string, string>> = {
    0: '02',
    2: '01',
    3: '02',
    4: '0100000',
    5: '02100000',
    7: '02',
  };
  const closed: number[] = [];
  const { closeInheritedFiles } = await importWith(() => import('./privileges.ts'), 'node:fs', {
    readdirSync: () => [...Object.keys(flags), '6'],
    readFileSync(path: string) {
      const text = flags[path.replace('/proc/self/fdinfo/', '')];
      if (text === undefined) throw new Error('closed');
      return `pos:\t0\nflags:\t${text}\nmnt_id:\t9\n`;
    },
    closeSync: (fd: number) => void closed.push(fd),
  } satisfies Partial<Record<keyof typeof fs, unknown>>);
  closeInheritedFiles(3);
  expect(closed.splice(0)).toEqual([4, 7]);
  closeInheritedFiles(undefined);
  expect(closed).toEqual([3, 4, 7]);
});

test('forbids core files of this process', () => {
  forbidCoreFiles();
  expect(readFileSync('/proc/self/limits', 'utf8')).toMatch(/^Max core file size +0 +0 /m);
});

test('sends messages to systemd by its own tool, whose failure ends nothing', async () => {
  const on = vi.fn<(name: string, listener: () => void) => void>();
  const spawn = vi.fn<() => object>(() => ({ on }));
  const mock = { spawn } satisfies Partial<Record<keyof typeof childProcess, unknown>>;
  const { notifySystemd } = await importWith(() => import('./notifySystemd.ts'), 'node:child_process', mock);
  const env = { NOTIFY_SOCKET: '/run/systemd/notify' };
  notifySystemd({ ...env, SECRET: 'sesame' });
  expect(spawn.mock.calls).toEqual([['/usr/bin/systemd-notify', ['--ready'], { env, stdio: 'ignore' }]]);
  expect(on.mock.calls).toEqual([['error', expect.any(Function)]]);
});

test('the clock of the machine has both times; a timer calls once, unless it is cancelled, and does not keep the process alive', async () => {
  vi.useFakeTimers({ now: 5000, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const now = vi.spyOn(performance, 'now').mockReturnValue(77);
  onTestFinished(() => void now.mockRestore() ?? void vi.useRealTimers());
  const [timer, call] = [vi.spyOn(globalThis, 'setTimeout'), vi.fn<() => void>()];
  systemClock.after(100, call);
  const cancel = systemClock.after(50, call);
  cancel();
  const paused = pause(systemClock, 150);
  vi.advanceTimersByTime(99);
  expect(call).not.toHaveBeenCalled();
  vi.advanceTimersByTime(51);
  await paused;
  expect([call.mock.calls.length, systemClock.wall(), systemClock.monotonic()]).toEqual([1, 5150, 77]);
  expect(timer.mock.results.map(({ value }) => value.hasRef())).toEqual([false, false, false]);
});
