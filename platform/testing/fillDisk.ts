import fs from 'node:fs';
import { onTestFinished, vi } from 'vitest';

/** Lets every write of SQLite fail as on a full disk, until the returned function is called, or the test ends. */
export function fillDisk(): () => void {
  const { writeSync } = fs;
  const spy = vi.spyOn(fs, 'writeSync').mockImplementation((...args: unknown[]) => {
    // SQLite names the position; nothing else does.
    if (args.length < 5) return Reflect.apply(writeSync, fs, args);
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  });
  const restore = () => {
    spy.mockRestore();
  };
  onTestFinished(restore);
  return restore;
}
