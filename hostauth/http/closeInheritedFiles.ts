import { closeSync, readFileSync, readdirSync } from 'node:fs';

/** Closed when another program starts: how Node opens all of its own files. In octal, as /proc has it. */
const CLOSE_ON_EXEC = 0o2000000;
const STDERR = 2;

/**
 * Closes what the process was started with besides its standard streams and the socket to the helper: files that root
 * had open, which Node does not close when there is a gap between their numbers.
 * @param helperFd the number of that socket, if there is one.
 */
export function closeInheritedFiles(helperFd: number | undefined): void {
  for (const fd of readdirSync('/proc/self/fd').map(Number)) {
    if (fd > STDERR && fd !== helperFd && isInherited(fd)) closeSync(fd);
  }
}

function isInherited(fd: number): boolean {
  try {
    const [, flags = ''] = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // The one that listed the folder.
    return false;
  }
}
