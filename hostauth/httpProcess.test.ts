import { EventEmitter, once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { startHttpProcess } from './httpProcess.ts';
import { fakeAuthenticator, fakeHelper } from './testing/testApp.ts';

const READY = 'hostauth is ready at http://127.0.0.1:4321\n';

/** Starts a program instead of the HTTP process; `printed` returns what reaches stdout. */
function startHttp(program: string, env: Readonly<Record<string, string>> = {}, isRoot = false) {
  const path = join(mainFolder(), 'http.mjs');
  writeFileSync(path, program);
  const events = new EventEmitter();
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation(() => events.emit('printed'));
  const warn = vi.fn<(...fields: unknown[]) => void>(() => void events.emit('warned'));
  const onReady = vi.fn<() => void>();
  const http = startHttpProcess({
    path,
    env: { HOSTAUTH_PORT: '0', ...env },
    isRoot,
    helper: fakeHelper(fakeAuthenticator()),
    logger: { warn },
    onReady,
    onFailed: (exitCode) => void events.emit('failed', exitCode),
  });
  onTestFinished(async () => {
    await http.stop();
    stdout.mockRestore();
  });
  const untilWarned = async (count: number) => {
    while (warn.mock.calls.length < count) await once(events, 'warned');
  };
  const printed = () => stdout.mock.calls.map(([line]) => String(line));
  return { http, path, events, warn, onReady, untilWarned, printed };
}

test('prints the first line of the HTTP process, drops what it prints later, and restarts it on the same port; it is ready once', async () => {
  const { untilWarned, printed, onReady, warn } = startHttp(
    `const port = process.env.HOSTAUTH_PORT === '0' ? 4321 : Number(process.env.HOSTAUTH_PORT) + 1;
     process.stdout.write('hostauth is ready at http://127.0.0.1:' + port + '\\n' + 'more:22\\n'.repeat(1000));
     process.stdout.write('more:22\\n'.repeat(20_000), () => process.exit(1));`,
  );
  await untilWarned(2);
  // The second process must listen on the port of the first one.
  expect(printed().slice(0, 2)).toEqual([READY, READY.replace('4321', '4322')]);
  expect(onReady).toHaveBeenCalledOnce();
  const text = 'the HTTP process ended: it is restarted, and all sessions have ended';
  expect(warn.mock.calls[0]).toEqual([{ code: 1, signal: null }, text]);
});

test('passes on the exit code of an HTTP process that has never been ready, or 1 after a signal, and does not restart it', async () => {
  for (const [program, code] of Object.entries({ 'process.exit(3)': 3, 'process.kill(process.pid)': 1 })) {
    const { events, warn, onReady, http } = startHttp(program);
    expect(await once(events, 'failed')).toEqual([code]);
    expect([warn.mock.calls, onReady.mock.calls]).toEqual([[], []]);
    await http.stop();
  }
});

test('does not start the HTTP process again when its end comes while it waits to be restarted', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
  const [set, clear] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
  const { http, untilWarned } = startHttp(`process.stdout.write('ready :1\\n', () => process.exit(1));`);
  await untilWarned(1);
  await http.stop();
  const timers = set.mock.results.filter((_, at) => set.mock.calls[at]?.[0].name === 'start');
  expect(timers).toEqual([{ type: 'return', value: clear.mock.lastCall?.[0] }]);
});

test('waits twice as long before each restart of an HTTP process that does not become ready, at most 5 s, and less again after one that does', async () => {
  const wait = setTimeout;
  const timeout = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation((call, ms) => wait(call, call.name === 'start' ? 0 : ms));
  onTestFinished(() => timeout.mockRestore());
  const { untilWarned } = startHttp(
    `import { appendFileSync, readFileSync } from 'node:fs';
     const runs = import.meta.filename + '.runs';
     appendFileSync(runs, '.');
     if (![1, 9].includes(readFileSync(runs).length)) process.exit(1);
     process.stdout.write('hostauth is ready at http://127.0.0.1:4321\\n', () => process.exit(1));`,
  );
  await untilWarned(9);
  const delays = timeout.mock.calls.flatMap(([call, ms]) => (call.name === 'start' ? [ms] : []));
  expect(delays).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000, 100]);
});

test('starts the HTTP process in a session of its own, so that it cannot type into the terminal of root, with the rights that it needs to drop the others, its settings and nothing else of its environment; answers its calls; does not restart it after the end', async () => {
  const isRoot = process.getuid?.() === 0;
  const { events, http, path, printed, warn } = startHttp(
    `import { readFileSync, writeFileSync } from 'node:fs';
     import { Socket } from 'node:net';
     const [, , , , , session] = readFileSync('/proc/self/stat', 'utf8').split(' ');
     const isConfined = /CapInh:\\s+0+\\n[^]*CapBnd:\\s+0+c4\\n[^]*NoNewPrivs:\\s+1/.test(readFileSync('/proc/self/status', 'utf8'));
     process.once('SIGTERM', () => process.exit(writeFileSync(import.meta.filename + '.end', '')));
     const helper = new Socket({ fd: Number(process.env.HOSTAUTH_HELPER_FD) });
     helper.write('{"id":1,"call":"checkAccount","account":"ada"}\\n');
     helper.on('data', (answer) => console.log([session === String(process.pid), isConfined, ...Object.keys(process.env).sort(), answer].join()));`,
    { HOSTAUTH_IDLE_S: '9', LC_ALL: 'C', LD_PRELOAD: '', NODE_OPTIONS: '', SECRET: 'sesame' },
    isRoot,
  );
  await once(events, 'printed');
  const names = 'HOSTAUTH_HELPER_FD,HOSTAUTH_IDLE_S,HOSTAUTH_PORT,LC_ALL,UV_USE_IO_URING';
  expect(printed()).toEqual([`true,${isRoot},${names},{"id":1,"result":{"state":"same"}}\n`]);
  await http.stop();
  expect([existsSync(`${path}.end`), warn.mock.calls]).toEqual([true, []]);
});
