import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FOLDER = '/etc/pam.d';
const SHIPPED = join(import.meta.dirname, '..', '..', 'hostauth', 'pam.d', 'hostauth');
const SHIPPED_TALLIES = '/var/lib/hostauth/faillock';
const NAME = /^parley-test-(\d+)-\d+$/;
const TALLIES = /^parley-tallies-(\d+)-/;

let made = 0;

/**
 * Creates a PAM service on the host that runs the tests, which needs root: from the shipped file, with another name and another folder for its
 * failures; or from `text`. It is removed by `remove`, and when the process exits.
 */
export function createTemporaryPamService(text?: string) {
  sweep();
  const service = `parley-test-${process.pid}-${made++}`;
  const tallies = mkdtempSync(join(tmpdir(), `parley-tallies-${process.pid}-`));
  const file = join(FOLDER, service);
  // Never overwrites an existing file.
  writeFileSync(file, text ?? readFileSync(SHIPPED, 'utf8').replaceAll(SHIPPED_TALLIES, tallies), {
    flag: 'wx',
    mode: 0o644,
  });
  const remove = () => {
    rmSync(file, { force: true });
    rmSync(tallies, { recursive: true, force: true });
  };
  process.once('exit', remove);
  return { service, tallies, remove };
}

/** Removes the files of processes that have ended. */
function sweep(): void {
  for (const [folder, pattern] of [
    [FOLDER, NAME],
    [tmpdir(), TALLIES],
  ] as const)
    for (const name of readdirSync(folder)) {
      const pid = pattern.exec(name)?.[1];
      if (pid !== undefined && !existsSync(`/proc/${pid}`))
        rmSync(join(folder, name), { recursive: true, force: true });
    }
}
