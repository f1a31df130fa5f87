import { loadAdapter } from '../adapter/loadAdapter.ts';
import type { CaptureResult } from './captureResult.ts';
import { loadCode } from './loadCode.ts';
import { type ParleyEngineName, verifyCapture } from './verifyCapture.ts';

/** How captures are verified: plain data, so that a worker can have it. */
export interface CaptureVerifierOptions {
  readonly update?: boolean;
  /** As in `VerifyOptions`. */
  readonly engine?: ParleyEngineName;
  /** The bundle of another revision's code, whose results are expected; with `app`, of its adapter. */
  readonly base?: string;
  /** The bundle of the adapter of another app. */
  readonly app?: string;
  /** Captures of one run of the program, in their order; by default, their names tell which of them follow each other. */
  readonly inOrder?: readonly string[] | undefined;
}

/** Returns a function that verifies one capture. */
export async function captureVerifier({
  update = false,
  engine = 'store',
  base,
  app,
  inOrder = [],
}: CaptureVerifierOptions): Promise<(capture: string) => Promise<CaptureResult>> {
  const options =
    app === undefined
      ? base === undefined
        ? { update, engine }
        : { base: await loadCode(base) }
      : {
          update,
          app: await loadAdapter(app),
          ...(base !== undefined && { appBase: await loadAdapter(base) }),
        };
  return (capture) => {
    const before = inOrder.slice(0, Math.max(inOrder.indexOf(capture), 0));
    return verifyCapture(capture, { ...options, ...(before.length > 0 && { before }) });
  };
}
