import { useEffect, useMemo, useState } from 'react';
import { latest } from '../session/latest.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { ancestorPaths } from './ancestorPaths.ts';
import { ENTRIES, type ListPart, type StateRow, type StateTree, stateRows } from './stateRows.ts';

/** Returns the tree of the selected step and the functions that expand it. Expanded entries stay expanded at other steps. */
export function useStateTree() {
  const { client, fail } = useInspector();
  const view = useInspectorState((state) => state.view);
  const [rows, setRows] = useState<readonly StateRow[]>([]);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set(['messages', 'state']));
  const [parts, setParts] = useState<ReadonlyMap<string, ListPart>>(new Map());
  const fetchRows = useMemo(
    () => latest<StateTree>(async (tree) => setRows(await stateRows(tree)), fail),
    [fail],
  );
  useEffect(() => {
    if (view !== undefined) fetchRows({ client, branch: view.branch, step: view.step, unfolded, parts });
  }, [client, view, unfolded, parts, fetchRows]);

  const unfold = (path: string, unfolds: boolean) =>
    setUnfolded((before) => {
      const after = new Set(before);
      if (unfolds) after.add(path);
      else after.delete(path);
      return after;
    });
  const showMore = (path: string, isBefore: boolean) =>
    setParts((before) => new Map(before).set(path, longerPart(before.get(path), isBefore)));
  /** Unfolds the places above a path. */
  const reveal = (path: string) => {
    const above = ancestorPaths(path);
    setUnfolded((before) => new Set([...before, ...above.map((one) => one.path)]));
    setParts((before) => {
      const after = new Map(before);
      for (const { path: list, index } of above) {
        if (index !== undefined && !isIn(after.get(list) ?? FIRST, index)) after.set(list, partAround(index));
      }
      return after;
    });
  };
  return { rows, unfold, showMore, reveal };
}

const FIRST: ListPart = { from: 0, to: ENTRIES };

const isIn = ({ from, to }: ListPart, index: number): boolean => index >= from && index < to;

function partAround(index: number): ListPart {
  const from = index - (index % ENTRIES);
  return { from, to: from + ENTRIES };
}

const longerPart = ({ from, to } = FIRST, isBefore = false): ListPart =>
  isBefore ? { from: Math.max(0, from - ENTRIES), to } : { from, to: to + ENTRIES };
