import { FoldError } from '../golden/tracer.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import { recordGolden } from '../golden/recordGolden.ts';
import { CaptureError } from '../read/captureDecoder.ts';
import { thrownText } from '../workers/thrownError.ts';

/** How the replay of a capture ended, for its coverage. */
interface Replayed {
  readonly warnings: readonly string[];
  /** The replayed code threw. */
  readonly thrown?: string;
  /** The capture cannot be read. */
  readonly unusable?: string;
}

/**
 * Replays a capture, and derives what windows show, as `verify` does.
 * @param adapter that of another app.
 */
export async function coverCapture(capture: string, adapter?: AppAdapter): Promise<Replayed> {
  try {
    const traced = adapter === undefined ? undefined : { app: adapter };
    const { warnings } = await recordGolden(capture, traced);
    return { warnings };
  } catch (error) {
    if (error instanceof FoldError)
      return { warnings: [], thrown: `${capture}: the replayed code threw ${thrownText(error.cause)}` };
    const problem = error instanceof CaptureError ? error.message : `${capture}: ${firstLine(String(error))}`;
    return { warnings: [], unusable: problem };
  }
}

const firstLine = (text: string): string => text.split('\n')[0] ?? '';
