import { useSyncExternalStore } from 'react';
import type { Cell } from './cell.ts';

/** Returns a cell's value; the component re-renders when the value changes. */
export const useCell = <T>({ subscribe, get }: Pick<Cell<T>, 'subscribe' | 'get'>): T =>
  useSyncExternalStore(subscribe, get);
