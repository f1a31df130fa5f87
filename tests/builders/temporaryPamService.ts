import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FOLDER = '/etc/pam.d';
const SHIPPED = join(import.meta.dirname, '..', '..', 'hostauth', 'pam.d', 'hostauth');
const SHIPPED_TALLIES = '/var/lib/hostauth/faillock';
const NAME = /^parley-test-(\d+)-\d+$/;
const TALLIES = /^parley-tallies-(\d+)-/;

/** A PAM service of the host that runs the tests, for a while: only root can make one. */
export interface TemporaryPamService {
  /** Its name. */
  readonly service: string;
  /** Where it counts failures: a folder of its own. */
  readonly tallies: string;
  /** Also happens when the process exits. */
  remove(): void;
}

let made = 0;

/**
 * The shipped PAM file under another name, with the folder of its failures moved; or another text, for a service that
 * does what no host's does.
 */
export function createTemporaryPamService(text?: string): TemporaryPamService {
  sweep();
  const service = `parley-test-${process.pid}-${made++}`;
  const tallies = mkdtempSync(join(tmpdir(), `parley-tallies-${process.pid}-`));
  const file = join(FOLDER, service);
  // Never over a file that is there already.
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

/** Takes away what processes that are no more have left. */
function sweep(): void {
  sweepFolder(FOLDER, NAME);
  sweepFolder(tmpdir(), TALLIES);
}

function sweepFolder(folder: string, pattern: RegExp): void {
  for (const name of readdirSync(folder)) {
    const pid = pattern.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) {
      rmSync(join(folder, name), { recursive: true, force: true });
    }
  }
}
