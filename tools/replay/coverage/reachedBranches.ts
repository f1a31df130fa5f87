import { type Profiler, Session } from 'node:inspector';
import type { ModuleBranches } from './loadBranches.ts';

type Profile = readonly Profiler.ScriptCoverage[];

/**
 * Returns which branches a V8 profile counts at least once: the numbers of the branches, in the order of the modules.
 * @param profile precise block coverage with counts.
 */
export function reachedBranches(profile: Profile, modules: readonly ModuleBranches[]): number[] {
  const reached: number[] = [];
  let first = 0;
  for (const { name, length, branches } of modules) {
    const script = profile.find(({ url }) => url.endsWith(`/${name}`));
    const counts = countsOf(script, length);
    const countAt = (place = -1) => counts[place] ?? 0;
    branches.forEach(({ counted, except }, index) => {
      if (countAt(counted) > countAt(except)) reached.push(first + index);
    });
    first += branches.length;
  }
  return reached;
}

/** Returns the count of each character. A range is after the range that contains it, and overwrites a part of it. */
export function countsOf(script: Profiler.ScriptCoverage | undefined, length: number): Uint32Array {
  const counts = new Uint32Array(length);
  for (const { ranges } of script?.functions ?? [])
    for (const { count, startOffset, endOffset } of ranges) counts.fill(count, startOffset, endOffset);
  return counts;
}

/**
 * Starts V8's precise block coverage of this thread. Only modules that are loaded later are covered completely.
 * @returns a function that returns the counts since its last call.
 */
export function startPreciseCoverage(): () => Profile {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return () => {
    let result: Profile = [];
    // A session with its own thread calls back before `post` returns.
    session.post('Profiler.takePreciseCoverage', (_error, taken) => ({ result } = taken));
    return result;
  };
}
