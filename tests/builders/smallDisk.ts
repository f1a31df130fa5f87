import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Only root can mount a disk; tests that need one are skipped for others, and say so. */
export const CAN_MOUNT = process.platform === 'linux' && process.getuid?.() === 0;

/** A real disk of a few kilobytes, in memory, mode 0700; unmounted when the test ends. */
export interface SmallDisk {
  readonly path: string;
  /** Fills it to the last byte. */
  fill(): void;
  /** Frees what `fill` took. */
  free(): void;
}

export function smallDisk(kilobytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'parley-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k,mode=0700`, 'none', path]);
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', path]);
    rmSync(path, { recursive: true });
  });
  const filler = join(path, 'filler');
  return {
    path,
    fill() {
      const { bavail, bsize } = statfsSync(path);
      writeFileSync(filler, Buffer.alloc(bavail * bsize));
    },
    free: () => rmSync(filler),
  };
}
