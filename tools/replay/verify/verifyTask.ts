import type { TracedEngine } from '../golden/traceCapture.ts';
import { loadCode } from './loadCode.ts';
import type { CaptureResult } from './captureResult.ts';
import { verifyCapture } from './verifyCapture.ts';

/** Captures to verify in a worker thread: plain data. */
export interface VerifyTask {
  readonly captures: readonly string[];
  readonly update?: boolean;
  /** As in `VerifyOptions`. */
  readonly engine?: TracedEngine['engine'];
  /** The bundle of another revision's code, whose results are expected. */
  readonly base?: string;
}

/** Verifies the captures of a task, one after the other. */
export async function verifyTask({
  captures,
  update = false,
  engine = 'store',
  base,
}: VerifyTask): Promise<CaptureResult[]> {
  const options = base === undefined ? { update, engine } : { base: await loadCode(base) };
  const results: CaptureResult[] = [];
  for (const capture of captures) results.push(await verifyCapture(capture, options));
  return results;
}
