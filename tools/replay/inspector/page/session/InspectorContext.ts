import { createContext, use } from 'react';
import type { Inspector } from './createInspector.ts';
import { useSelected } from './inspectorStore.ts';
import type { InspectorState } from './inspectorState.ts';

/** Provides the inspector to the components. */
export const InspectorContext = createContext<Inspector | undefined>(undefined);

/** Returns the inspector of the page. */
export function useInspector(): Inspector {
  const inspector = use(InspectorContext);
  if (inspector === undefined) throw new Error('There is no inspector around this component.');
  return inspector;
}

/** Selects a value of the state; re-renders when the value changes. The selector must return a stable reference. */
export const useInspectorState = <T>(select: (state: InspectorState) => T): T =>
  useSelected(useInspector().store, select);
