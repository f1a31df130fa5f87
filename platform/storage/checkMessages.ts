import { z } from 'zod';
import type { Cancel, Clock } from '#shared/time/clock.ts';
import type { Database } from './sqlite.ts';

/** The longest time that a part of the check blocks the platform, unless one message takes longer. */
const PART_MS = 10;
const PAUSE_MS = 40;

const doNothing: Cancel = () => undefined;

/** The newest message that was read. */
interface Place {
  readonly account: number;
  readonly number: number;
}

const placeSchema = z.object({ account: z.int(), number: z.int() });

/**
 * Reads all messages in the background, a part at a time, so that a damaged page is noticed before someone needs it. `read` reports the
 * damage and throws. Returns what ends the check.
 */
export function checkMessages(
  read: <T>(query: (database: Database) => T, absent: T) => T,
  clock: Clock,
): Cancel {
  let cancel: Cancel = doNothing;
  const checkAfter = (place: Place) => {
    cancel = clock.after(PAUSE_MS, () => {
      try {
        const next = read((database) => readPart(database, place, clock), null);
        if (next !== null) checkAfter(next);
      } catch {
        // `read` has reported it.
      }
    });
  };
  checkAfter({ account: 0, number: 0 });
  return () => cancel();
}

/** Returns the last message that was read; `null` at the end. */
function readPart(database: Database, { account, number }: Place, clock: Clock): Place | null {
  const end = clock.now() + PART_MS;
  // The length makes SQLite read the whole text.
  const statement = database.prepare(
    'SELECT account, number, length(json) FROM messages WHERE (account, number) > (?, ?) ORDER BY account, number',
  );
  try {
    for (const row of statement.iterate([account, number]))
      if (clock.now() >= end) return placeSchema.parse(row);
    return null;
  } finally {
    statement.finalize();
  }
}
