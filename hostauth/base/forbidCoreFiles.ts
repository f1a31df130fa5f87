import { execFileSync } from 'node:child_process';

/** Of util-linux, which every Debian has. */
const PRLIMIT = '/usr/bin/prlimit';

/**
 * Forbids core files, which would contain passwords, of this process and of those that it starts later. Node has no
 * `setrlimit`.
 * @throws when prlimit is missing.
 */
export function forbidCoreFiles(): void {
  execFileSync(PRLIMIT, [`--pid=${process.pid}`, '--core=0:0'], { stdio: 'ignore' });
}
