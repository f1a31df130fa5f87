import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { fakeAuthenticator } from './testing/fakeAuthenticator.ts';
import { fakeHelper } from './testing/fakeHelper.ts';
import { startHttpProcess } from './httpProcess.ts';

const READY = 'hostauth is ready at http://127.0.0.1:4321\n';

/** Starts a program in the place of the HTTP process; `printed` is what reaches stdout. */
function start(program: string) {
  const folder = mkdtempSync(join(tmpdir(), 'hostauth-http-'));
  const path = join(folder, 'http.mjs');
  writeFileSync(path, program);
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const warn = vi.fn<() => void>();
  const http = startHttpProcess({
    path,
    env: { HOSTAUTH_PORT: '0' },
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

test('prints the first line of the HTTP process and drops what it prints later', async () => {
  const { warn, printed } = start(
    `const port = process.env.HOSTAUTH_PORT === '0' ? 4321 : process.env.HOSTAUTH_PORT;
     process.stdout.write('hostauth is ready at http://127.0.0.1:' + port + '\\n' + 'more:22\\n'.repeat(1000));
     process.stdout.write('more:22\\n'.repeat(1000), () => process.exit(1));`,
  );
  await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(2));
  expect(new Set(printed())).toEqual(new Set([READY]));
});

test('the HTTP process has a session of its own, so that it cannot type into the terminal of root', async () => {
  const { printed } = start(
    `import { readFileSync } from 'node:fs';
     const [, , , , , session] = readFileSync('/proc/self/stat', 'utf8').split(' ');
     process.stdout.write('hostauth is ready at ' + (session === String(process.pid)) + ':1\\n');
     setInterval(() => undefined, 1000);`,
  );
  await vi.waitFor(() => expect(printed()).toEqual(['hostauth is ready at true:1\n']));
});
