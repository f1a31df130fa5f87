import { thrownError } from '../workers/thrownError.ts';
import { CaptureError } from '../read/captureError.ts';
import { readCapture } from '../read/readCapture.ts';
import { type StartReplay, collectSession } from './collectSession.ts';
import type { SessionRow, UpdateRow } from './tableColumns.ts';

interface Tabulated {
  readonly session: SessionRow;
  /** Problems that do not prevent the use of the capture. */
  readonly warnings: readonly string[];
}

/**
 * Replays a capture, and passes on a row for each update. Resolves to the row of the session; does not reject when the capture
 * or the code is faulty.
 */
export async function tabulateCapture(
  capture: string,
  start: StartReplay,
  onUpdate: (row: UpdateRow) => void,
): Promise<Tabulated> {
  const session = collectSession(start, (row) => onUpdate({ capture, ...row }));
  let header: Pick<SessionRow, 'started_at' | 'app'> = { started_at: undefined, app: undefined };
  let warnings: readonly string[] = [];
  let problem: string | undefined;
  try {
    const reader = await readCapture(capture);
    ({ warnings } = reader);
    header = { started_at: dateOf(reader.header.startedAt), app: reader.header.app };
    for await (const batch of reader.records()) if (!batch.every(session.take)) break;
    session.finish();
  } catch (error) {
    problem = problemOf(capture, error);
  }
  return { session: { capture, ...header, ...session.totals(), problem }, warnings };
}

function dateOf(text: string): Date | undefined {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** An error of the code is named without its message, which may contain values of the session. */
function problemOf(capture: string, error: unknown): string {
  if (error instanceof CaptureError) return error.message;
  return `${capture}: the replayed code threw ${error instanceof Error ? thrownError(error).name : 'a value'}`;
}
