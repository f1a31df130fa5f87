import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { POLLING } from '#tests/builders/polling.ts';
import { fakeAuthenticator } from './testing/fakeHelper.ts';
import { fakeHelper } from './testing/fakeHelper.ts';
import { startHttpProcess } from './httpProcess.ts';

const READY = 'hostauth is ready at http://127.0.0.1:4321\n';

/** Starts a program instead of the HTTP process; `printed` returns what reaches stdout. */
function start(program: string, env: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'hostauth-http-'));
  const path = join(folder, 'http.mjs');
  writeFileSync(path, program);
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const warn = vi.fn<() => void>();
  const http = startHttpProcess({
    path,
    env: { HOSTAUTH_PORT: '0', ...env },
    isRoot: false,
    helper: fakeHelper(fakeAuthenticator()),
    logger: { warn },
    onReady: () => undefined,
    onFailed: () => undefined,
  });
  onTestFinished(async () => {
    await http.stop();
    stdout.mockRestore();
    rmSync(folder, { recursive: true });
  });
  return { warn, printed: () => stdout.mock.calls.map(([text]) => String(text)) };
}

test('prints the first line of the HTTP process, drops what it prints later, and restarts it on the same port', async () => {
  const { warn, printed } = start(
    `const port = process.env.HOSTAUTH_PORT === '0' ? 4321 : Number(process.env.HOSTAUTH_PORT) + 1;
     process.stdout.write('hostauth is ready at http://127.0.0.1:' + port + '\\n' + 'more:22\\n'.repeat(1000));
     process.stdout.write('more:22\\n'.repeat(1000), () => process.exit(1));`,
  );
  await vi.waitFor(() => expect(warn.mock.calls.length).toBeGreaterThanOrEqual(2), POLLING);
  // The second process must listen on the port of the first one.
  expect(printed().slice(0, 2)).toEqual([READY, READY.replace('4321', '4322')]);
});

test('starts the HTTP process in a session of its own, so that it cannot type into the terminal of root', async () => {
  const { printed } = start(
    `import { readFileSync } from 'node:fs';
     const [, , , , , session] = readFileSync('/proc/self/stat', 'utf8').split(' ');
     process.stdout.write('hostauth is ready at ' + (session === String(process.pid)) + ':1\\n');
     setInterval(() => undefined, 1000);`,
  );
  await vi.waitFor(() => expect(printed()).toEqual(['hostauth is ready at true:1\n']), POLLING);
});

test('gives the HTTP process its settings and nothing else of its environment', async () => {
  const { printed } = start(
    `process.stdout.write('hostauth is ready at ' + Object.keys(process.env).sort() + ':1\\n');
     setInterval(() => undefined, 1000);`,
    { HOSTAUTH_IDLE_S: '9', LC_ALL: 'C', LD_PRELOAD: '', NODE_OPTIONS: '', SECRET: 'sesame' },
  );
  const names = 'HOSTAUTH_HELPER_FD,HOSTAUTH_IDLE_S,HOSTAUTH_PORT,LC_ALL,UV_USE_IO_URING';
  await vi.waitFor(() => expect(printed()).toEqual([`hostauth is ready at ${names}:1\n`]), POLLING);
});

test('waits twice as long before each restart of an HTTP process that does not become ready', async () => {
  const timeout = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => timeout.mockRestore());
  const { warn } = start(
    `import { existsSync, writeFileSync } from 'node:fs';
     const marker = import.meta.filename + '.marker';
     if (existsSync(marker)) process.exit(1);
     writeFileSync(marker, '');
     process.stdout.write('hostauth is ready at http://127.0.0.1:4321\\n', () => process.exit(1));`,
  );
  await vi.waitFor(() => expect(warn.mock.calls.length).toBeGreaterThanOrEqual(4), POLLING);
  const delays = timeout.mock.calls.flatMap(([call, ms]) => (call.name === 'start' ? [ms] : []));
  expect(delays.slice(0, 4)).toEqual([100, 200, 400, 800]);
});
