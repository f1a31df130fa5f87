import { replayFile } from '../../engine/replayFile.ts';
import { valueDiff } from '../../diff/valueDiff.ts';
import type { ExaminedCode } from './examinedCode.ts';
import { isFrozenError } from './frozenCode.ts';

/** A state that a reducer mutated instead of returning another one. */
export interface Mutation {
  /** The number of the update whose reducer did it. */
  readonly update: number;
  /** The type of the action whose reducer did it before that update, when it is not the update. */
  readonly action?: string;
  /** The first path of the state before that update that is different after it; empty when it mutated an object outside that state. */
  readonly path: string;
}

/**
 * Finds the first mutation of a shared state: replays a capture with frozen states, and then once more up to the update that threw.
 * Resolves to `undefined` when there is none.
 */
export async function findMutation(capture: string, code: ExaminedCode): Promise<Mutation | undefined> {
  let steps = 0;
  try {
    await replayFile(capture, code.frozen({ onStep: () => void steps++ }));
    return undefined;
  } catch (error) {
    if (!isFrozenError(error)) return undefined;
  }
  const update = steps + 1;
  return { update, path: await mutatedPath(capture, code, steps) };
}

/** Replays a capture with states that are not frozen, and compares the state before an update with a copy of it. */
async function mutatedPath(capture: string, code: ExaminedCode, steps: number): Promise<string> {
  let done = 0;
  let path = '';
  const engine = code.watched(
    (call, examined) => {
      if (done !== steps) return call();
      const { copy, reduce } = examined();
      const before = copy();
      const result = reduce();
      const [change] = valueDiff(before, copy());
      // Without the index of the copy's form.
      path = change?.path.replace(/^\[\d+\]\.?/, '') ?? '';
      return result;
    },
    { until: steps + 1, onStep: () => void done++ },
  );
  await replayFile(capture, engine).catch(() => undefined);
  return path;
}
