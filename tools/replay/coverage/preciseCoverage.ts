import { type Profiler, Session } from 'node:inspector';

/**
 * Starts V8's precise block coverage of this thread. Only modules that are loaded later are covered completely.
 * @returns a function that returns the counts since its last call.
 */
export function startPreciseCoverage(): () => readonly Profiler.ScriptCoverage[] {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return () => {
    let result: readonly Profiler.ScriptCoverage[] = [];
    // A session with its own thread calls back before `post` returns.
    session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error !== null) throw error;
      result = taken.result;
    });
    return result;
  };
}
