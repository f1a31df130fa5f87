import { closeSync, readFileSync, readdirSync } from 'node:fs';

/** The flag with which Node opens all of its own files: closed when another program starts. Octal, as in /proc. */
const CLOSE_ON_EXEC = 0o2000000;
const STDERR = 2;

/**
 * Closes files that the process inherited, such as those that root had open, except its standard streams and the socket to
 * the helper. Node itself closes them only up to the first gap between their numbers.
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
    // The file by which the folder was listed is closed already.
    return false;
  }
}
