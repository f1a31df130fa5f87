import type * as fs from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
test('drops lines while more than 1 MiB waits for the reader of a pipe', async () => {
  // Other files of the process use the module without the mock.
  vi.resetModules();
  onTestFinished(() => {
    vi.doUnmock('node:fs');
    vi.resetModules();
  });
  vi.doMock('node:fs', async (original) => ({
    ...(await original<typeof fs>()),
    fstatSync: () => ({ isFIFO: () => true }),
  }));
  const { createStderrWriter } = await import('./stderrWriter.ts');
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const waiting = vi.spyOn(process.stderr, 'writableLength', 'get');
  onTestFinished(() => {
    written.mockRestore();
    waiting.mockRestore();
  });
  const write = createStderrWriter();
  for (const [length, line] of [
    [0, 'first'],
    [2 ** 20, 'dropped'],
    [2 ** 20 - 1, 'last'],
  ] as const) {
    waiting.mockReturnValue(length);
    write(line);
  }
  expect(written.mock.calls).toEqual([['first'], ['last']]);
});
