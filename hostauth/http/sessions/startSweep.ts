import type { Clock } from '../../base/clock.ts';
import { Problem } from '../../api/problems.ts';
import type { Session, Sessions } from './sessions.ts';

/** The pause between two rounds. */
const INTERVAL_MS = 5000;
/** The most checks at once: a directory may take seconds for some of them. */
const CONCURRENCY = 256;

type Check = (session: Session) => Promise<void>;

/**
 * Checks all live sessions, again and again with a pause.
 * @param check may reject with a `Problem`, which is ignored.
 * @returns the function that stops it.
 */
export function startSweep(
  clock: Pick<Clock, 'after'>,
  sessions: Pick<Sessions, 'list'>,
  check: Check,
): () => void {
  let isStopped = false;
  let cancel = clock.after(INTERVAL_MS, next);
  function next(): void {
    void checkAndWait();
  }
  async function checkAndWait(): Promise<void> {
    await checkAll(sessions.list(), check);
    if (!isStopped) cancel = clock.after(INTERVAL_MS, next);
  }
  return () => {
    isStopped = true;
    cancel();
  };
}

async function checkAll(unchecked: IterableIterator<Session>, check: Check): Promise<void> {
  // They share the iterator: each takes the next session when its check has ended.
  const checkNext = async () => {
    for (const session of unchecked) {
      await check(session).catch((error: unknown) => {
        if (!(error instanceof Problem)) throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, checkNext));
}
