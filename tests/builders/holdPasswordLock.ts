import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Locks the accounts' files as the host's tools do, prints `held`, and keeps the lock until its input ends. */
const HOLD = `
  use Fcntl;
  open(my $lock, '>>', '/etc/.pwd.lock') or die "cannot open: $!";
  my $all = pack('s s x!8 q q l', F_WRLCK, 0, 0, 0, 0);
  fcntl($lock, F_SETLKW, $all) or die "cannot lock: $!";
  syswrite(STDOUT, "held");
  <STDIN>;
`;

/** A lock on the host's account files. */
interface HeldLock {
  /** Releases the lock; also happens when this process ends. */
  release(): Promise<void>;
}

/** Waits for the lock and takes it; needs root. */
export async function holdPasswordLock(): Promise<HeldLock> {
  const holder = spawn('perl', ['-e', HOLD], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [said] = await Promise.race([once(holder.stdout, 'data'), once(holder, 'exit')]);
  if (String(said) !== 'held') throw new Error('the lock of the accounts’ files could not be taken');
  return { release: () => release(holder) };
}

async function release(holder: ChildProcess): Promise<void> {
  const gone = once(holder, 'exit');
  holder.stdin?.end();
  await gone;
}
