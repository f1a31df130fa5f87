import type { TracedEngine } from '../golden/traceCapture.ts';
import type { CaptureResult } from './captureResult.ts';
import { loadCode } from './loadCode.ts';
import { verifyCapture } from './verifyCapture.ts';

/** How captures are verified: plain data, so that a worker can have it. */
export interface CaptureVerifierOptions {
  readonly update?: boolean;
  /** As in `VerifyOptions`. */
  readonly engine?: TracedEngine['engine'];
  /** The bundle of another revision's code, whose results are expected. */
  readonly base?: string;
}

/** Returns a function that verifies one capture. */
export async function captureVerifier({
  update = false,
  engine = 'store',
  base,
}: CaptureVerifierOptions): Promise<(capture: string) => Promise<CaptureResult>> {
  const options = base === undefined ? { update, engine } : { base: await loadCode(base) };
  return (capture) => verifyCapture(capture, options);
}
