import { type RefObject, useEffect, useState } from 'react';

/** No more rows than this are kept, however much is selected. */
const MOST = 400;

/** The row that a node lies in, or `undefined`. */
function rowOf(node: Node | null): number | undefined {
  const element = node instanceof Element ? node : node?.parentElement;
  const row = element?.closest<HTMLElement>('[data-row]')?.dataset['row'];
  return row === undefined ? undefined : Number(row);
}

/** The rows that hold the focus or the selection, ascending. */
function rowsInUse(): number[] {
  const selection = document.getSelection();
  const ends = selection?.isCollapsed === false ? [selection.anchorNode, selection.focusNode] : [];
  const rows = [...ends, document.activeElement].map(rowOf).filter((row) => row !== undefined);
  if (rows.length === 0) return [];
  const first = Math.min(...rows);
  const count = Math.min(MOST, Math.max(...rows) - first + 1);
  return Array.from({ length: count }, (_, index) => first + index);
}

/** Rows that must stay in the document while they are scrolled out of view: else a selection or the focus would be lost. */
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
