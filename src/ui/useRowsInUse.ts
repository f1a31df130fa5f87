import { type RefObject, useEffect, useState } from 'react';
import { rowOf } from './selection/rowOf.ts';

/** Returns the rows with the focus and with the ends of the selection, or beside an end between two rows. */
function rowsInUse(): number[] {
  const selection = document.getSelection();
  const ends =
    selection === null
      ? []
      : [
          ...nodesAt(selection.anchorNode, selection.anchorOffset),
          ...nodesAt(selection.focusNode, selection.focusOffset),
        ];
  const rows = [...ends, document.activeElement].map(rowOf).filter((row) => row !== undefined);
  return Array.from(new Set(rows)).toSorted((a, b) => a - b);
}

/** Returns the node of an end of the selection, or the rows on both sides of it. */
function nodesAt(node: Node | null, offset: number): (Node | null)[] {
  if (node === null || rowOf(node) !== undefined) return [node];
  return [node.childNodes[offset - 1], node.childNodes[offset]].map((child) => child?.firstChild ?? null);
}

/** Returns the rows that stay in the document while they are scrolled out of view, so that the selection and the focus are kept. */
export function useRowsInUse(scroller: RefObject<HTMLElement | null>): readonly number[] {
  const [rows, setRows] = useState<readonly number[]>([]);
  useEffect(() => {
    const element = scroller.current;
    const look = () => {
      const now = rowsInUse();
      setRows((before) => (before.join() === now.join() ? before : now));
    };
    document.addEventListener('selectionchange', look);
    element?.addEventListener('focusin', look);
    element?.addEventListener('focusout', look);
    return () => {
      document.removeEventListener('selectionchange', look);
      element?.removeEventListener('focusin', look);
      element?.removeEventListener('focusout', look);
    };
  }, [scroller]);
  return rows;
}
