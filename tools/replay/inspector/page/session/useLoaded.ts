import { type DependencyList, useEffect, useMemo, useState } from 'react';
import type { Inspector } from './createInspector.ts';
import { latest } from './inspectorStore.ts';

/**
 * Loads again when a dependency changes; one load runs at a time, and only the newest waits. Returns what was loaded last; `undefined`
 * before that.
 */
export function useLoaded<T>(
  { fail }: Pick<Inspector, 'fail'>,
  load: () => Promise<T>,
  dependencies: DependencyList,
): T | undefined {
  const [loaded, setLoaded] = useState<T>();
  const run = useMemo(
    () => latest<() => Promise<T>>(async (newest) => setLoaded(await newest()), fail),
    [fail],
  );
  // oxlint-disable-next-line react/exhaustive-deps
  useEffect(() => run(load), [run, ...dependencies]);
  return loaded;
}
