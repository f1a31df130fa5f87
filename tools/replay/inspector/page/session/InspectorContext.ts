import { createContext, use } from 'react';
import type { Inspector } from './createInspector.ts';
import { useSelected } from './createStore.ts';
import type { InspectorState } from './state.ts';

export const InspectorContext = createContext<Inspector | undefined>(undefined);

/** What the page can do. */
export function useInspector(): Inspector {
  const inspector = use(InspectorContext);
  if (inspector === undefined) throw new Error('There is no inspector around this component.');
  return inspector;
}

/** Something of the state; drawn again when it is another. It must not make anything new. */
export const useInspectorState = <T>(select: (state: InspectorState) => T): T =>
  useSelected(useInspector().store, select);
