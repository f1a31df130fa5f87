import { execFileSync } from 'node:child_process';

/** util-linux is on every Debian. */
const PRLIMIT = '/usr/bin/prlimit';

/**
 * Forbids core files, which would contain passwords: of this process, and of those that it starts from now on. Node has
 * no `setrlimit`.
 * @throws when prlimit is missing.
 */
export function forbidCoreFiles(): void {
  execFileSync(PRLIMIT, [`--pid=${process.pid}`, '--core=0:0'], { stdio: 'ignore' });
}
