import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * Whether this process can mount a disk; otherwise the tests that need one are skipped. It tries: root on Linux can, but often
 * not in a container, which lacks CAP_SYS_ADMIN.
 */
export const CAN_MOUNT = process.platform === 'linux' && process.getuid?.() === 0 && tryMount();

function tryMount(): boolean {
  const path = mkdtempSync(join(tmpdir(), 'parley-disk-'));
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', 'none', path]).status === 0;
  if (isMounted) execFileSync('umount', [path]);
  rmSync(path, { recursive: true });
  return isMounted;
}

/** A real file system of a few kilobytes in memory, with mode 0700. */
interface SmallDisk {
  readonly path: string;
  /** Fills it to the last byte. */
  fill(): void;
  /** Frees the space that `fill` used. */
  free(): void;
}

/** Mounts a disk; unmounts it when the test ends. */
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
