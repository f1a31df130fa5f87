import type { Clock } from '../../base/clock.ts';

/** How long an answer counts, unless it is lasting. */
const CACHE_MS = 3000;
/** The most answers to keep. */
const CAPACITY = 4096;

/** A question to the cache. */
interface CacheQuery<T> {
  /** An answer for another key does not count. */
  readonly key: string;
  /** Whether a cached answer does not count. */
  readonly isFresh: boolean;
  /** Whether the answer counts as long as the key is the same. */
  readonly isLasting?: boolean;
  readonly load: () => Promise<T>;
}

interface CachedAnswer<T> {
  readonly key: string;
  readonly answer: Promise<T>;
  readonly endsAt: number;
}

/** Creates a cache of answers about usernames. Calls at the same time share an answer. Failures are not kept. */
export function createAnswerCache<T>(
  clock: Pick<Clock, 'monotonic'>,
  isFailure: (answer: T) => boolean = () => false,
) {
  const answers = new Map<string, CachedAnswer<T>>();
  return {
    get(username: string, { key, isFresh, isLasting = false, load }: CacheQuery<T>): Promise<T> {
      const cached = answers.get(username);
      if (!isFresh && cached?.key === key && clock.monotonic() < cached.endsAt) return cached.answer;
      if (answers.size >= CAPACITY) answers.clear();
      const answer = load();
      const endsAt = isLasting ? Number.POSITIVE_INFINITY : clock.monotonic() + CACHE_MS;
      answers.set(username, { key, answer, endsAt });
      const forget = () => {
        if (answers.get(username)?.answer === answer) answers.delete(username);
      };
      answer.then((value) => isFailure(value) && forget(), forget);
      return answer;
    },
  };
}
