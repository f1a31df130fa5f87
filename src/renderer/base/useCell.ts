import { useSyncExternalStore } from 'react';
import type { Cell } from './cell.ts';

/** A cell's value; the component is drawn again when it changes. */
export const useCell = <T>({ subscribe, get }: Pick<Cell<T>, 'subscribe' | 'get'>): T =>
  useSyncExternalStore(subscribe, get);
