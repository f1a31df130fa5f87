import type * as fs from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createStderrWriter } from './stderrWriter.ts';

vi.mock('node:fs', async (original) => ({
  ...(await original<typeof fs>()),
  fstatSync: () => ({ isFIFO: () => true }),
}));

test('drops lines while more than 1 MiB waits for the reader of a pipe', () => {
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
