import { type ReplayCode, appCode } from '../engine/code.ts';
import { createFold } from '../engine/createFold.ts';
import { replayFile } from '../engine/replayFile.ts';
import { valueDiff } from '../diff/valueDiff.ts';
import { frozenCode, isFrozenError } from './frozenCode.ts';

/** A state that a reducer mutated instead of returning another one. */
export interface Mutation {
  /** The number of the update whose reducer did it. */
  readonly update: number;
  /** The first path of the state before that update that is different after it; empty when the update mutated an earlier state. */
  readonly path: string;
}

/**
 * Finds the first mutation of a shared state: replays a capture with frozen states, and then once more up to the update that threw.
 * Resolves to `undefined` when there is none.
 */
export async function findMutation(
  capture: string,
  code: ReplayCode = appCode,
): Promise<Mutation | undefined> {
  let steps = 0;
  try {
    await replayFile(capture, createFold({ code: frozenCode(code), onStep: () => void steps++ }));
    return undefined;
  } catch (error) {
    if (!isFrozenError(error)) return undefined;
  }
  const update = steps + 1;
  return { update, path: await mutatedPath(capture, code, steps) };
}

/** Replays a capture with states that are not frozen, and compares the state before an update with a copy of it. */
async function mutatedPath(capture: string, code: ReplayCode, steps: number): Promise<string> {
  let done = 0;
  let path = '';
  const watched: ReplayCode = {
    ...code,
    applyUpdate: (conversation, update) => {
      if (done !== steps) return code.applyUpdate(conversation, update);
      const forms = () => structuredClone([code.toSnapshot(conversation), conversation] as const);
      const [snapshot, internal] = forms();
      const result = code.applyUpdate(conversation, update);
      const [snapshotAfter, internalAfter] = forms();
      const [change] = [...valueDiff(snapshot, snapshotAfter), ...valueDiff(internal, internalAfter)];
      path = change?.path ?? '';
      return result;
    },
  };
  const until = steps + 1;
  await replayFile(capture, createFold({ code: watched, until, onStep: () => void done++ })).catch(
    () => undefined,
  );
  return path;
}
