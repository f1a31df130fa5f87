import { type CaptureRecord, isKnown } from '#shared/capture/format.ts';
import { frameBytes } from '../engine/actions.ts';
import { watchConnection } from '../stats/watchConnection.ts';
import { rounded } from '../stats/watchQueue.ts';
import type { SessionRow, UpdateRow } from './tableColumns.ts';

/** An update at its tick. */
interface TabulatedUpdate extends Omit<UpdateRow, 'capture' | 'update' | 'tick_ms' | 'waited_ms'> {
  readonly number: number;
  /** Milliseconds since the start of the recording. */
  readonly tick: number;
  readonly receivedAt: number;
}

/** A replay whose updates are rows. */
export interface TabulatedReplay {
  /** Returns `false` after the end of the session. */
  take(record: CaptureRecord): boolean;
  /** Advances the time until no update waits. */
  finish(): void;
  /** Returns the numbers so far. */
  totals(): Pick<
    SessionRow,
    'received' | 'sent' | 'dropped' | 'rejected' | 'applied' | 'ignored' | 'waiting' | 'messages'
  >;
}

/** Starts a replay that passes on its updates. */
export type StartReplay = (onUpdate: (update: TabulatedUpdate) => void) => TabulatedReplay;

/** Collects the rows of one session from its records. */
interface SessionCollector extends Omit<TabulatedReplay, 'totals'> {
  /** Returns the row of the session so far, without what is not in its records. */
  totals(): Omit<SessionRow, 'capture' | 'started_at' | 'app' | 'problem'>;
}

/** Creates a collector that passes on a row for each update. */
export function collectSession(
  start: StartReplay,
  onUpdate: (row: Omit<UpdateRow, 'capture'>) => void,
): SessionCollector {
  const connection = watchConnection();
  let now = 0;
  let receivedBytes = 0;
  let longestWait = 0;
  const replay = start(({ number, tick, receivedAt, ...row }) => {
    const waited = rounded(tick - receivedAt);
    longestWait = Math.max(longestWait, waited);
    now = Math.max(now, tick);
    onUpdate({ update: number, tick_ms: rounded(tick), waited_ms: waited, ...row });
  });
  return {
    take(record) {
      now = Math.max(now, record.t);
      connection.take(record);
      if (isKnown(record) && record.type === 'recv') receivedBytes += frameBytes(record);
      return replay.take(record);
    },
    finish: replay.finish,
    totals() {
      const { opens, closes, downMs } = connection.connection();
      return {
        ...replay.totals(),
        opens,
        closes: sumOf(closes),
        down_ms: downMs,
        duration_ms: rounded(now),
        received_bytes: receivedBytes,
        longest_wait_ms: longestWait,
      };
    },
  };
}

/** Returns the sum of counts by name. */
export const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

/** Returns the paths of changes, with indices as `*`, each once. */
export const pathsOf = (changes: readonly { readonly path: string }[]): string[] => [
  ...new Set(changes.map(({ path }) => path.replace(/\[\d+\]/g, '[*]'))),
];
