import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Whether this process can mount a disk: root on Linux can, but often not in a container. It tries. */
export const CAN_MOUNT = process.platform === 'linux' && process.getuid?.() === 0 && tryMount();

function tryMount(): boolean {
  const path = mkdtempSync(join(tmpdir(), 'parley-disk-'));
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', 'none', path]).status === 0;
  if (isMounted) execFileSync('umount', [path]);
  rmSync(path, { recursive: true });
  return isMounted;
}

/** Mounts a disk: a real file system of a few kilobytes in memory, with mode 0700. Unmounts it when the test ends. */
export function smallDisk(kilobytes: number) {
  const path = mkdtempSync(join(tmpdir(), 'parley-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k,mode=0700`, 'none', path]);
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', path]);
    rmSync(path, { recursive: true });
  });
  const filler = join(path, 'filler');
  return {
    path,
    /** Fills it to the last byte. */
    fill() {
      const { bavail, bsize } = statfsSync(path);
      writeFileSync(filler, Buffer.alloc(bavail * bsize));
    },
    free: () => rmSync(filler),
  };
}
