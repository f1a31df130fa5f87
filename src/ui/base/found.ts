import { createContext, useContext } from 'react';
import type { FoundHit } from '#shared/actions/windowSchemas.ts';

/** The current hit of the find bar: what it is in is shown completely. */
export const FoundContext = createContext<FoundHit | null>(null);

/** Returns the current hit if it is in this message. */
export function useFoundIn(message: number): FoundHit | null {
  const hit = useContext(FoundContext);
  return hit?.message === message ? hit : null;
}
