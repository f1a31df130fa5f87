import { type RefObject, useEffect, useState } from 'react';

/** Maximum number of rows that are kept, however large the selection is. */
const MOST = 400;

/** Returns the row that contains a node, or `undefined`. */
function rowOf(node: Node | null): number | undefined {
  const element = node instanceof Element ? node : node?.parentElement;
  const row = element?.closest<HTMLElement>('[data-row]')?.dataset['row'];
  return row === undefined ? undefined : Number(row);
}

/** Returns the rows with the focus or the selection, ascending. */
function rowsInUse(): number[] {
  const selection = document.getSelection();
  const ends = selection?.isCollapsed === false ? [selection.anchorNode, selection.focusNode] : [];
  const rows = [...ends, document.activeElement].map(rowOf).filter((row) => row !== undefined);
  if (rows.length === 0) return [];
  const first = Math.min(...rows);
  const count = Math.min(MOST, Math.max(...rows) - first + 1);
  return Array.from({ length: count }, (_, index) => first + index);
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
