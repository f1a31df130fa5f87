import type { ParleyEngine, ParleyOptions, ReplayState } from '../engine/parley.ts';
import { replayFile } from '../engine/replayFile.ts';
import { CaptureError } from '../read/captureDecoder.ts';
import { captureName } from '../read/stdin.ts';
import { continuedEngine } from './continuedEngine.ts';

/**
 * Replays captures of one run of the program in their order, and resolves to the state after the end of the last session.
 * @throws {CaptureError} when one of them cannot be read, cannot follow the one before it, or does not contain the end of its session.
 */
export async function stateAfter(
  [first, ...others]: readonly [string, ...string[]],
  create: (options: ParleyOptions) => ParleyEngine,
): Promise<ReplayState> {
  const options = { passesEnd: true };
  let state = await endOf(first, create(options));
  for (const path of others)
    state = await endOf(path, continuedEngine({ name: captureName(path), create, options, after: state }));
  return state;
}

async function endOf(path: string, engine: ParleyEngine): Promise<ReplayState> {
  await replayFile(path, engine);
  const state = engine.state();
  if (state.queue.launchedAt === null) return state;
  throw new CaptureError(`${captureName(path)}: its session does not end, so no capture can follow it`);
}
