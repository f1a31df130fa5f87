import type { AppAdapter } from '../engine/appAdapter.ts';
import type { Output } from '../base/output.ts';
import { printWarnings } from '../base/printWarnings.ts';
import { CaptureError } from '../read/captureError.ts';
import { readCapture } from '../read/readCapture.ts';
import { captureName } from '../read/stdin.ts';
import { thrownError } from '../workers/thrownError.ts';
import { replayApp, replayParley } from './measuredReplays.ts';

/** Rows are printed when they are longer than this, characters: many updates can be released at once. */
const PIECE = 65_536;

/**
 * Replays a capture, and prints a line of JSON for each update while the capture is read. Returns why the capture cannot be used; the rows of the part before it
 * are printed then.
 * @param adapter that of another app; Parley by default.
 */
export async function printUpdateRows(
  path: string,
  adapter: AppAdapter | undefined,
  output: Output,
): Promise<string | undefined> {
  const capture = captureName(path);
  let rows = '';
  const print = () => {
    if (rows !== '') output.out(rows);
    rows = '';
  };
  const watch: Parameters<typeof replayParley>[0] = {
    onReleased(_tick, _receivedAt, row) {
      rows += `${JSON.stringify({ capture, ...row() })}\n`;
      if (rows.length > PIECE) print();
    },
  };
  const replay = adapter === undefined ? replayParley(watch) : replayApp(adapter, watch);
  try {
    const { records, warnings } = await readCapture(path);
    for await (const batch of records()) {
      const goesOn = batch.every(replay.take);
      print();
      await output.flushed?.();
      if (!goesOn) break;
    }
    replay.finish();
    printWarnings(output, warnings);
    return undefined;
  } catch (error) {
    return problemOf(capture, error);
  } finally {
    print();
  }
}

/** An error of the code is named without its message, which may contain values of the session. */
function problemOf(capture: string, error: unknown): string {
  if (error instanceof CaptureError) return error.message;
  return `${capture}: the replayed code threw ${error instanceof Error ? thrownError(error).name : 'a value'}`;
}
