import { closeUnread, openAhead } from '../s3/openAhead.ts';
import { createParquetFile } from './parquetFile.ts';
import type { StartReplay } from './collectSession.ts';
import { tabulateCapture } from './tabulateCapture.ts';
import { replayParley } from './tabulatedReplays.ts';
import { SESSION_COLUMNS, UPDATE_COLUMNS } from './tableColumns.ts';

interface TableOptions {
  readonly captures: AsyncIterable<string>;
  /** Starts the replay of a session; of Parley by default. */
  readonly replay?: StartReplay;
  /** The path of the table of updates. */
  readonly path: string;
  readonly force: boolean;
  /** Ends the work: no file is written. */
  readonly signal: AbortSignal;
  /** Is called after each capture. */
  readonly onSession: (session: { readonly sessions: number; readonly updates: number }) => void;
  readonly onWarnings: (warnings: readonly string[]) => void;
  /** Is called with each capture that cannot be used. */
  readonly onProblem: (problem: string) => void;
}

/** The size of a table. */
interface TableSize {
  readonly sessions: number;
  readonly updates: number;
}

/** The number of captures that are opened in advance when they are in an S3-compatible store. */
const AHEAD = 24;

/** Returns the path of the sessions' table beside that of the updates: `x-sessions.parquet` for `x.parquet`. */
export const sessionsPath = (path: string): string => path.replace(/(?:\.parquet)?$/, '-sessions.parquet');

/**
 * Writes the tables of captures, with one row for each update and one for each session, completely or not at all. Memory does not grow with the
 * number of captures. Resolves to the size; to `undefined` after an abort.
 * @throws {UsageError} when a file cannot be written.
 */
export async function writeTable(options: TableOptions): Promise<TableSize | undefined> {
  const { path, force, replay = replayParley, signal, onSession, onWarnings, onProblem } = options;
  const size = { sessions: 0, updates: 0 };
  const updates = createParquetFile({ path, columns: UPDATE_COLUMNS, force });
  try {
    const sessions = createParquetFile({ path: sessionsPath(path), columns: SESSION_COLUMNS, force });
    try {
      for await (const capture of openedAhead(options.captures)) {
        const { session, warnings } = await tabulateCapture(capture, replay, (row) => {
          updates.add(row);
          size.updates++;
        });
        sessions.add(session);
        size.sessions++;
        if (signal.aborted) return undefined;
        onWarnings(warnings);
        if (session.problem !== undefined) onProblem(session.problem);
        onSession(size);
      }
      // A disk that is full for one of them gets none.
      sessions.complete();
      updates.complete();
      sessions.publish();
      updates.publish();
    } finally {
      sessions.discard();
    }
  } finally {
    updates.discard();
  }
  return size;
}

/** Opens captures in an S3-compatible store before they are needed, so that the network's delay is over then. */
async function* openedAhead(captures: AsyncIterable<string>): AsyncGenerator<string, void> {
  const waiting: string[] = [];
  try {
    for await (const capture of captures) {
      openAhead([capture]);
      waiting.push(capture);
      if (waiting.length > AHEAD) yield waiting.shift() ?? capture;
    }
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) yield next;
  } finally {
    closeUnread(waiting);
  }
}
