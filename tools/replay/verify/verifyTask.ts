import { loadCode } from './loadCode.ts';
import type { CaptureResult } from './captureResult.ts';
import { verifyCapture } from './verifyCapture.ts';

/** Some captures to look at, as they go to a worker thread: plain data. */
export interface VerifyTask {
  readonly captures: readonly string[];
  readonly update?: boolean;
  /** The file of another revision's code, bundled, to hold the captures against. */
  readonly base?: string;
}

/** Takes a task in a worker thread, or in this one: one capture after the other. */
export async function verifyTask({ captures, update = false, base }: VerifyTask): Promise<CaptureResult[]> {
  const options = base === undefined ? { update } : { base: await loadCode(base) };
  const results: CaptureResult[] = [];
  for (const capture of captures) results.push(await verifyCapture(capture, options));
  return results;
}
