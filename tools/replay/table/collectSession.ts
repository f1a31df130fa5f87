import { type CaptureRecord, isKnown } from '#shared/capture/format.ts';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { stateDiff } from '../diff/stateDiff.ts';
import { frameBytes } from '../engine/actions.ts';
import { createFold } from '../engine/createFold.ts';
import type { ReplayState } from '../engine/replay.ts';
import { observeUpdates } from '../engine/observeUpdates.ts';
import { watchConnection } from '../stats/watchConnection.ts';
import { rounded } from '../stats/watchQueue.ts';
import type { SessionRow, UpdateRow } from './tableColumns.ts';

/** Collects the rows of one session from its records. */
interface SessionCollector {
  /** Returns `false` after the end of the session. */
  take(record: CaptureRecord): boolean;
  /** Advances the time until no update waits. */
  finish(): void;
  /** Returns the row of the session so far, without what is not in its records. */
  totals(): Omit<SessionRow, 'capture' | 'started_at' | 'app' | 'problem'>;
}

/** Creates a collector that passes on a row for each update. */
export function collectSession(onUpdate: (row: Omit<UpdateRow, 'capture'>) => void): SessionCollector {
  /** The sizes of the updates' frames: updates are released in the order of their arrival. */
  const sizes: number[] = [];
  const connection = watchConnection();
  let now = 0;
  let receivedBytes = 0;
  let longestWait = 0;
  const fold = createFold({
    code: observeUpdates((_, text) => sizes.push(Buffer.byteLength(text))),
    onStep({ number, tick, receivedAt, update, effect, before, after }) {
      const waited = rounded(tick - receivedAt);
      longestWait = Math.max(longestWait, waited);
      now = Math.max(now, tick);
      onUpdate({
        update: number,
        tick_ms: rounded(tick),
        kind: update.kind,
        effect,
        waited_ms: waited,
        bytes: sizes[number - 1],
        paths: changedPaths(before, after),
        messages: after.messages.length,
        connection: fold.state.connection.status,
      });
    },
  });
  return {
    take(record) {
      now = Math.max(now, record.t);
      connection.take(record);
      if (isKnown(record) && record.type === 'recv') receivedBytes += frameBytes(record);
      return fold.take(record);
    },
    finish: () => void fold.finish(),
    totals: () => ({
      ...totalsOf(fold.state, connection.connection()),
      duration_ms: rounded(now),
      received_bytes: receivedBytes,
      longest_wait_ms: longestWait,
    }),
  };
}

type Connection = ReturnType<ReturnType<typeof watchConnection>['connection']>;

const totalsOf = ({ counts, queue, conversation }: ReplayState, { opens, closes, downMs }: Connection) => ({
  received: counts.received,
  sent: counts.sent,
  dropped: counts.dropped,
  rejected: sum(counts.rejected),
  applied: counts.applied,
  ignored: counts.ignored,
  waiting: queue.length,
  messages: conversation.messages.length,
  opens,
  closes: sum(closes),
  down_ms: downMs,
});

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

/** Returns the paths that differ, with indices as `*`. */
function changedPaths(before: Conversation, after: Conversation): string[] {
  if (before === after) return [];
  const paths = stateDiff(before, after).map(({ path }) => path.replace(/\[\d+\]/g, '[*]'));
  return [...new Set(paths)];
}
