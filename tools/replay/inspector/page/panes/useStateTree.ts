import { useEffect, useMemo, useState } from 'react';
import { latest } from '../session/latest.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { ENTRIES, type StateRow, type StateTree, stateRows } from './stateRows.ts';

/** Returns the tree of the selected step and the functions that expand it. Expanded entries stay expanded at other steps. */
export function useStateTree() {
  const { client, fail } = useInspector();
  const view = useInspectorState((state) => state.view);
  const [rows, setRows] = useState<readonly StateRow[]>([]);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set(['messages']));
  const [limits, setLimits] = useState<ReadonlyMap<string, number>>(new Map());
  const fetchRows = useMemo(
    () => latest<StateTree>(async (tree) => setRows(await stateRows(tree)), fail),
    [fail],
  );
  useEffect(() => {
    if (view !== undefined) fetchRows({ client, branch: view.branch, step: view.step, unfolded, limits });
  }, [client, view, unfolded, limits, fetchRows]);

  const unfold = (path: string, unfolds: boolean) =>
    setUnfolded((before) => {
      const after = new Set(before);
      if (unfolds) after.add(path);
      else after.delete(path);
      return after;
    });
  const showMore = (path: string) =>
    setLimits((before) => new Map(before).set(path, (before.get(path) ?? ENTRIES) + ENTRIES));
  return { rows, unfold, showMore };
}
