import type { KeyboardEvent } from 'react';
import { useInspector } from '../session/InspectorContext.ts';

/** Handles the keys of the list, which move between its entries and skip filtered steps. */
export function useGridKeys(page: number): (event: KeyboardEvent) => void {
  const { list, navigate, fail } = useInspector();
  const moves: Readonly<Record<string, number>> = {
    ArrowUp: -1,
    ArrowDown: 1,
    PageUp: -page,
    PageDown: page,
    Home: -Infinity,
    End: Infinity,
  };
  const move = async (entries: number) => {
    const step = await list.stepAfter(entries);
    if (step !== undefined) navigate.go(step);
  };
  return (event) => {
    const entries = moves[event.key];
    if (entries === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    move(entries).catch(fail);
  };
}
