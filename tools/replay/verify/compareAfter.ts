import type { Golden } from '../golden/golden.ts';
import { createParleyEngine } from '../engine/parley.ts';
import type { TracedParley } from '../golden/traceCapture.ts';
import { FoldError } from '../golden/tracer.ts';
import { CaptureError } from '../read/captureDecoder.ts';
import { captureName } from '../read/stdin.ts';
import { stateAfter } from '../sessions/stateAfter.ts';
import { type Outcome, compareReplay } from './compareReplay.ts';

/** The captures of the same run of the program before a capture, in their order. */
export type CapturesBefore = readonly [string, ...string[]];

/**
 * Returns Parley as it continues the state in which the captures before end.
 * @throws {CaptureError} when one of them cannot be used.
 * @throws {FoldError} when the replayed code throws.
 */
export async function followingTraced(
  capture: string,
  traced: TracedParley,
  before: CapturesBefore,
): Promise<TracedParley> {
  try {
    const after = await stateAfter(before, (options) =>
      createParleyEngine({ ...options, adapter: traced.parley }),
    );
    return { ...traced, follows: { after, name: captureName(capture) } };
  } catch (error) {
    if (error instanceof CaptureError) throw error;
    throw new FoldError(String(error), { cause: error });
  }
}

/**
 * Replays a capture after those before it, and compares it with the same result as alone: a session does not depend on those before it.
 * Resolves to `undefined` when there is no difference.
 * @throws {CaptureError} when one of the captures cannot be used.
 */
export async function compareAfter(
  capture: string,
  before: CapturesBefore,
  { golden, traced }: { readonly golden: Golden; readonly traced: TracedParley },
): Promise<Outcome | undefined> {
  const outcome = await compareReplay(capture, {
    traced: await followingTraced(capture, traced, before),
    golden,
  });
  if (outcome.outcome !== 'differs') return undefined;
  return { ...outcome, difference: { ...outcome.difference, after: before.at(-1) ?? '' } };
}
