import type { Replayed } from '../engine/sessionAdapter.ts';
import { FoldError, recordGolden } from '../golden/traceCapture.ts';
import { CaptureError } from '../read/captureDecoder.ts';
import { thrownText } from '../workers/thrownError.ts';

/** How the replay of a capture ended, for its coverage. */
interface Covered {
  readonly warnings: readonly string[];
  /** The replayed code threw. */
  readonly thrown?: string;
  /** The capture cannot be read. */
  readonly unusable?: string;
}

/** Replays a capture, and derives what windows show, as `verify` does. */
export async function coverCapture(capture: string, replayed: Replayed): Promise<Covered> {
  try {
    const { warnings } = await recordGolden(capture, replayed);
    return { warnings };
  } catch (error) {
    if (error instanceof FoldError)
      return { warnings: [], thrown: `${capture}: the replayed code threw ${thrownText(error.cause)}` };
    const problem = error instanceof CaptureError ? error.message : `${capture}: ${firstLine(String(error))}`;
    return { warnings: [], unusable: problem };
  }
}

const firstLine = (text: string): string => text.split('\n')[0] ?? '';
